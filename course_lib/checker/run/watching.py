"""How a test uses the implementation that it is given: with what it calls it, and which faults of
its results it lets pass, tried one by one."""

import functools
import inspect
import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import Call, Given, Verdict

MAX_CALLS, MAX_ARGUMENTS, MAX_PARTS = 60, 8, 3
SLIGHT, WIDE, GROSS = 0.02, 0.3, 1000.0  # added to every number of one part of a result
RAISES, TURNS, SHIFTED = "it raises", "to and fro", "the same way"  # kinds of fault
ANYTHING = "whatever it is"  # no fault of any kind makes the test's own assertion fail
SECONDS = 1.5  # for all faults together
Fault = tuple[str, int, float]  # the kind, which part of the result, how much


class Watch:
    """An implementation that writes down its calls, and can be made faulty."""

    def __init__(self, function: Callable) -> None:
        self.function = function
        self.calls: dict[Call, None] = {}
        self.parts = 0
        self.count = 0
        self.fault: Fault | None = None
        self.shifted: list[tuple[Any, Any]] = []  # what was handed out, and what it should be

    def as_function(self) -> Callable:
        @functools.wraps(self.function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            return self(args, kwargs)

        return watched

    def __call__(self, args: tuple, kwargs: dict) -> Any:
        self.count += 1
        if self.fault is None:
            self._note(args, kwargs)
            result = self.function(*args, **kwargs)
            self.parts = len(_parts(result))
            return result
        kind, part, size = self.fault
        if kind == RAISES:
            raise AssertionError("this implementation fails whenever it is called")
        if kind == ANYTHING:
            return _unlike(part, self.function(*args, **kwargs), args)
        args = tuple(self._unshifted(one) for one in args)
        kwargs = {name: self._unshifted(one) for name, one in kwargs.items()}
        size = -size if kind == TURNS and self.count % 2 else size
        return self._with(self.function(*args, **kwargs), [part], size)

    def _note(self, args: tuple, kwargs: dict) -> None:
        try:
            bound = inspect.signature(self.function).bind(*args, **kwargs).arguments
            if len(self.calls) < MAX_CALLS:
                given = [
                    one for name in bound for one in _given(name, bound[name], _like(name, bound))
                ]
                self.calls[tuple(given[:MAX_ARGUMENTS])] = None
        except Exception:  # arguments that do not fit: the call itself says so
            return

    def _with(self, result: Any, part: list[int], size: float) -> Any:
        """The result, where the part of that number is `size` too large."""
        if isinstance(result, tuple):
            return tuple(self._with(one, part, size) for one in result)
        if not hasattr(result, "detach"):
            return result
        part[0] -= 1
        if part[0] != -1 or not result.is_floating_point():
            return result
        self.shifted.append((result + size, result))
        return self.shifted[-1][0]

    def _unshifted(self, value: Any) -> Any:
        if isinstance(value, tuple | list):
            return type(value)(self._unshifted(one) for one in value)
        return next((right for wrong, right in self.shifted if wrong is value), value)


def lets_pass(watch: Watch, judge: Callable[[], Verdict]) -> Iterator[Fault]:
    """The faults that a test lets pass: of each kind and part the largest."""
    fails: Fault = (RAISES, 0, 0.0)
    if not _judged(watch, judge, fails).refused:
        yield fails
        return
    end = time.monotonic() + SECONDS
    seen = 0  # parts whose numbers make a difference
    for part, kind in itertools.product(range(min(watch.parts, MAX_PARTS)), (TURNS, SHIFTED)):
        passed = itertools.takewhile(
            lambda fault: time.monotonic() < end and not _judged(watch, judge, fault).refused,
            [(kind, part, size) for size in (SLIGHT, WIDE, GROSS)],
        )
        largest = [*passed][-1:]
        yield from largest
        seen += kind == TURNS and largest != [(TURNS, part, GROSS)]
    if not seen and watch.parts and not _asserts(watch, judge, end):
        yield ANYTHING, 0, 0.0


def _judged(watch: Watch, judge: Callable[[], Verdict], fault: Fault) -> Verdict:
    watch.fault, watch.count, watch.shifted = fault, 0, []
    return judge()


def _asserts(watch: Watch, judge: Callable[[], Verdict], end: float) -> bool:
    """Whether an assertion of the test fails for one of the results that are nothing like it."""
    for which in range(len(UNLIKE) + 2):
        said = _judged(watch, judge, (ANYTHING, which, 0.0))
        if said.words.startswith("AssertionError") or said.line.startswith("`raise "):
            return True
        if time.monotonic() > end:
            return True  # not known to assert nothing
    return False


# What becomes of each tensor: another number of axes, no number, another dtype, no way back to the
# inputs for a gradient, nothing.
UNLIKE: tuple[Callable[[Any], Any], ...] = (
    lambda tensor: tensor[None],
    lambda tensor: tensor * float("nan"),
    lambda tensor: tensor.half(),
    lambda tensor: tensor.detach().requires_grad_(),
    lambda tensor: None,
)


def _unlike(which: int, result: Any, args: tuple) -> Any:
    """The result, each tensor of it made unlike; beyond these, nothing in each place of it, or the
    right result after writing to the inputs."""
    if which < len(UNLIKE):
        return _each(UNLIKE[which], result)
    if which == len(UNLIKE):
        return tuple(None for _ in result) if isinstance(result, tuple) else None
    _each(lambda tensor: tensor.detach().add_(GROSS), args)
    return result


def _each(change: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(_each(change, one) for one in value)
    is_float = hasattr(value, "detach") and value.is_floating_point()
    return change(value) if is_float else value


def _parts(result: Any) -> list:
    if isinstance(result, tuple):
        return [part for one in result for part in _parts(one)]
    return [result] if hasattr(result, "detach") else []


def _like(name: str, given: Mapping[str, Any]) -> str:
    """The arguments before this one that are the same tensor, or one of the same numbers."""
    others = itertools.takewhile(lambda one: one != name, given)
    value = given[name]
    alike = [f"like {one}" for one in others if _same(given[one], value)]
    return ", ".join(alike)


def _same(one: Any, other: Any) -> bool:
    if one is other:
        return hasattr(one, "detach")
    if not (hasattr(one, "detach") and hasattr(other, "detach") and one.shape == other.shape):
        return False
    return bool((one.detach() == other.detach()).all())


def _given(name: str, value: Any, like: str = "") -> Iterator[Given]:
    if isinstance(value, tuple | list):
        for i, one in enumerate(value):
            yield from _given(f"{name}[{i}]", one)
    elif not hasattr(value, "detach"):
        yield name, type(value).__name__[:80], (), 0.0, ""
    else:
        data = value.detach().cpu().numpy()
        yield (name, data.dtype.name, data.shape, *_looks(data, value.requires_grad, like))


def _looks(data: np.ndarray, has_gradient: bool, like: str) -> tuple[float, str]:
    """The largest number, and what is odd: no two numbers differ; a row of a mask is empty;
    it is like another argument."""
    if not data.size:
        return 0.0, "empty"
    marks = ["gradient"] * has_gradient + [like] * bool(like)
    marks += ["constant"] * bool((data == data.flat[0]).all())
    if data.dtype == bool and data.ndim:
        marks += ["row without True"] * bool((~data.any(-1)).any())
        marks += ["rows differ"] * (data.ndim > 1 and bool((data != data[..., :1, :]).any()))
    largest = float(np.abs(data).max()) if data.dtype.kind in "iuf" else 0.0
    return largest, ", ".join(marks)
