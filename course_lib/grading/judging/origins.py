"""Where the names that an answer uses come from, in the notebook that it was written in: a class
gets an answer without `course_lib` and without what other cells do."""

import ast
import dis
import inspect
import sys
import textwrap
import types
from collections.abc import Iterable, Iterator
from typing import Any

from course_lib.grading.inside.answers import TOOLS, defined_names, leans_on, only_defines

REFERENCES = "course_lib.exercises"  # our own answers lean on ours
GLOBAL_LOADS = ("LOAD_GLOBAL", "LOAD_NAME")


def leaning(answer: Any, packages: Iterable[str]) -> str | None:
    """The first of the packages that an answer uses, or comes from."""
    if _module(answer).startswith(REFERENCES):
        return None
    used = [answer, *(v for f in _functions(answer) for _, v in _globals_of(f))]
    roots = {_module(value).partition(".")[0] for value in used}
    name, sources = getattr(answer, "__name__", ""), [source_of(answer)]
    return next((p for p in packages if p in roots or leans_on(p, name, [], sources)), None)


def not_sent(answer: Any) -> list[str]:
    """Names that an answer uses and that a class would not have: the last cell that defines each
    does more than define. Empty outside of a notebook."""
    cells = _cells()
    lost = []
    for function in _functions(answer):
        for name, _ in _globals_of(function):
            at = [source for source in cells if name in defined_names(source)]
            if at and not only_defines(at[-1]) and not _holds(at[-1], answer):
                lost.append(name)
    return list(dict.fromkeys(lost))


def _holds(source: str, answer: Any) -> bool:
    return getattr(answer, "__name__", "") in defined_names(source)


def _functions(answer: Any) -> Iterator[types.FunctionType]:
    """The answer's functions, and those of the notebook that they call."""
    own = vars(answer).values() if inspect.isclass(answer) else [answer]
    queue = [value for value in own if type(value) is types.FunctionType]
    seen = set()
    while queue:
        function = queue.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        yield function
        for _, value in _globals_of(function):
            if type(value) is types.FunctionType and value.__module__ == function.__module__:
                queue.append(value)


def _globals_of(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [part for part in code.co_consts if type(part) is types.CodeType]
        # co_names holds the names of attributes, too: self.W_a is no global W_a
        loads = (step for step in dis.get_instructions(code) if step.opname in GLOBAL_LOADS)
        for name in dict.fromkeys(step.argval for step in loads):
            if name in function.__globals__ and name not in TOOLS:
                yield name, function.__globals__[name]


def _module(value: Any) -> str:
    if type(value) is types.ModuleType:
        return value.__name__
    if type(value) in (types.FunctionType, types.BuiltinFunctionType) or inspect.isclass(value):
        module = getattr(value, "__module__", None)
        return module if type(module) is str else ""
    return ""


def source_of(answer: Any) -> str:
    """An answer's text; "" where it cannot be had or read."""
    try:
        source = textwrap.dedent(inspect.getsource(answer))
        ast.parse(source)
    except Exception:  # typed at a prompt, made by exec, …
        return ""
    return source


def _cells() -> list[str]:
    """The sources that were run in this notebook, in order."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    cells = shell.user_ns.get("In", []) if shell else []
    return [cell for cell in cells if type(cell) is str]
