"""Run the program of a task: in a student's own process, or in a sandbox.

A statement that fails is passed over, and the names that it should have defined remember why: a
fault in a line that the answer does not need costs nothing. What a class does not have is not there
for the student either: packages, the keyboard, IPython's own functions.
"""

import __future__

import ast
import builtins
import contextlib
import io
import linecache
import re
import sys
import types
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

from course_lib.checker.run.execute import describe_error, execute
from course_lib.checker.run.inputs import Inputs, Observation, out_of_memory
from course_lib.checker.run.jupyter import plain
from course_lib.checker.run.program import TOOLS, Program
from course_lib.checker.run.statements import named_in_text, read_statements

FAILED = "__what_failed__"
MISSING = "MissingAnswer"  # the error of a task that the notebook has no cell for
NO_COURSE = "course_lib is not there when answers are graded; write the answer yourself"
LOOKING = "`{0}` is imported for looking: {1}, in plain numbers where it asks for numbers"
NO_TORCH = "torch may be used from exercise 04 on; write this answer with NumPy"
NOT_THERE = "{0} is not there when answers are graded; {1} and the standard library are"
REFUSED = {"course_lib": NO_COURSE, "torch": NO_TORCH}  # an answer that leans on one is told so
NOT_OFFERED = NO_COURSE, NO_TORCH, NOT_THERE.partition("; ")[0].removeprefix("{0} ")
OFFERED = {"numpy", "torch", "jaxtyping", "einops", "typing_extensions", "course_lib"}
OFFERED |= set(sys.stdlib_module_names)
OF_IPYTHON = ("get_ipython", "display")


def observe_program(
    program: Program, inputs: Sequence[Inputs], library: str, refused: Iterable[str]
) -> list[Observation]:
    """What a program's answer does on each of the inputs."""
    if not program.pieces:
        return [Observation(error=MISSING) for _ in inputs]
    answer = run_program(program, refused)
    if type(answer) is Observation:
        return [answer for _ in inputs]
    seen: list[Observation] = []
    for one in inputs:
        full = bool(seen) and out_of_memory(seen[-1])  # once full, always full: do not fill again
        seen.append(seen[-1] if full else _execute_safely(answer, one, library))
    return seen


def _execute_safely(answer: Any, inputs: Inputs, library: str) -> Observation:
    try:
        return why_undefined(answer, execute(answer, inputs, library))
    except BaseException as error:  # an answer may raise KeyboardInterrupt; nobody presses keys
        return describe_error(error)


def run_program(program: Program, refused: Iterable[str] = ("course_lib",)) -> Any:
    """What the program defines under the task's name; when that stays undefined, the Observation
    that says why."""
    space = _space(set(refused))
    flags, problem = 0, None
    with _silenced():
        for number, (source, chosen) in enumerate(program.pieces):
            flags, failed = _run(source, chosen, f"<answer {number}>", space, flags)
            problem = failed or problem
    if program.task in space:
        return space[program.task]
    undefined = Observation(error="NameError", message=f"the cell does not define {program.task}")
    return _failed(space).get(program.task) or problem or undefined


def why_undefined(answer: Any, seen: Observation) -> Observation:
    """What an answer did; where it misses a name whose definition failed, that error."""
    return _first_cause(seen, _failed(getattr(answer, "__globals__", None) or {}))


def _first_cause(seen: Observation, failed: dict[str, Observation]) -> Observation:
    missing = re.match(r"name '(\w+)' is not defined", seen.message)
    if seen.error != "NameError" or missing is None:
        return seen
    return failed.get(missing[1]) or failed.get("*") or seen


def _failed(space: Any) -> dict[str, Observation]:
    failed = space.get(FAILED) if type(space) is dict else None
    return failed if type(failed) is dict else {}


class _Tools(types.ModuleType):
    """Stands where a refused package is imported: its `check`, `hint`, `show` do nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in TOOLS:
            return lambda *_, **__: None
        if self.__name__ == "course_lib":
            raise ImportError(LOOKING.format(name, NO_COURSE))
        raise ImportError(REFUSED[self.__name__])


def _space(refused: set[str]) -> dict[str, Any]:
    """A notebook's first names: Python's own, without what a class has not."""
    real = builtins.__import__
    libraries = "NumPy" if "torch" in refused else "NumPy, torch"

    def importing(name: str, globals=None, locals=None, fromlist=(), level=0) -> Any:
        root = name.partition(".")[0]
        if root in refused and not level:
            return _Tools(root)
        if root not in OFFERED and not level:
            raise ModuleNotFoundError(NOT_THERE.format(root, libraries), name=root)
        return real(name, globals, locals, fromlist, level)

    def no_input(*_: Any) -> str:
        raise EOFError("nobody answers `input()` when answers are graded")

    known = {k: v for k, v in vars(builtins).items() if k not in OF_IPYTHON}
    known |= {"__import__": importing, "input": no_input}
    # Debian 12's Python forgets to make the last where something is annotated in a `match`.
    return {"__name__": "__main__", "__builtins__": known, FAILED: {}, "__annotations__": {}}


@contextlib.contextmanager
def _silenced() -> Iterator[None]:
    """What an answer's cells print is not for the report."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _run(
    source: str, chosen: Sequence[int] | None, name: str, space: dict, flags: int
) -> tuple[int, Observation | None]:
    """Run the chosen statements of a cell; the error that ended it, or the last that was passed
    over."""
    try:
        text = plain(source)
        body = ast.parse(text).body
        numbers = range(len(body)) if chosen is None else chosen
        statements = {number: body[number] for number in numbers}
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    except BaseException as error:
        seen = describe_error(error)
        _failed(space).update(dict.fromkeys(named_in_text(source), seen))
        return flags, seen
    flags |= _future_flags(statements.values())
    return flags, _execute(source, statements, name, space, flags)


def _execute(
    source: str, statements: dict[int, ast.stmt], name: str, space: dict, flags: int
) -> Observation | None:
    problem = None
    for number, statement in statements.items():
        try:
            code = compile(ast.Module([statement], []), name, "exec", flags, dont_inherit=True)
            exec(code, space)
        except BaseException as error:
            problem = _first_cause(describe_error(error), _failed(space))
            _failed(space).update(dict.fromkeys(_bound(source, number), problem))
            if not isinstance(error, Exception):  # SystemExit, or the time is up
                break
    return problem


def _bound(source: str, number: int) -> Set[str]:
    """The names that a cell's statement defines; "*" for those that `import *` would bring."""
    read = read_statements(source)
    if read is None:  # too deep to be taken apart
        return named_in_text(source)
    return read[number].binds | ({"*"} if read[number].kind == "star" else set())


def _future_flags(statements: Iterable[ast.stmt]) -> int:
    future = [s for s in statements if isinstance(s, ast.ImportFrom) and s.module == "__future__"]
    features = [getattr(__future__, alias.name, None) for s in future for alias in s.names]
    return sum({feature.compiler_flag for feature in features if feature})
