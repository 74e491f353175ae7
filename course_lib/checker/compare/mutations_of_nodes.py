"""The mutations of one place in a text: what could stand there in the place of what does."""

import ast
from collections.abc import Iterator
from typing import Any

from course_lib.checker.compare.mutations_of_calls import (
    IN_ALL,
    LEFT_OUT,
    TWICE,
    Mutation,
    called,
    of_calls,
)

LINE = "the line `{0}` is left out"
EARLIER = "the loop over `{0}` ends one earlier"
LATER = "the loop over `{0}` begins one later"
BACKWARDS = "the loop over `{0}` runs backwards"
ALWAYS = "`{0}` is not asked"
OLD = "`{0}` keeps its old value in `{1}`"
OPERATORS: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub, ast.Mult), ast.Sub: (ast.Add,), ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,), ast.FloorDiv: (ast.Div, ast.Mod), ast.Mod: (ast.FloorDiv,),
    ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,), ast.Pow: (ast.Mult,),
}  # fmt: skip
COMPARED: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE), ast.LtE: (ast.Lt, ast.GtE, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE), ast.GtE: (ast.Gt, ast.LtE, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|",
}  # fmt: skip


AXES = range(-3, 3)
PASSED_ON = ("zip", "enumerate", "reversed")  # they give what they are given, one after the other


def mutations_of(
    node: ast.AST, above: list[ast.AST], function: ast.FunctionDef
) -> Iterator[Mutation]:
    """Every mutation of a place; `above` is what it stands in, up to a line of the function."""
    if isinstance(node, ast.stmt):
        yield from _of_lines(node)
    elif isinstance(node, ast.Call):
        yield from of_calls(node)
    elif isinstance(node, ast.BinOp):
        yield from _of_operators(node)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in COMPARED.get(type(node.ops[0]), ()):
            yield Mutation(ast.Compare(node.left, [other()], node.comparators))
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield Mutation(ast.BoolOp(other, node.values))
        yield from (Mutation(value) for value in node.values)
    elif isinstance(node, ast.IfExp):
        yield from (Mutation(one) for one in (node.body, node.orelse))
        yield Mutation(ast.IfExp(node.test, node.orelse, node.body))
    else:
        yield from _of_small(node, above, function)


def _of_small(node: Any, above: list[ast.AST], function: ast.FunctionDef) -> Iterator[Mutation]:
    inside = above[-1] if above else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and _whole(node.operand):
        yield from _of_numbers(-ast.literal_eval(node.operand), above)
    elif isinstance(node, ast.UnaryOp):
        yield Mutation(node.operand)
    elif _whole(node) and not isinstance(inside, ast.UnaryOp):
        yield from _of_numbers(node.value, above)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield Mutation(ast.Constant(not node.value))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if isinstance(inside, ast.Subscript):
            for one in sorted(_texts(function) - {node.value}):
                yield Mutation(ast.Constant(one), everywhere=_exchanged(one, node.value))
    elif isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        yield Mutation(node.value)
    elif isinstance(node, ast.Attribute) and _is_self(node):
        of_self = (one for one in ast.walk(function) if isinstance(one, ast.Attribute))
        others = {one.attr for one in of_self if _is_self(one)} - {node.attr}
        yield from (Mutation(ast.Attribute(node.value, one, node.ctx)) for one in sorted(others))
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        called = isinstance(inside, ast.Call) and inside.func is node
        known = _names(function)
        others = known - {node.id} - _gone_through(function, node.id)
        for other in sorted(others) if node.id in known and not called else ():
            both = _exchanged(other, node.id)
            yield Mutation(ast.Name(other, ast.Load()), everywhere=both, is_alone=False)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
        for i in (0, -1):
            yield Mutation(ast.Subscript(node.value, ast.Constant(i), node.ctx))
    elif isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) and len(node.elts) == 2:
        yield Mutation(ast.Tuple(node.elts[::-1], node.ctx))
    elif isinstance(node, ast.Slice):
        for kept in ((None, node.upper), (node.lower, None)):
            if kept != (node.lower, node.upper):
                yield Mutation(ast.Slice(*kept, node.step))
    elif isinstance(node, ast.comprehension):
        for says, other in _of_loops(node.iter):
            yield Mutation(ast.comprehension(node.target, other, node.ifs, node.is_async), says)


