"""What a cell sent back, checked field by field before the judge looks at it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import Array, Observation, Opaque, Verdict, out_of_memory
from course_lib.checker.run.program import Cells, Program
from course_lib.checker.run.watching import MAX_CALLS
from grader.sandbox.inside.protocol import FrameError, decode
from grader.sandbox.pool import Pool
from grader.sandbox.sandbox import OurFault, Outcome, Sandbox

ATTEMPTS = 3  # of one cell
MOST_AGAIN = 4  # cells of one submission that are tried again: each costs the start of a worker

HALF = ("float16", "bfloat16")  # NumPy has no bfloat16: both travel as float32
MAX_ARGUMENTS = 64
MAX_SENTENCE = 400  # why there are no gradients: our words and 300 characters of torch's
SCALARS = (type(None), bool, int, float, str)


@dataclass(frozen=True)
class Ran:
    """How a cell ended, with what it observed if that is "frame", and the seconds of its code."""

    kind: str
    seen: list[Observation] = field(default_factory=list)
    seconds: float = 0.0


@dataclass
class Retrying:
    """A sandbox for one submission: after a fault of ours it tries the cell again, and all of its
    cells together so often that one submission cannot hold a class up."""

    sandbox: Sandbox | Pool
    left: int = MOST_AGAIN

    def run(self, request: bytes, seconds: float) -> Outcome:
        """As `Sandbox.run`."""
        for _ in range(ATTEMPTS - 1):
            try:
                return self.sandbox.run(request, seconds)
            except OurFault:
                if not self.left:
                    raise
                self.left -= 1
        return self.sandbox.run(request, seconds)


def run_request(sandbox: Retrying, request: bytes, seconds: float, count: int) -> Ran:
    """Run a request for `count` observations."""
    try:
        outcome = sandbox.run(request, seconds)
    except OurFault:
        return Ran("needs-attention")
    kind, seen = outcome.kind, []
    if kind == "frame":
        try:
            seen = read_observations(outcome.frame, count)
        except FrameError:
            kind = "no-result"
    if any(map(out_of_memory, seen)):
        kind = "memory"
    return Ran(kind, seen, outcome.seconds)


def programs_in(data: Any, cells: Cells) -> dict[str, Program]:
    """The programs that a cell found in a notebook's cells. Raises Exception for any other data."""
    return {
        task: Program(task, tuple((cells[c][1], chosen) for c, chosen in pieces), *rest)
        for task, (pieces, *rest) in data.items()
    }


def unread(cells: Cells, tasks: Iterable[str]) -> dict[str, Program]:
    """The programs where no parser may read the cells: each task's own cell, by its metadata."""
    own = {name: source for name, source in cells if name}
    return {
        task: Program(task, ((own[task], None),), ((),)) if task in own else Program(task)
        for task in tasks
    }


def read_observations(frame: bytes, count: int) -> list[Observation]:
    """The `count` observations in a frame. Raises FrameError for anything else: a frame is
    written in a stranger's process, so nothing about it is taken on trust."""
    seen = decode(frame)
    if type(seen) is not list or len(seen) != count:
        raise FrameError(f"a list of {count} observations is needed")
    return [_observation(item) for item in seen]


def _observation(item: Any) -> Observation:
    if type(item) is not Observation:
        raise FrameError("an item is no observation")
    _need(item.error is None or type(item.error) is str)
    _need(type(item.message) is str and type(item.printed) is bool)
    _need(type(item.shapes) is str)
    _need(type(item.changed) is tuple and len(item.changed) <= MAX_ARGUMENTS)
    _need(all(type(i) is int and 0 <= i < MAX_ARGUMENTS for i in item.changed))
    _value(item.value)
    if item.gradients is not None and type(item.gradients) is not Opaque:
        _need(type(item.gradients) is dict)
        _need(all(type(key) is str for key in item.gradients))
    _value(item.gradients)
    error = None if item.error is None else item.error[:80]
    words = item.message[:300], item.shapes[:300]
    return Observation(
        item.value, error, words[0], item.gradients, item.changed, item.printed, words[1]
    )


def _value(value: Any) -> None:
    kind = type(value)
    if kind in (tuple, list, set):
        for part in value:
            _value(part)
    elif kind is dict:
        for key, part in value.items():
            _need(type(key) is str)
            _value(part)
    elif kind is Array:
        _array(value)
    elif kind is Opaque:
        _need(type(value.type_name) is str and len(value.type_name) <= MAX_SENTENCE)
    elif kind is Verdict:
        _verdict(value)
    else:
        _need(kind in SCALARS)


def _verdict(value: Verdict) -> None:
    _need(type(value.refused) is bool)
    for words in (value.words, value.line):
        _need(type(words) is str and len(words) <= MAX_SENTENCE)
    _need(type(value.calls) is tuple and len(value.calls) <= MAX_CALLS)
    for call in value.calls:
        _need(type(call) is tuple and len(call) <= MAX_ARGUMENTS)
        for given in call:
            _record(given, str, str, tuple, float, str)
            _need(all(type(n) is int for n in given[2]))
    _need(type(value.passes) is tuple and len(value.passes) <= MAX_ARGUMENTS)
    for fault in value.passes:
        _record(fault, str, int, float)


def _record(parts: tuple, *kinds: type) -> None:
    _need(type(parts) is tuple and tuple(map(type, parts)) == kinds)
    _need(all(len(one) <= MAX_SENTENCE for one in parts if isinstance(one, str | tuple)))


def _array(array: Array) -> None:
    _need(type(array.library) is str and array.library in ("numpy", "torch"))
    _need(type(array.dtype) is str and type(array.data) is np.ndarray)
    held = array.data.dtype.name
    as_half = array.library == "torch" and array.dtype in HALF and held == "float32"
    _need(held == array.dtype or as_half)


def _need(holds: bool) -> None:
    if not holds:
        raise FrameError("an observation's field is not what it must be")
