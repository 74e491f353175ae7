"""A mapping whose keys are known, and whose values are made when they are asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

Value = TypeVar("Value")


class OnDemand(Mapping[str, Value]):
    """`make(key)` for each of the keys, in their order, called at most once for each."""

    def __init__(self, keys: Iterable[str], make: Callable[[str], Value]) -> None:
        self._made: dict[str, Value | None] = dict.fromkeys(keys)
        self._make = make

    def __getitem__(self, key: str) -> Value:
        value = self._made[key]
        if value is None:
            value = self._made[key] = self._make(key)
        return value

    def __contains__(self, key: object) -> bool:
        return key in self._made  # Mapping's own would make the value

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)
