"""Run an answer once on one set of inputs and write down, as plain data, what happened.

This is the only code that stands between student code and the judge: in a notebook it runs in the
student's own process, in grading inside a sandboxed process. It holds no expected value.
"""

import contextlib
import io
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from course_lib.checker.run.blocks import Blocks, takes
from course_lib.checker.run.failing_line import failing_line, lost_assert
from course_lib.checker.run.inputs import (
    Candidate,
    Inputs,
    Observation,
    Opaque,
    Transposed,
    Verdict,
)
from course_lib.checker.run.tensors import (
    as_torch_begins,
    construct,
    gradients,
    is_float_tensor,
    need_same_device,
    no_distributed_tensors,
    watched,
)
from course_lib.checker.run.values import (
    build_value,
    error_name,
    message_of,
    observe_value,
    same_bits,
)
from course_lib.checker.run.watching import Watch, lets_pass
from course_lib.checker.run.where import line_there, not_the_answer_s, shapes_there


class _Swallow(io.TextIOBase):
    """A stream that remembers only that something was written."""

    written = False

    def write(self, text: str) -> int:
        self.written = self.written or bool(text)
        return len(text)


def execute(answer: Callable, inputs: Inputs, library: str) -> Observation:
    """Call `answer` with fresh copies of `inputs`. What the answer raises is part of the result;
    only KeyboardInterrupt passes through."""
    output = _Swallow()
    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        as_torch_begins(inputs.device),
    ):
        warnings.simplefilter("ignore")
        try:
            result: dict[str, Any] = _call(answer, inputs, library)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit too: an answer must not end the checker
            name, said = name_and_message(error)
            before = not_the_answer_s(error, said)
            result = {
                "error": name,
                "message": f"{before}{name}: {said}"[:300] if before else said,
                "shapes": shapes_there(error),
                "line": line_there(error),
            }
    return Observation(printed=output.written, **result)


def describe_error(error: BaseException) -> Observation:
    """The observation of an answer that could not even be run."""
    name, said = name_and_message(error)
    return Observation(error=name, message=said)


def name_and_message(error: BaseException) -> tuple[str, str]:
    """Of what an answer raised; of what its own `__str__` raises, or is ended by, where it has
    one that does not return."""
    try:
        return _name(error), message_of(error)
    except KeyboardInterrupt:
        raise
    except BaseException as second:
        return _name(second), ""


def _call(answer: Callable, inputs: Inputs, library: str) -> dict[str, Any]:
    wants_grad = inputs.upstream is not None
    place: dict[str, Any] = {"library": library, "device": inputs.device}
    args = [build_value(value, requires_grad=wants_grad, **place) for value in inputs.args]
    kwargs = {name: build_value(value, **place) for name, value in inputs.kwargs.items()}
    given = (*inputs.args, *inputs.kwargs.values())
    made: Any = answer if inputs.init is None else construct(answer, inputs, library)
    function = made
    if inputs.examiner is not None:
        function = partial(build_value(inputs.examiner, library), made)
    # Clones keep in-place writes of an answer from failing on leaf tensors: they are reported as
    # changed inputs, which says more than autograd's error does.
    passed = [arg.clone() if wants_grad and is_float_tensor(arg) else arg for arg in args]
    if isinstance(candidate := next(iter(inputs.args), None), Candidate):
        return {"value": _verdict(function, passed[0], candidate.is_watched)}
    value = _called(function, passed, kwargs, inputs)
    if inputs.device != "cpu":
        need_same_device(value, [*passed, *kwargs.values()])
    leaves = {str(i): arg for i, arg in enumerate(args) if is_float_tensor(arg)}
    if inputs.init is not None:
        leaves |= dict(made.named_parameters())
    seen = observe_value(value)
    upstream = inputs.upstream
    found = None if upstream is None else gradients(value, upstream, leaves)
    return {
        "value": seen,
        "gradients": found if isinstance(found, Opaque) else observe_value(found),
        "changed": _changed(given, [*passed, *kwargs.values()]),
    }


def _called(function: Callable, passed: list, kwargs: dict, inputs: Inputs) -> Any:
    """What the function returns for its arguments, or for the blocks of them. One that takes both,
    `*args`, is called with all first."""

    def whole() -> Any:
        with watched(inputs.largest):
            return function(*passed, **kwargs)

    def in_blocks() -> Any:
        blocks = Blocks(passed[1:-1], passed[-1], stay=inputs.upstream is not None)
        with watched(inputs.largest, inputs.in_blocks or None):
            return function(passed[0], blocks, **kwargs)

    if inputs.in_blocks is None:
        return whole()
    if not takes(function, len(passed)):
        return in_blocks()
    try:
        return whole()
    except TypeError as error:
        if takes(function, 2) and "positional argument" in message_of(error):
            return in_blocks()
        raise


def _verdict(test: Callable, candidate: Callable, is_watched: bool) -> Verdict:
    """Any exception refuses, but for those that say nothing of the candidate."""
    watch = Watch(candidate)
    with no_distributed_tensors():
        called = watch.as_function() if is_watched else candidate
        verdict = _judged(test, called)
        if not is_watched:
            return verdict
        verdict = replace(verdict, calls=tuple(watch.calls))
        if verdict.refused or not watch.calls:
            return verdict
        passes = tuple(lets_pass(watch, lambda: _judged(test, called)))
    return replace(verdict, passes=passes, line=lost_assert(test))


def _judged(test: Callable, candidate: Callable) -> Verdict:
    try:
        returned = test(candidate)
    except (NotImplementedError, MemoryError):
        raise
    except Exception as error:
        words = f"{_name(error)}: {message_of(error)}".rstrip(": ")
        return Verdict(True, words, failing_line(error))
    return Verdict(False, f"{returned}" if type(returned) is bool else "")


def _changed(originals: tuple, passed: list) -> tuple[int, ...]:
    """The positions of arguments that no longer hold what they were given."""
    pairs = enumerate(zip(originals, passed, strict=True))
    return tuple(i for i, (before, after) in pairs if _differs(before, after))


def _differs(before: Any, after: Any) -> bool:
    if isinstance(before, tuple | list):
        return len(before) != len(after) or any(map(_differs, before, after))
    if isinstance(before, dict):
        return before.keys() != after.keys() or any(_differs(before[k], after[k]) for k in before)
    if isinstance(before, set):
        return before != after
    before = before.data if isinstance(before, Transposed) else before
    if type(before) in (bool, int, float, str):  # a list has another one in its place
        return type(after) is not type(before) or not (after == before or after != after)
    if not isinstance(before, np.ndarray):
        return False
    now = np.asarray(after.detach().cpu() if hasattr(after, "detach") else after)
    return not same_bits(now, before)


def _name(error: BaseException) -> str:
    return error_name(error).rpartition(".")[2]
