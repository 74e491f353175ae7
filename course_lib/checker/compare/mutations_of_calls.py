"""The mutations of a call: it is left out, done twice, another, or given something else."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LEFT_OUT = "`{0}` is left out"
TWICE = "`{0}` is done twice"
IN_ALL = "`{1}` stands where `{0}` belongs, in every place"
RESHAPED = "the numbers only get the shape of `{0}`, as by `reshape`, and no axes change places"
OVER_AXIS = "`{0}` runs over axis {1}"
FILLED = "each new entry of `{0}` is put before the others"
LIKE: dict[str, tuple[str, ...]] = {
    "sum": ("mean",), "mean": ("sum",), "max": ("min", "argmax"), "min": ("max",),
    "amax": ("amin",), "argmax": ("argmin",), "any": ("all",), "all": ("any",), "tril": ("triu",),
    "triu": ("tril",), "sin": ("cos",), "cos": ("sin",), "floor": ("ceil",), "ceil": ("floor",),
    "exp": ("exp2",), "log": ("log2", "log10"), "tanh": ("sigmoid", "relu"),
    "softmax": ("log_softmax", "sigmoid"), "zeros": ("ones",), "ones": ("zeros",),
    "zeros_like": ("ones_like",), "sqrt": ("square",), "ones_like": ("zeros_like",),
    "std": ("var",), "var": ("std",), "minimum": ("maximum",), "maximum": ("minimum",),
    "clip_grad_norm_": ("clip_grad_value_",), "silu": ("relu", "gelu"),
}  # fmt: skip
AGAIN = ("softmax", "tanh", "sigmoid", "exp", "log", "sqrt")
NOT_A_STEP = ("range", "len", "enumerate", "zip", "isinstance", "super", "list", "tuple", "dict")
MODULES = ("np", "torch", "math", "F", "nn")


@dataclass(frozen=True, eq=False)
class Mutation:
    """What stands there, and how that is said; without words, by the two texts. All of one function
    with the same words for `everywhere` are also made at once."""

    node: ast.AST
    says: str = ""
    everywhere: str = ""
    is_alone: bool = True  # and not one of many that only exchange names


def of_calls(node: ast.Call) -> Iterator[Mutation]:
    func: Any = node.func
    name = called(node)
    is_method = not isinstance(node.func, ast.Name) and ast.unparse(func.value) not in MODULES
    is_plain = isinstance(node.func, ast.Name)
    if name in NOT_A_STEP:
        return
    args, keywords = node.args, node.keywords
    first = func.value if is_method else args[0] if args else None
    if name == "append":
        first = None
    if first is not None and not isinstance(first, ast.Constant | ast.List | ast.Tuple):
        told = ast.unparse(node).removeprefix(ast.unparse(first)) if is_method else name
        yield Mutation(first, LEFT_OUT.format(told), f"`{name}` is left out in every place")
        yield Mutation(_reshaped(first, node), RESHAPED.format(ast.unparse(node)))
        if not is_method and (name in AGAIN or is_plain):
            yield Mutation(ast.Call(func, [node, *args[1:]], keywords), TWICE.format(told))
        elif name in AGAIN:
            again = ast.Attribute(node, func.attr, func.ctx)
            yield Mutation(ast.Call(again, args, keywords), TWICE.format(told))
    for other in LIKE.get(name, ()) if not is_plain else ():
        everywhere = IN_ALL.format(name, other)
        like = ast.Call(ast.Attribute(func.value, other, func.ctx), args, keywords)
        yield Mutation(like, everywhere=everywhere)
    if is_plain and not any(one.arg == "axis" for one in keywords):
        for axis in (0, 1, -2):  # of a function that has such an argument
            given = [*keywords, ast.keyword("axis", ast.Constant(axis))]
            yield Mutation(ast.Call(func, args, given), OVER_AXIS.format(name, axis))
    if name == "append" and is_method:
        before = ast.Attribute(func.value, "insert", func.ctx)
        says = FILLED.format(ast.unparse(func.value))
        yield Mutation(ast.Call(before, [ast.Constant(0), *args], keywords), says)
    for i, one in enumerate(keywords):
        yield Mutation(ast.Call(func, args, keywords[:i] + keywords[i + 1 :]))
        if one.arg == "descending":
            turned = ast.keyword("descending", ast.Constant(False))
            yield Mutation(ast.Call(func, args, [*keywords[:i], turned, *keywords[i + 1 :]]))
    if len(args) > (0 if is_method else 1):
        yield Mutation(ast.Call(func, args[:-1], keywords))
    for i in range(len(args) - 1):
        swapped = [*args[:i], args[i + 1], args[i], *args[i + 2 :]]
        yield Mutation(ast.Call(func, swapped, keywords))
    if args and isinstance(args[0], ast.List | ast.Tuple) and len(args[0].elts) == 2:
        turned = copy.copy(args[0])
        turned.elts = turned.elts[::-1]
        yield Mutation(ast.Call(func, [turned, *args[1:]], keywords))


def called(node: ast.Call) -> str:
    return ast.unparse(node.func).rpartition(".")[2]


def _reshaped(first: ast.expr, node: ast.Call) -> ast.expr:
    """What is first, in the shape of the call's result."""
    shape = ast.Attribute(node, "shape", ast.Load())
    return ast.Call(ast.Attribute(first, "reshape", ast.Load()), [shape], [])
