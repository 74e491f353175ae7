"""The line at which a test raised, as it is written, with the values that met there; and an
`assert` that cannot fail."""

import ast
import inspect
import linecache
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from course_lib.checker.run.operands import harmless
from course_lib.checker.run.where import last_of_the_answer

LONGEST = 120
ROUNDING = 1e-5  # float32 keeps seven digits
COMPARES = {"allclose", "equal", "isclose", "assert_close", "assert_allclose", "assert_equal"}
COMPARES |= {"array_equal", "isinstance"}


def failing_line(error: BaseException) -> str:
    """ "`assert isinstance(cache, list)`, where `cache` is a tuple"; "" where it cannot be told."""
    try:
        place = last_of_the_answer(error.__traceback__)
        if place is None:
            return ""
        frame, number = place.tb_frame, place.tb_lineno
        found = _statement(frame, number)
        if found is None:
            return _shown(linecache.getline(frame.f_code.co_filename, number).strip())
        line = _shown(ast.unparse(found))
        return line and f"{line}{_met(found, frame)}"[:300]
    except Exception:  # a stranger's objects: nothing is said
        return ""


def lost_assert(test: Callable) -> str:
    """An `assert` of the test, or of a function in it, whose brackets hold a tuple: always true."""
    try:
        code = inspect.unwrap(test).__code__
        lines = linecache.getlines(code.co_filename)
        for node in ast.walk(ast.parse("".join(lines))):
            if isinstance(node, ast.FunctionDef) and node.lineno == code.co_firstlineno:
                found = (one for one in ast.walk(node) if isinstance(one, ast.Assert))
                lost = [one for one in found if isinstance(one.test, ast.Tuple) and one.test.elts]
                return _shown(ast.unparse(lost[0])) if lost else ""
    except Exception:  # no source
        pass
    return ""


def _shown(line: str) -> str:
    line = " ".join(line.replace("`", "'").split())
    return f"`{line[:LONGEST] + '…' * (len(line) > LONGEST)}`" if line else ""


def _statement(frame: types.FrameType, number: int) -> ast.stmt | None:
    """The smallest statement of the frame's file that has the line."""
    tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename)))
    found = [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.Assert | ast.Expr | ast.Assign | ast.Return | ast.Raise)
        and one.lineno <= number <= (one.end_lineno or number)
    ]
    return min(found, key=lambda one: (one.end_lineno or 0) - one.lineno, default=None)


def _met(statement: ast.stmt, frame: types.FrameType) -> str:
    """What was compared there, where that can be seen without running anything again."""
    match statement:
        case ast.Assert(test=one) | ast.Expr(value=one):
            pass
        case _:
            return ""
    match one:  # `(a == b).all()`, `torch.all(a == b)`
        case ast.Call(func=ast.Attribute(value=ast.Compare() as inner, attr="all"), args=[]):
            one = inner
        case ast.Call(func=ast.Attribute(attr="all"), args=[ast.Compare() as inner]):
            one = inner
    match one:
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE()], comparators=[right]):
            return _values([left, right], frame) + _narrow(left, right, frame)
        case ast.Compare(left=left, ops=[ast.Gt() | ast.GtE()], comparators=[right]):
            return _values([left, right], frame) + _narrow(right, left, frame)
        case ast.Compare(left=left, ops=[_], comparators=[right]):
            return _values([left, right], frame)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in COMPARES:
            if name == "isinstance":
                kind = type(harmless(one.args[0], frame)).__name__
                return f", where `{ast.unparse(one.args[0])}` is a {kind}"
            return _values(one.args[:2], frame)
    return ""


def _values(nodes: Sequence[ast.expr], frame: types.FrameType) -> str:
    values = []
    for node in nodes:
        try:
            values.append(harmless(node, frame))
        except Exception:  # it may have an effect: its type alone, of a plain name
            if not isinstance(node, ast.Name):
                return ""
            named = frame.f_locals.get(node.id)
            values.append(named if isinstance(named, bool | int | float | str) else type(named))
    if all(hasattr(one, "detach") for one in values) and len(values) == 2:
        return _apart(*(one.detach().cpu().numpy() for one in values))
    told = [
        f"`{ast.unparse(node)}` is {_brief(value)}"
        for node, value in zip(nodes, values, strict=True)
        if not isinstance(node, ast.Constant)
    ]
    return ", where " + " and ".join(told) if told else ""


def _narrow(found: ast.expr, limit: ast.expr, frame: types.FrameType) -> str:
    """A difference that has to be smaller than a limit, and is as small as rounding makes one."""
    try:
        off, most = (float(harmless(one, frame)) for one in (found, limit))
    except Exception:  # no single number, or one that has an effect
        return ""
    return ": no more than rounding" if 0 < most <= off < ROUNDING else ""


def _brief(value: Any) -> str:
    if getattr(value, "shape", None) == ():
        return f"{float(value):.3g}"
    if isinstance(value, type):
        return f"a {value.__name__}"
    if isinstance(value, tuple | list) and any(hasattr(one, "shape") for one in value):
        return f"a {type(value).__name__} of {len(value)}"
    shape = getattr(value, "shape", None)
    return repr(value)[:40] if shape is None else f"of shape {tuple(shape)}"


def _apart(left: np.ndarray, right: np.ndarray) -> str:
    """The first place in which two arrays differ, with both numbers."""
    try:
        left, right = np.broadcast_arrays(left, right) if right.ndim == 0 else (left, right)
        if left.shape != right.shape:
            return f", where shape {left.shape} meets {right.shape}"
        if left.dtype != right.dtype:
            return f", where {left.dtype.name} meets {right.dtype.name}"
        off = ~np.isclose(left, right, rtol=1e-3, atol=1e-4, equal_nan=True)
        if not off.any():
            return ", where no two numbers differ by more than rounding"
        place = tuple(int(i) for i in np.argwhere(off)[0])
        at = f" at {list(place)}" if place else ""
        return f", where {left[place]:.4g} meets {right[place]:.4g}{at}"
    except ValueError:
        return ""
