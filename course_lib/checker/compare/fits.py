"""Two arrays that meet and do not fit: what would make them fit, said of the student's own line."""

import re
from collections.abc import Iterator, Sequence

from course_lib.checker.compare.pair import nth
from course_lib.checker.run.inputs import Observation

Shape = tuple[int, ...]
COUNTED = re.compile(r"(.+)\.(transpose|swapaxes)\(([0-4]), ?([0-4])\)$")
SIDES = re.compile(r"`([^`]+)` \(([\d, ]*)\) ([@+\-*/]) `([^`]+)` \(([\d, ]*)\)$")
TURN = (
    "`{0}` is {1} and `{2}` is {3}: in `a @ b` the last axis of a must be as long as the one "
    "before the last of b. Turned round, `{4}` fits: `{5}`."
)
ORDER = (
    "`{0}` is {1} and `{2}` is {3}: in `a @ b` the last axis of a must be as long as the one "
    "before the last of b. In the other order they fit: `{2} @ {0}`."
)
BATCH = (
    "`{0}` is {1}, one vector for each member of the batch, and `@` takes it for one matrix. Give "
    "it an axis of length one, so that each member meets its own, as in `{2}`; then take that axis "
    "away."
)
LEFT_OVER = (
    "`{0}` is {1} and `{2}` is {3}: the {4} still has an axis of length one where the product "
    "sums. Perhaps it should have gone before: `squeeze(-1)`, or index it, `[..., 0]`."
)
ALL_TURNED = (
    "`{0}` turns all axes round, the batch too, and is {1}. Only the last two change places: "
    "`{2}.{3}(-2, -1)`."
)
FROM_THE_FRONT = (
    "`{0}` counts its axes from the front, and is {1} here: other numbers of axes come, too. Count "
    "from the end: `{2}.{3}(-2, -1)`."
)
LACKS = (
    "`{0}` {1} and `{2}` {3} do not line up: the {4} has nothing for the {5} of the other. Give it "
    "an axis of length one there: `{6}`."
)
MOVED = (
    "`{0}` {1} and `{2}` {3} do not line up. The axis of length one that `{4}` was given stands in "
    "the wrong place: it belongs where the other has its {5}."
)
COLUMN = (
    "`{0}` {1} and `{2}` {3} are two rows of different lengths. If each entry of the one is to "
    "meet all of the other, one of them must be a column: `x[:, None]`."
)


def fits(shown: Sequence[Observation], library: str) -> str | None:
    """What makes the two sides fit in the line that raised most often; None where there is no such
    change. In a draw with lengths that are equal or one there may be more than one, or none."""
    met = [sides for one in shown if one.error and (sides := SIDES.search(one.shapes))]
    lines = [(sides[1], sides[3], sides[4]) for sides in met]
    line = max(lines, key=lines.count, default=None)
    ways = [dict(_ways(sides, library)) for sides in met if sides.group(1, 3, 4) == line]
    solved = [one for one in ways if one]
    if 2 * len(solved) <= len(ways):
        return None
    return next(
        (says for key, says in solved[0].items() if all(key in one for one in solved)), None
    )


def _ways(met: re.Match, library: str) -> Iterator[tuple[str, str]]:
    """(key, sentence) of every change that makes two sides fit; alike in two calls if keys are."""
    left, right = met[1], met[4]
    a, b = (tuple(int(n) for n in part.replace(",", " ").split()) for part in (met[2], met[5]))
    if met[3] == "@":
        return _product(left, a, right, b, library)
    return _entries(left, a, right, b)


