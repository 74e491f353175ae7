"""How a wrong result is related to the right one, where no known mistake does what the answer does.

Every sentence is about numbers that were compared, so it is true; what may have led to them begins
with "Perhaps".
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from course_lib.checker.compare.as_if import as_if, here
from course_lib.checker.compare.difference import difference
from course_lib.checker.compare.fixed_number import always, fixed
from course_lib.checker.compare.kept import equal, kept
from course_lib.checker.compare.of_arguments import of_arguments
from course_lib.checker.compare.of_lists import ITERATORS, of_lists
from course_lib.checker.compare.of_many import of_many
from course_lib.checker.compare.of_numbers import WEAK, of_lost_digits, of_numbers
from course_lib.checker.compare.of_places import of_places
from course_lib.checker.compare.of_score_factor import of_score_factor
from course_lib.checker.compare.of_shapes import of_axes, of_shapes
from course_lib.checker.compare.of_side_effects import side_effects
from course_lib.checker.compare.of_totals import of_totals
from course_lib.checker.compare.pair import Pair
from course_lib.checker.run.inputs import Array, Observation, Opaque

TEXT = (
    "You return a text; a number is needed. Return the number itself, without quotation marks, "
    "`str(…)` or units."
)
NO_RETURN = (
    "Your function gives nothing back. End it with `return` and the result; `print` only shows it."
)
NONE = "Your {0} is None. It is asked for in every call: return it with the rest."
LIST = "You return a {0}; {1} is needed. {2}"
ONE_OF_THEM = "You return a {0}, and one thing in it is right. Return that alone."
TO_TENSOR = "`torch.stack` makes one tensor of a list of tensors, and keeps their gradients."
TO_LIST = "Make a list of it first, with square brackets: `np.array([… for …])`."
TO_ARRAY = "`np.array` or `np.stack` makes one array of it."
LIBRARY = (
    "You return {0} where {1} is needed. Stay in one library from the inputs to the result: on the "
    "way through another the gradient is lost."
)
NUMBER = "You return a {0}; a Python number is needed: `float(…)` or `.item()` makes one of it."
NO_NUMBER = (
    "You return a Python number; {0} is needed. Leave out `.item()` and `float(…)`: what they give "
    "has no gradient, so nothing could be learned from it."
)
ALONE = "You return {0} alone, and it is right. Return all that is asked for: `return {1}`."
FEWER = "What you return is right, but not all that is asked for: {0} missing. `return {1}`."
ORDER = "What you return is right, but not in its order: `return {0}`."
OTHER_ORDER = (
    "Your results have the shapes that are needed, but in another order: `return {0}`. What else "
    "is wrong shows when they stand in their places."
)
AS_LIST = "What you return is right, but in a list. Return a tuple: `return {0}`."
STACKED = "You return one {0} where several results are asked for. Return a tuple: `return {1}`."
WRONG_KIND = (
    "What cannot be answered has to raise {0}, so that a caller can tell it from other errors; "
    "yours raises {1}. Write `raise {0}(…)`.{2}"
)
RETURNED = "You return the error. Raise it: `raise {0}(…)`."
NOT_REFUSED = (
    "What cannot be answered has to raise {0}; yours goes on. Ask for it first, or last, and write "
    "`raise {0}(…)`."
)
ONE_PART = "{0} {2} right, {1} not: look at the lines that make {1} of what is right already."
NO_TUPLE = "You return a {0}. Return a tuple: `return {1}`."
OF_ONE = (of_arguments, of_lost_digits, of_shapes, of_totals, of_numbers, of_places, of_axes)
VAGUE = ("part", "only")  # keys of what is said where nothing else is


def relations(
    trials: Sequence[Any], seen: Sequence[Observation], wrong: Sequence[int]
) -> tuple[str | None, str | None]:
    """The sentence that holds on every wrong trial of the first case that fails, and a vague one;
    None without. A sentence that another wrong trial does not bear out says so."""
    if trials[0].task.of_cases:
        return None, None
    if said := always(trials, seen) or kept(trials, seen, wrong) or fixed(trials, seen, wrong):
        return said, None
    first = trials[wrong[0]].case
    these = [i for i in wrong if trials[i].case is first]
    if all(trials[i].expected.error for i in these):
        return _not_refused(trials[these[0]].expected, seen[these[0]]), None
    if any(seen[i].error or trials[i].expected.error for i in these):
        return None, None
    # An axis of length one is like another, or like none: who has a choice looks at the others.
    these = [i for i in these if not _thin(trials[i].expected.value)] or these
    examiner = trials[these[0]].inputs.examiner
    if (examiner and not examiner.hands_on) or trials[these[0]].task.judge:
        return None, None
    found: dict[str, str] | None = None
    for i in these:
        here = dict(_all(trials[i], seen[i]))
        found = here if found is None else {key: found[key] for key in found if key in here}
    thin = all(_numbers(trials[i].expected.value) == 1 for i in these)
    sure = {key: says for key, says in (found or {}).items() if not (thin and key.endswith(WEAK))}
    vague = [key for key in sure if key.strip().startswith(VAGUE)]
    least = [sure.pop(key) for key in vague]
    more = [i for i in wrong if trials[i].case is not first]
    said = _best(sure, trials, seen, more) or as_if(trials, seen, these, wrong)
    said = said or of_score_factor(trials, seen, these, wrong)
    return said, next(iter(least), None)


def _best(
    sure: Mapping[str, str], trials: Sequence[Any], seen: Sequence[Observation], more: Sequence[int]
) -> str | None:
    """The first sentence that every other wrong trial bears out; failing that, the first, of the
    first case alone."""
    borne_out = list(sure)
    for i in more:
        if borne_out and _tells(trials[i]):
            holds = {key for key, _ in _all(trials[i], seen[i])}
            borne_out = [key for key in borne_out if key in holds]
    if borne_out:
        return sure[borne_out[0]]
    return next((here(says) for says in sure.values()), None)


def _tells(trial: Any) -> bool:
    """Whether a trial can bear out a sentence: it asks for a result, of axes that differ."""
    return not (trial.expected.error or trial.inputs.examiner or _thin(trial.expected.value))


def _thin(value: Any) -> bool:
    parts = value if isinstance(value, tuple) else (value,)
    return any(isinstance(one, Array) and 1 in one.data.shape for one in parts)


def _not_refused(expected: Observation, got: Observation) -> str:
    if got.error:
        also = " `assert` raises an AssertionError." if got.error == "AssertionError" else ""
        return WRONG_KIND.format(expected.error, got.error, also)
    if isinstance(got.value, Opaque) and got.value.type_name == expected.error:
        return RETURNED.format(expected.error)
    return NOT_REFUSED.format(expected.error)


def _numbers(value: Any) -> int:
    """How many numbers a result has, or the part of it that has most."""
    if isinstance(value, tuple):
        return max(map(_numbers, value), default=1)
    return value.data.size if isinstance(value, Array) else 1


def _all(trial: Any, got: Observation) -> Iterator[tuple[str, str]]:
    """(key, sentence) of every relation that holds in one trial; alike in two if the keys are."""
    if got.error:
        return
    expected = trial.expected
    parts = trial.task.returns
    names = tuple(f"`{name}`" for name in parts)
    yield from _kinds(expected.value, got.value, parts)
    if isinstance(expected.value, tuple):
        if not (isinstance(got.value, tuple) and len(got.value) == len(expected.value)):
            return
        values = list(zip(expected.value, got.value, names or ("",) * 9, strict=False))
    else:
        values = [(expected.value, got.value, "")]
    for want, have, name in values if len(values) > 1 else ():
        if have is None and name:
            yield "none", NONE.format(name)
        else:
            yield from _kinds(want, have, ())
    off = [one for one in values if not _same(trial, one[0], one[1])]
    if len(off) == len(values) > 1 or not off:
        names = ("",) * 9
    for want, have, name in off:
        if isinstance(have, Array) and have.library == "numpy" and not have.data.ndim:
            have = have.data.item() if not isinstance(want, Array) else have
        pair = Pair(trial, want, have)
        for key, says in of_many(pair):
            yield f"{name} {key}", f"{name}: {says}" if name else says
        if pair.arrays is None and not pair.are_numbers:
            continue
        for relate in OF_ONE:
            for key, says in relate(pair):
                yield f"{name} {key}", f"{name}: {says}" if name else says
        if pair.arrays is not None:
            break
    if not off:
        yield from side_effects(trial, got)
    elif len(off) < len(values) and parts:
        wrong = [name for _, _, name in off]
        right = [f"`{name}`" for name in parts if f"`{name}`" not in wrong]
        verb = "are" if len(right) > 1 else "is"
        yield "part", ONE_PART.format(" and ".join(right), " and ".join(wrong), verb)
    if off and got.changed:
        yield from side_effects(trial, got)


def _same(trial: Any, want: Any, have: Any) -> bool:
    return not difference(
        Observation(value=want), Observation(value=have), [], trial.case.atol, trial.case.within
    )


def _kinds(want: Any, have: Any, parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Relations of what is returned: its type, its parts and their order."""
    listed = ", ".join(parts)
    if have is None:
        yield "none", NO_RETURN
    elif isinstance(want, Array):
        kind = "a tensor" if want.library == "torch" else "a NumPy array"
        if isinstance(have, list | tuple) and any(equal(want, one) for one in have):
            yield "one of them", ONE_OF_THEM.format(type(have).__name__)
        elif isinstance(have, list | tuple):
            to = TO_TENSOR if want.library == "torch" else TO_ARRAY
            yield "list", LIST.format(type(have).__name__, kind, to)
        elif isinstance(have, Opaque) and have.type_name in ITERATORS:
            yield "iterator", LIST.format(have.type_name, kind, TO_LIST)
        elif type(have) in (int, float):
            yield "number", NO_NUMBER.format(kind)
        elif isinstance(have, Array) and have.library != want.library:
            yield "library", LIBRARY.format(f"{have.library}'s", f"{want.library}'s")
    elif isinstance(want, int | float) and isinstance(have, Array) and have.data.size == 1:
        if have.library == "numpy" and not have.data.ndim:
            return  # a NumPy number is one
        yield "no number", NUMBER.format("tensor" if have.library == "torch" else "NumPy array")
    elif isinstance(want, int | float) and isinstance(have, str):
        yield "text", TEXT
    elif isinstance(want, list):
        yield from of_lists(want, have)
    elif isinstance(want, tuple) and listed and isinstance(have, dict | set | str):
        yield "no tuple", NO_TUPLE.format(type(have).__name__, listed)
    elif isinstance(want, tuple) and listed:
        if isinstance(have, Array):
            right = [i for i, one in enumerate(want) if equal(one, have)]
            if right:
                yield "alone", ALONE.format(f"`{parts[right[0]]}`", listed)
            elif have.data.shape[:1] == (len(want),):
                yield "stacked", STACKED.format("tensor or array", listed)
        elif isinstance(have, list | tuple) and 0 < len(have) < len(want):
            places = [next((i for i, w in enumerate(want) if equal(w, h)), None) for h in have]
            if None not in places and len({*places}) == len(places):
                missing = [f"`{p}`" for i, p in enumerate(parts) if i not in places]
                verb = "are" if len(missing) > 1 else "is"
                yield f"fewer {missing}", FEWER.format(f"{' and '.join(missing)} {verb}", listed)
        elif isinstance(have, list | tuple) and len(have) == len(want):
            if isinstance(have, list) and all(map(equal, want, have)):
                yield "as list", AS_LIST.format(listed)
            elif _reordered(want, have, equal):
                yield "order", ORDER.format(listed)
            elif _reordered(want, have, _same_shape):
                yield "order of shapes", OTHER_ORDER.format(listed)


def _reordered(want: Sequence[Any], have: Sequence[Any], alike: Callable[[Any, Any], bool]) -> bool:
    """Whether every part has its like, and not all of them at their own places."""
    orders = (order for order in permutations(have) if all(map(alike, want, order)))
    return not all(map(alike, want, have)) and next(orders, None) is not None


def _same_shape(want: Any, have: Any) -> bool:
    return (
        isinstance(want, Array) and isinstance(have, Array) and want.data.shape == have.data.shape
    )
