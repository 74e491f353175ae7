"""How an answer whose values are right is wrong all the same: inputs that are written into, and
gradients."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from course_lib.checker.compare.difference import TOLERANCE
from course_lib.checker.run.inputs import Array, Observation, Opaque

INPUT = (
    "You write into {0}, which belongs to the caller: `+=`, `*=`, names that end in `_` and "
    "`{1}[…] = …` work in place. Make a new one, or work on a copy."
)
CUT = (
    "The values are right, but no gradient reaches {0}. What cuts it off: `.detach()`, `.data`, "
    "`.item()`, `float(…)`, `torch.tensor(…)` of what is one already, NumPy, rounding, `no_grad`. "
    "Compute with torch from the inputs on."
)
WRITTEN = (
    "The values are right, but the way back to the inputs is broken: you write into a tensor that "
    "the gradient still needs, perhaps what a softmax or tanh gave (`+=`, `*=`, `x[…] = …`, names "
    "that end in `_`). Make a new one: `x = x + …`, `masked_fill`, `torch.where`."
)
GRADIENT_NAN = (
    "The values are right, but a gradient is nan. Perhaps nan or inf arises on the way and is "
    "replaced afterwards: the way back still meets it, for 0 times nan is nan. Let none arise: "
    "put harmless numbers in before, and zeros afterwards."
)
PARTLY_CUT = (
    "The values are right, but the gradient of {0} is not. Perhaps a part of the way is cut off, "
    "by `.detach()`, `.data`, `.item()`, rounding or `no_grad`."
)


def side_effects(trial: Any, got: Observation) -> Iterator[tuple[str, str]]:
    """Relations where the values are right: inputs that are written into, and gradients."""
    names = trial.names
    if got.changed:
        changed = [names[i] for i in got.changed if i < len(names)]
        if changed:
            yield "input", INPUT.format(" and ".join(f"`{name}`" for name in changed), changed[0])
        return
    want, have = trial.expected.gradients, got.gradients
    if not isinstance(want, dict):
        return
    label = {key: names[int(key)] if key.isdigit() else key for key in want}
    if isinstance(have, Opaque):
        written = "modified by an inplace" in have.type_name
        yield ("written", WRITTEN) if written else ("cut", CUT.format("the inputs"))
    if not isinstance(have, dict) or have.keys() != want.keys():
        return
    if any(np.isnan(one.data).any() for one in have.values()):
        yield "gradient nan", GRADIENT_NAN
        return
    off = [
        key for key in want if _far(want[key], have[key], trial.case.atol) and want[key].data.any()
    ]
    cut = [key for key in off if not have[key].data.any()]
    if cut:
        listed = " and ".join(f"`{label[key]}`" for key in cut)
        yield f"cut {listed}", CUT.format(listed)
    elif off:
        listed = " and ".join(f"`{label[key]}`" for key in off)
        yield "partly cut", PARTLY_CUT.format(listed)


def _far(want: Array, have: Array, atol: float | None) -> bool:
    if want.data.shape != have.data.shape:
        return True
    rtol, floor = TOLERANCE[want.dtype]
    room = 10 * (floor if atol is None else atol)
    return not np.allclose(have.data, want.data, rtol=rtol, atol=room, equal_nan=True)
