"""How a student's test used the right implementation, and what a gap in that is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from course_lib.checker.tasks import Verdict


class Argument(NamedTuple):
    name: str
    dtype: str
    shape: tuple[int, ...]
    largest: float
    marks: str


@dataclass(frozen=True)
class Use:
    """The calls of a test, each as its arguments by name, and the faults that it lets pass."""

    verdict: Verdict

    @cached_property
    def calls(self) -> list[dict[str, Argument]]:
        return [{one[0]: Argument(*one) for one in call} for call in self.verdict.calls]

    def all(self, *names: str) -> Iterator[tuple[Argument, ...]]:
        """These arguments of each call that has them as tensors."""
        for call in self.calls:
            found = tuple(call[name] for name in names if name in call and call[name].shape)
            if len(found) == len(names):
                yield found

    def never(self, holds: Callable[..., bool], *names: str) -> bool:
        """Whether these arguments were handed in, and this held in no call."""
        found = list(self.all(*names))
        return bool(found) and not any(holds(*one) for one in found)

    def passes(self, kind: str, part: int, least: float) -> float:
        """How large a fault of this kind in that part it lets pass, 0 below `least`."""
        sizes = [size for one, number, size in self.verdict.passes if (one, number) == (kind, part)]
        return max((size for size in sizes if size >= least), default=0.0)


@dataclass(frozen=True)
class Gap:
    """`shows`: where these mutants differ from what is right. `is_there`: whether the calls of a
    test say that it never went there; then it is told so in the words of `says`."""

    shows: str
    mutants: tuple[str, ...]
    is_there: Callable[[Use], bool]
    says: str


def deep(query: Argument) -> bool:
    return len(query.shape) >= 4


def batch(query: Argument) -> bool:
    return len(query.shape) >= 3 and query.shape[0] > 1


def dtype(name: str) -> Callable[[Argument], bool]:
    return lambda one: one.dtype == name


def length(one: Argument) -> int:
    return one.shape[-2] if len(one.shape) > 1 else 1


def width(one: Argument) -> int:
    return one.shape[-1]


def large(query: Argument, key: Argument) -> bool:
    """Whether scores may be beyond what `exp` can hold."""
    limit = {"float32": 80.0, "float64": 700.0}.get(query.dtype, 10.0)
    return query.largest * key.largest * width(query) ** 0.5 > limit
