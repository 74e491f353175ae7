"""The two operands of the `@`, `+`, … that raised: as they are written, and their shapes."""

import ast
import linecache
import sys
import textwrap
import types
from typing import Any

import numpy as np

OPERATORS: dict[type, str] = {
    ast.MatMult: "@",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}
# What may be computed once more, only to see its shape: none of it writes anywhere.
METHODS = {"transpose", "swapaxes", "permute", "unsqueeze", "squeeze", "reshape", "view", "expand"}
METHODS |= {"sum", "mean", "max", "min", "amax", "abs", "exp", "tanh", "t", "dot", "bmm", "matmul"}
METHODS |= {"item"}
FUNCTIONS = METHODS | {"transpose", "expand_dims", "arange", "sqrt", "zeros_like", "ones_like"}
FUNCTIONS |= {"concatenate", "concat", "cat", "stack", "hstack"}
MODULES = {"np", "numpy", "torch"}
LONGEST = 60
MAX_PARTS = 40  # of a list that is looked into


def operands(frame: types.FrameType, span: Any) -> tuple[str, str, str] | None:
    """(left, operator, right), each side as "`x[:, None]` (3, 1, 4)"; None where it cannot be told
    without running again what may have an effect."""
    lines = linecache.getlines(frame.f_code.co_filename)[span.lineno - 1 : span.end_lineno]
    if not lines:
        return None
    raw = [line.encode() for line in lines]
    raw[-1] = raw[-1][: span.end_col_offset]
    raw[0] = raw[0][span.col_offset :]
    text = textwrap.dedent(b"".join(raw).decode())
    operator, *pair = _parts(ast.parse(f"({text})", mode="eval").body)
    sides = []
    for side in pair:
        shown = ast.unparse(side)
        shape = getattr(harmless(side, frame), "shape", None)
        if shape is None or len(shown) > LONGEST or "`" in shown:
            return None
        sides.append(f"`{shown}` {tuple(shape)}")
    return (sides[0], operator, sides[1]) if len(sides) == 2 else None


def _parts(tree: ast.expr) -> tuple:
    """The operator and its two sides; `torch.bmm(a, b)` is `a @ b`, too."""
    match tree:
        case ast.BinOp() if type(tree.op) in OPERATORS:
            return OPERATORS[type(tree.op)], tree.left, tree.right
        case ast.Call(func=ast.Attribute(value=owner, attr="matmul" | "bmm" | "mm"), keywords=[]):
            of_module = isinstance(owner, ast.Name) and owner.id in MODULES
            return "@", *(tree.args if of_module else (owner, *tree.args))
    return ("",)


def harmless(node: ast.expr, frame: types.FrameType) -> Any:
    """What a harmless expression is worth. Raises TypeError for any other."""
    match node:
        case ast.Constant():
            return node.value
        case ast.UnaryOp(op=ast.USub()):
            return -harmless(node.operand, frame)
        case ast.Tuple() | ast.List():
            return tuple(harmless(one, frame) for one in node.elts)
        case ast.Slice():
            parts = (node.lower, node.upper, node.step)
            return slice(*(None if one is None else harmless(one, frame) for one in parts))
        case ast.Name():
            found = frame.f_locals.get(node.id, frame.f_globals.get(node.id))
            if _is_plain(found):
                return found
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[one]):
            layer = vars(frame.f_locals["self"])["_modules"][name]
            if type(layer) is sys.modules["torch"].nn.Linear:
                return layer(harmless(one, frame))
        case ast.Attribute(attr="T" | "mT"):
            return getattr(harmless(node.value, frame), node.attr)
        case ast.Attribute(attr="shape"):
            return tuple(harmless(node.value, frame).shape)
        case ast.Subscript():
            return harmless(node.value, frame)[harmless(node.slice, frame)]
        case ast.BinOp() if type(node.op) in OPERATORS:
            left, right = harmless(node.left, frame), harmless(node.right, frame)
            return _combined(type(node.op), left, right)
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in FUNCTIONS:
            args = [harmless(one, frame) for one in node.args]
            named = {key.arg: harmless(key.value, frame) for key in node.keywords if key.arg}
            if isinstance(owner, ast.Name) and owner.id in MODULES:
                module = frame.f_globals.get(owner.id)
                if isinstance(module, types.ModuleType):
                    return getattr(module, name)(*args, **named)
            elif name in METHODS:
                return getattr(harmless(owner, frame), name)(*args, **named)
    raise TypeError(f"{ast.dump(node)} may have an effect")


def _combined(operator: type, left: Any, right: Any) -> Any:
    if operator is ast.MatMult:
        return left @ right
    if operator is ast.Add:
        return left + right
    if operator is ast.Sub:
        return left - right
    return left * right if operator is ast.Mult else left / right


def _is_plain(value: Any) -> bool:
    if type(value) in (list, tuple):
        return len(value) <= MAX_PARTS and all(map(_is_plain, value))
    torch = sys.modules.get("torch")
    kinds: tuple = (np.ndarray, int, float, bool, type(None))
    return type(value) in (kinds if torch is None else (*kinds, torch.Tensor, torch.nn.Parameter))
