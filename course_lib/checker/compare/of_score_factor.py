"""Weights that a softmax made of scores which were all multiplied by one number too many."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from course_lib.checker.compare.as_if import here
from course_lib.checker.compare.pair import near
from course_lib.checker.run.inputs import Array, Observation

FEWEST = 3  # one factor explains one number of a trial; so many more that it explains are no chance
ONE_FACTOR = (
    "Your weights are those of scores that are all too {0} by one factor{1}. Look at what the "
    "scores are divided or multiplied by before the softmax."
)
VARIES = ", not the same in every trial"


def of_score_factor(
    trials: Sequence[Any],
    seen: Sequence[Observation],
    these: Sequence[int],
    wrong: Sequence[int] = (),
) -> str | None:
    """The sentence where what came in each of these trials is what is right to some power c,
    divided by the sums of its rows: softmax(c·e) is softmax(e)^c so divided. Where another wrong
    trial is not so, the sentence is of one case alone."""
    others = [i for i in wrong if i not in these and not trials[i].inputs.examiner]
    found = {i: _factor(trials[i].expected.value, seen[i].value) for i in [*these, *others]}
    borne_out = _is_one_way([*found.values()])
    known = [found[i] for i in (found if borne_out else these)]
    if not _is_one_way(known) or sum(spare for _, spare in filter(None, known)) < FEWEST:
        return None
    factors = [factor for factor, _ in filter(None, known)]
    shown = f", {factors[0]:.3g}" if np.allclose(factors, factors[0], rtol=1e-3) else VARIES
    if trials[these[0]].case.hidden and shown != VARIES:
        shown = ""
    said = ONE_FACTOR.format("large" if factors[0] > 1 else "small", shown)
    return said if borne_out else here(said)


def _is_one_way(found: Sequence[tuple[float, int] | None]) -> bool:
    """Whether there is a factor everywhere, and all are above one, or all below."""
    return all(found) and len({one[0] > 1 for one in found if one}) == 1


def _factor(want: Any, have: Any) -> tuple[float, int] | None:
    """(c, how many numbers it explains beyond one) for weights that are others to the power c;
    None where there is no such part, or no c but one."""
    if isinstance(want, tuple) and isinstance(have, tuple) and len(want) == len(have):
        return next(filter(None, map(_of_arrays, want, have)), None)
    return _of_arrays(want, have)


def _of_arrays(want: Any, have: Any) -> tuple[float, int] | None:
    if not (isinstance(want, Array) and isinstance(have, Array)):
        return None
    if want.data.shape != have.data.shape or not (_are_weights(want) and _are_weights(have)):
        return None
    a, b = want.data.astype(np.float64), have.data.astype(np.float64)
    both = (a > 0) & (b > 0)
    one, other = _centred(a, both), _centred(b, both)
    size = (one * one).sum()
    factor = float((one * other).sum() / size) if size > 1e-12 else 1.0
    if factor < 1e-3 or abs(factor - 1) < 1e-3:
        return None
    powers = np.where(a > 0, a, 1.0) ** factor * (a > 0)
    sums = powers.sum(-1, keepdims=True)
    made = (powers / np.where(sums > 0, sums, 1.0)).astype(have.data.dtype)
    if not near(made, have.data):
        return None
    return factor, int(both.sum() - both.any(-1).sum()) - 1


def _centred(x: np.ndarray, there: np.ndarray) -> np.ndarray:
    """The logarithms of the weights that are there, from the mean of their row; 0 elsewhere."""
    logs = np.log(np.where(there, x, 1.0))
    mean = logs.sum(-1, keepdims=True) / np.maximum(there.sum(-1, keepdims=True), 1)
    return (logs - mean) * there


def _are_weights(x: Array) -> bool:
    """Whether rows sum to one, or to zero where nothing may be seen."""
    data = x.data
    if data.dtype.kind != "f" or not data.ndim or not data.size or not np.isfinite(data).all():
        return False
    total = data.sum(-1)
    return bool(
        (data >= 0).all() and total.any() and np.isclose(total[total != 0], 1, atol=1e-4).all()
    )
