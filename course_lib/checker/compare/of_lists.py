"""How a wrong result is related to a right one that is a list."""

from collections.abc import Iterator
from typing import Any

from course_lib.checker.run.inputs import Opaque

ITERATORS = ("zip", "map", "filter", "enumerate", "reversed", "generator")
ITERATOR = "You return a {0}, which is no list yet. Make one of it: `list(…)`."
SET = "You return a set, which has no order and keeps equal entries once. Return a list."
LONGER = "Of each entry of your list the first {0} are right: leave out what comes after them."
LENGTH = "Each entry of your list needs {0} things in it; yours have another number."
ENTRY = "Your list holds entries of type {0}; {1} is needed in each place."


def of_lists(want: list, have: Any) -> Iterator[tuple[str, str]]:
    """(key, sentence) of what relates them."""
    if isinstance(have, set):
        yield "set", SET
    elif isinstance(have, Opaque) and have.type_name in ITERATORS:
        yield "iterator", ITERATOR.format(have.type_name)
    elif isinstance(have, list) and have and want and have != want:
        kinds = {type(one) for one in have}
        if len(kinds) == 1 and type(want[0]) not in kinds:
            one, needed = kinds.pop(), type(want[0])
            yield f"entry {one}", ENTRY.format(one.__name__, f"a {needed.__name__}")
        elif kinds == {tuple} and len(lengths := {*map(len, have)}) == 1:
            mine, needed = lengths.pop(), len(want[0])
            if mine > needed and [one[:needed] for one in have] == want:
                yield f"longer {mine}", LONGER.format(needed)
            elif mine != needed:
                yield f"length {mine}", LENGTH.format(needed)
        if len(have) < len(want) and have == want[: len(have)]:
            yield "beginning", "What you return is right, but the end of the list is missing."
        elif len(have) < len(want) and have == want[-len(have) :]:
            yield "end", "What you return is right, but the beginning of the list is missing."
        if have == [one for one in want for _ in range(len(have) // len(want))] != want:
            yield "repeated", "Each entry stands there many times: append once in the outer loop."
        if have == want[::-1]:
            yield "backwards", "What you return is right, but in the opposite order."
        if sorted(map(repr, have)) == sorted(map(repr, want)):
            yield "order", "What you return is right, but in another order."
