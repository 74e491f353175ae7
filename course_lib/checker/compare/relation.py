"""How a wrong result is related to the right one, where no known mistake does what the answer does.

Every sentence is about numbers that were compared, so it is true; what may have led to them begins
with "Perhaps".
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from course_lib.checker.compare.as_if import IN_ONE, as_if, here
from course_lib.checker.compare.difference import difference
from course_lib.checker.compare.fixed_number import always, fixed
from course_lib.checker.compare.kept import kept
from course_lib.checker.compare.of_arguments import of_arguments
from course_lib.checker.compare.of_dropout import dropped
from course_lib.checker.compare.of_kinds import of_kinds
from course_lib.checker.compare.of_many import of_many
from course_lib.checker.compare.of_numbers import NOTHING, WEAK, of_lost_digits, of_numbers
from course_lib.checker.compare.of_places import of_places
from course_lib.checker.compare.of_score_factor import of_score_factor
from course_lib.checker.compare.of_shapes import of_axes, of_shapes
from course_lib.checker.compare.of_side_effects import side_effects
from course_lib.checker.compare.of_totals import of_totals
from course_lib.checker.compare.pair import Pair
from course_lib.checker.run.inputs import Array, Observation, Opaque

NONE = "Your {0} is None. It is asked for in every call: return it with the rest."
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
OF_ONE = (of_arguments, of_lost_digits, of_shapes, of_totals, of_numbers, of_places, of_axes)
VAGUE = ("part", "only")  # keys of what is said where nothing else is
FACTORS = {"constant", "minus", "factor"}  # words in the keys of factors that are no argument's
WHERE_WRONG = "Where yours is wrong, {0}{1}"


def relations(
    trials: Sequence[Any], seen: Sequence[Observation], wrong: Sequence[int], text: str = ""
) -> tuple[str | None, str | None]:
    """The sentence that holds on every wrong trial of the first case that fails, and a vague one;
    None without. A sentence that another wrong trial does not bear out says so."""
    if trials[0].task.of_cases:
        return None, None
    said = always(trials, seen) or kept(trials, seen, wrong) or fixed(trials, seen, wrong)
    if said := said or dropped(trials, seen, wrong):
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
        holds = dict(_all(trials[i], seen[i], text))
        found = holds if found is None else {key: found[key] for key in found if key in holds}
    sure = {key: says for key, says in (found or {}).items() if _can_be(key, trials)}
    thin = all(_numbers(trials[i].expected.value) == 1 for i in these)
    if any(i not in wrong and _is_something(one.expected.value) for i, one in enumerate(trials)):
        zeros = {key: here(says) for key, says in sure.items() if key.endswith(NOTHING)}
        sure = {k: says for k, says in sure.items() if k not in zeros} | ({} if thin else zeros)
    vague = [key for key in sure if key.strip().startswith(VAGUE)]
    least = {key: sure.pop(key) for key in vague}
    more = [i for i in wrong if trials[i].case is not first]
    said = _best(sure, trials, seen, more) or as_if(trials, seen, these, wrong)
    said = said or of_score_factor(trials, seen, these, wrong)
    return said, _best(least, trials, seen, more)


def _can_be(key: str, trials: Sequence[Any]) -> bool:
    """Whether a step may be missing: a division by the sum, where what is right always sums to
    one. Of numbers that do so in one case alone it would be the wrong cure."""
    part, is_so, axis = key.partition("not normalised ")
    parts = [f"`{name}`" for name in trials[0].task.returns]
    for trial in trials if is_so else ():
        value = trial.expected.value
        if isinstance(value, tuple) and part.strip() in parts:
            value = value[parts.index(part.strip())]
        if isinstance(value, Array) and value.data.ndim > int(axis):
            sums = value.data.sum(int(axis))
            if not np.isclose(sums[sums != 0], 1, atol=1e-4).all():
                return False
    return True


def _best(
    sure: Mapping[str, str], trials: Sequence[Any], seen: Sequence[Observation], more: Sequence[int]
) -> str | None:
    """The first sentence that every other wrong trial bears out; failing that, the first, of the
    first case alone. What is right elsewhere lacks no factor, so such a one is told of those that
    are wrong."""
    borne_out = list(sure)
    for i in more:
        if borne_out and _tells(trials[i]):
            holds = {key for key, _ in _all(trials[i], seen[i])}
            borne_out = [key for key in borne_out if key in holds]
    if borne_out:
        says = sure[borne_out[0]]
        if FACTORS.isdisjoint(borne_out[0].split()) or not _is_right_elsewhere(trials, seen):
            return says
        return WHERE_WRONG.format(says[0].lower(), says[1:]) if more else here(says)
    return next((says if says.startswith(IN_ONE) else here(says) for says in sure.values()), None)


def _is_right_elsewhere(trials: Sequence[Any], seen: Sequence[Observation]) -> bool:
    """Whether some result that would show a factor is right."""
    return any(
        _tells(trial)
        and _is_something(trial.expected.value)
        and _same(trial, trial.expected.value, got.value)
        for trial, got in zip(trials, seen, strict=True)
    )


def _tells(trial: Any) -> bool:
    """Whether a trial can bear out a sentence: it asks for a result, of axes that differ."""
    examiner = trial.inputs.examiner
    strange = examiner and not examiner.hands_on
    return not (trial.expected.error or strange or _thin(trial.expected.value))


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


def _is_something(value: Any) -> bool:
    """Whether a result is, or has, a number that is not 0, or an array that is not all zeros."""
    parts = value if isinstance(value, tuple) else (value,)
    return any(bool(one.data.any() if isinstance(one, Array) else one) for one in parts)


def _numbers(value: Any) -> int:
    """How many numbers a result has, or the part of it that has most."""
    if isinstance(value, tuple):
        return max(map(_numbers, value), default=1)
    return value.data.size if isinstance(value, Array) else 1


def _all(trial: Any, got: Observation, text: str = "") -> Iterator[tuple[str, str]]:
    """(key, sentence) of every relation that holds in one trial; alike in two if the keys are."""
    if got.error:
        return
    expected = trial.expected
    parts = trial.task.returns
    names = tuple(f"`{name}`" for name in parts)
    yield from of_kinds(expected.value, got.value, parts)
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
            yield from of_kinds(want, have, ())
    off = [one for one in values if not _same(trial, one[0], one[1])]
    for want, have, name in off:
        if isinstance(have, Array) and have.library == "numpy" and not have.data.ndim:
            have = have.data.item() if not isinstance(want, Array) else have
        pair = Pair(trial, want, have, text)
        for key, says in of_many(pair):
            yield f"{name} {key}", f"{name}: {says}" if name else says
        if pair.arrays is None and not pair.are_numbers:
            continue
        own, is_told = trial.task.relate, False
        for relate in (own, *OF_ONE) if own else OF_ONE:
            for key, says in relate(pair):
                if not (key.endswith(WEAK) and _numbers(want) == 1):
                    is_told = True
                    yield f"{name} {key}", f"{name}: {says}" if name else says
        # What one part does not say, the next may, which it was made of: weights, after a context.
        if pair.arrays is not None and (is_told or not name):
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