def _of_numbers(value: int, above: list[ast.AST]) -> Iterator[Mutation]:
    inside = above[-1] if above else None
    named = inside.arg if isinstance(inside, ast.keyword) else ""
    call = next((one for one in reversed(above[-2:]) if isinstance(one, ast.Call)), None)
    is_axis = named in ("dim", "axis")
    is_axis = is_axis or (isinstance(inside, ast.Subscript) and "shape" in ast.unparse(inside))
    values = [*AXES, *(() if is_axis else (value - 1, value + 1, 2 * value))]
    values = values if is_axis or value in (0, 1, 2, -1) else values[len(AXES) :]
    for n in dict.fromkeys(values):
        if n != value:
            told = f"{called(call)}(…{named and named + '='}{{}}…)" if call else ""
            alike = IN_ALL.format(told.format(value), told.format(n)) if call else ""
            yield Mutation(ast.Constant(n), everywhere=alike)


def _of_lines(node: ast.stmt) -> Iterator[Mutation]:
    line = ast.unparse(node).partition("\n")[0]
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
        yield Mutation(ast.Pass(), LINE.format(line))
    if isinstance(node, ast.AugAssign):
        target = ast.Name(node.target.id) if isinstance(node.target, ast.Name) else node.target
        yield Mutation(ast.Assign([target], node.value, lineno=0))
        for other in OPERATORS.get(type(node.op), ()):
            yield Mutation(ast.AugAssign(node.target, other(), node.value))
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        for i, one in enumerate(node.targets[0].elts):
            parts = list(node.targets[0].elts)
            parts[i] = ast.Name("_", ast.Store())
            other = ast.Assign([ast.Tuple(parts, ast.Store())], node.value, lineno=0)
            yield Mutation(other, OLD.format(ast.unparse(one), line))
    if isinstance(node, ast.If):
        asked = ALWAYS.format(ast.unparse(node.test))
        yield Mutation(ast.If(ast.Constant(True), node.body, node.orelse), asked)
        yield Mutation(ast.If(ast.Constant(False), node.body, node.orelse), asked)
    if isinstance(node, ast.For):
        for says, other in _of_loops(node.iter):
            yield Mutation(ast.For(node.target, other, node.body, node.orelse, lineno=0), says)


def _of_loops(over: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    told, each = ast.unparse(over), ast.Call(ast.Name("list", ast.Load()), [over], [])
    for says, lower, upper, step in (
        (EARLIER, None, -1, None), (LATER, 1, None, None), (BACKWARDS, None, None, -1)
    ):  # fmt: skip
        parts = (None if n is None else ast.Constant(n) for n in (lower, upper, step))
        yield says.format(told), ast.Subscript(each, ast.Slice(*parts), ast.Load())


def _of_operators(node: ast.BinOp) -> Iterator[Mutation]:
    left, op, right = node.left, node.op, node.right
    sign = SIGNS.get(type(op))
    if sign is None:
        return
    yield Mutation(left, LEFT_OUT.format(f"{sign} {ast.unparse(right)}"))
    if sign in ("+", "*", "@", "&", "|", "-"):
        yield Mutation(right, LEFT_OUT.format(f"{ast.unparse(left)} {sign}"))
    if sign in ("/", "*", "+"):
        yield Mutation(ast.BinOp(node, op, right), TWICE.format(f"{sign} {ast.unparse(right)}"))
    if sign in ("-", "/", "@", "//"):
        yield Mutation(ast.BinOp(right, op, left))
    for other in OPERATORS.get(type(op), ()):
        yield Mutation(ast.BinOp(left, other(), right))


def _whole(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"


def _texts(function: ast.FunctionDef) -> set[str]:
    found = {one.slice for one in ast.walk(function) if isinstance(one, ast.Subscript)}
    values = {one.value for one in found if isinstance(one, ast.Constant)}
    return {one for one in values if isinstance(one, str)}


def _exchanged(one: str, other: str) -> str:
    return f"`{min(one, other)}` and `{max(one, other)}` have changed places"


def _names(function: ast.FunctionDef) -> set[str]:
    """The arguments of a function, and what it gives a name."""
    stored = (one for one in ast.walk(function) if isinstance(one, ast.Name))
    made = {one.id for one in stored if isinstance(one.ctx, ast.Store)}
    return (made | {one.arg for one in function.args.args}) - {"self", "_"}


def _gone_through(function: ast.FunctionDef, name: str) -> set[str]:
    """What a loop goes through: it holds many of what the loop's own names are one of, and takes
    the place of none but these."""
    found: set[str] = set()
    for loop in ast.walk(function):
        if isinstance(loop, ast.For | ast.comprehension) and name not in _of(loop.target):
            is_call = isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) in PASSED_ON
            parts = loop.iter.args if is_call and isinstance(loop.iter, ast.Call) else [loop.iter]
            found |= {part.id for part in parts if isinstance(part, ast.Name)}
    return found


def _of(target: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