def _product(left: str, a: Shape, right: str, b: Shape, library: str) -> Iterator[tuple[str, str]]:
    swap = "transpose" if library == "torch" else "swapaxes"
    for key, name, shape in (("T of right", right, b), ("T of left", left, a)):
        if len(shape) > 2 and name.endswith(".T"):
            yield key, ALL_TURNED.format(name, shape, _bare(name[:-2]), swap)
            return
    if (counted := COUNTED.match(right)) and len(b) == len(a) > 3:
        back = _exchanged(b, int(counted[3]), int(counted[4]))
        if a[:-2] == back[:-2] and a[-1] == back[-1]:
            yield "front", FROM_THE_FRONT.format(right, b, _bare(counted[1]), counted[2])
            return
    if {len(a), len(b)} == {2, 3}:
        (few, flat), (many, deep) = sorted(((left, a), (right, b)), key=lambda one: len(one[1]))
        how = {
            deep[2]: f"{_bare(many)} @ {_bare(few)}[..., None]",
            deep[1]: f"{_bare(few)}[:, None] @ {_bare(many)}",
        }
        if flat[0] == deep[0] and flat[1] in how:
            yield "batch", BATCH.format(few, flat, how[flat[1]])
            return
    if len(a) == 1 and len(b) > 1 and a[0] == b[-1] != b[-2]:
        yield "order", ORDER.format(left, a, right, b)
    if len(a) < 2 or len(b) < 2 or a[-1] == b[-2]:
        return
    both = left, a, right, b
    if 1 in (a[-1], b[-2]):  # no transpose is the cure
        yield "one", LEFT_OVER.format(*both, "first" if a[-1] == 1 else "second")
    elif a[-1] == b[-1] and _lead(a, b):
        yield "turn right", TURN.format(*both, right, _turned(right, len(b), swap))
    elif a[-2] == b[-2] and _lead(a, b):
        yield "turn left", TURN.format(*both, left, _turned(left, len(a), swap))
    elif b[-1] == a[-2] and _lead(a, b):
        yield "order", ORDER.format(*both)


def _exchanged(shape: Shape, one: int, two: int) -> Shape:
    """The shape with two axes in each other's place; as it is, where it has not so many."""
    order = [*range(len(shape))]
    if max(one, two) < len(shape):
        order[one], order[two] = two, one
    return tuple(shape[k] for k in order)


def _turned(name: str, axes: int, swap: str) -> str:
    if name.endswith(".T"):
        return name[:-2]
    return f"{_bare(name)}.T" if axes == 2 else f"{_bare(name)}.{swap}(-2, -1)"


def _bare(name: str) -> str:
    """In brackets, where something that is put behind would belong to its last part alone."""
    return f"({name})" if re.search(r"\s[@+\-*/]\s", name) else name


def _entries(left: str, a: Shape, right: str, b: Shape) -> Iterator[tuple[str, str]]:
    both = left, a, right, b
    if len(a) == len(b) == 1:
        yield "column", COLUMN.format(*both)
        return
    if len(a) != len(b):
        (short, few), (_, many) = sorted(((left, a), (right, b)), key=lambda one: len(one[1]))
        places = [k for k in range(len(few) + 1) if _lines_up((*few[:k], 1, *few[k:]), many)]
        if len(few) == len(many) - 1 and len(places) == 1:
            k = places[0]
            which = "first" if short == left else "second"
            index = "[..., None]" if k == len(few) else f"[{':, ' * k}None]"
            where = nth(k, len(many))
            yield f"lacks {k}", LACKS.format(*both, which, where, f"{_bare(short)}{index}")
        return
    for name, mine, other in ((left, a, b), (right, b, a)):
        if mine.count(1) != 1:
            continue
        rest = tuple(n for n in mine if n != 1)
        places = [k for k in range(len(mine)) if _lines_up((*rest[:k], 1, *rest[k:]), other)]
        if len(places) == 1:
            yield f"moved {places[0]}", MOVED.format(*both, name, nth(places[0], len(mine)))


def _lines_up(one: Shape, other: Shape) -> bool:
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(n == m or n == 1 or m == 1 for n, m in pairs)


def _lead(a: Shape, b: Shape) -> bool:
    """Whether what stands before the last two axes lines up."""
    pairs = zip(a[-3::-1] if len(a) > 2 else (), b[-3::-1] if len(b) > 2 else (), strict=False)
    return all(n == m or n == 1 or m == 1 for n, m in pairs)
