"""Is what an answer did what the reference did? If not, one sentence says how they differ."""

import re
from typing import Any

import numpy as np

from course_lib.checker.compare.errors import stopped
from course_lib.checker.compare.formatting import brief, describe
from course_lib.checker.run.inputs import AFTERWARDS, INSIDE, Array, Observation, Opaque, Verdict
from course_lib.checker.run.values import same_bits, same_data

# (rtol, atol) by dtype. Answers may sum in another order, so float32 leaves room for a few hundred
# rounding errors of terms near one; a wrong formula is off by far more.
TOLERANCE = {
    "float64": (1e-8, 1e-9),
    "float32": (2e-4, 2e-5),
    "float16": (1e-2, 1e-3),
    "bfloat16": (5e-2, 1e-2),
}

# Why the values are right and the dtype is not.
REASONS = {
    "numpy": "an array made without a dtype (`np.zeros`), `dtype=float`, or a number out of NumPy "
    "(`np.sqrt(d)` is float64 and widens what it meets, `math.sqrt(d)` does not).",
    "torch": "a tensor made without a dtype (`torch.zeros`), or a conversion (`.float()`).",
    "float64": "a tensor made with dtype float64, or made from what NumPy computed.",
}

RIGHT_NUMBERS = "has the right values, but dtype"

# Where a syntax error is, in a file that only we know.
PLACE = re.compile(r" \(<[^>]*>, (line \d+)\)")


def difference(
    expected: Observation,
    got: Observation,
    names: list[str],
    atol: float | None = None,
    within: float | None = None,
) -> str | None:
    """None when `got` is right, else a sentence. `names` are the parameters' names, in order; a
    number may be off by the share `within`."""
    if expected.error:
        if got.error == expected.error:
            return None
        return f"It needs to raise {expected.error} here; it {_outcome(got)}."
    if got.error:
        return _raised(got)
    if within and isinstance(expected.value, float):
        problem = _number_difference(expected.value, got.value, "The result", within)
    else:
        problem = _value_difference(expected.value, got.value, "", atol)
    if problem:
        return problem
    if got.changed:
        changed = ", ".join(f"`{_name(names, i)}`" for i in got.changed)
        return (
            f"It changes its input {changed} in place; work on a copy, leave inputs as they were."
        )
    if isinstance(got.gradients, Opaque):
        return f"The values are right, but {got.gradients.type_name}."
    if expected.gradients is not None:
        return _gradient_difference(expected.gradients, got.gradients, names, atol)
    return None


def same_behaviour(
    a: Observation,
    b: Observation,
    atol: float | None = None,
    words: bool = True,
    width: bool = True,
    within: float = 0.0,
) -> bool:
    """Whether two answers did the same thing: this is how a known mistake is recognised. With
    `words`, two errors are the same only when their messages are; without `width`, arrays of floats
    may be the same in different dtypes, as far as float32 shows. Numbers may differ by the share
    `within`."""
    if a.error or b.error:
        return a.error == b.error and (a.message == b.message or not words)
    if within and isinstance(a.value, float) and type(b.value) is float and not b.changed:
        return bool(np.isclose(a.value, b.value, rtol=within, atol=atol or 0, equal_nan=True))
    if a.changed != b.changed or _value_difference(a.value, b.value, "", atol, width):
        return False
    if a.changed:  # writing into an input spoils the gradients in ways that depend on the code
        return True
    if isinstance(a.gradients, dict) and isinstance(b.gradients, dict):
        return _gradient_difference(a.gradients, b.gradients, [], atol) is None
    return same_data(a.gradients, b.gradients)


def _value_difference(
    expected: Any, got: Any, where: str, atol: float | None, width: bool = True
) -> str | None:
    subject = f"Output {where}" if where else "The result"
    if isinstance(expected, Array):
        return _array_difference(expected, got, subject, atol, width)
    if isinstance(expected, Verdict) and type(got) is Verdict:
        return _verdict_difference(expected, got)
    if isinstance(expected, float):
        return _number_difference(expected, got, subject, atol=atol)
    if type(got) is not type(expected):
        return f"{subject} is {describe(got)}; {describe(expected)} is needed.{_hint(got)}"
    if isinstance(expected, tuple | list):
        if len(got) != len(expected):
            kind = type(expected).__name__
            return f"{subject} has {len(got)} items; a {kind} of {len(expected)} is needed."
        for i, (want, have) in enumerate(zip(expected, got, strict=True)):
            problem = _value_difference(want, have, f"{where}[{i}]", atol, width)
            if problem:
                return problem
        return None
    if not same_data(expected, got):
        return f"{subject} is {brief(got)}; {brief(expected)} is right."
    return None


def _number_difference(
    expected: float, got: Any, subject: str, within: float = 0.0, atol: float | None = None
) -> str | None:
    """A number counts by its value: 0 for 0.0 will do, and so will a scalar of NumPy."""
    rtol, floor = 1e-9, 1e-12
    if isinstance(got, Array) and got.library == "numpy" and got.data.shape == ():
        rtol, floor = TOLERANCE.get(got.dtype, (rtol, floor))
        got = got.data.item()
    atol = floor if atol is None else atol
    if not (type(got) is int or type(got) is float):
        return f"{subject} is {describe(got)}; a number is needed, a Python float or int."
    if not np.isclose(float(got), expected, rtol=max(rtol, within), atol=atol, equal_nan=True):
        room = f", within {within:.0%}".replace("%", " %") if within else ""
        came, wanted = _apart(float(got), expected, 6)
        return f"{subject} is {came}; {wanted} is right{room}."
    return None


def _verdict_difference(expected: Verdict, got: Verdict) -> str | None:
    if expected.refused == got.refused:
        return None
    if expected.refused:
        lost = f" It returns {got.words}, which is lost: it must raise, for example with `assert`."
        accepted = "Your test accepts this implementation, which is wrong."
        return accepted + lost * (got.words in ("True", "False"))
    return f"Your test refuses this implementation, which is right. It says: {brief(got.words)}."


def _array_difference(
    expected: Array, got: Any, subject: str, atol: float | None, width: bool = True
) -> str | None:
    if not isinstance(got, Array) or got.library != expected.library:
        return f"{subject} is {describe(got)}; {describe(expected)} is needed.{_hint(got)}"
    if got.data.shape != expected.data.shape:
        needed = f"{subject} has shape {got.data.shape}; shape {expected.data.shape} is needed"
        return f"{needed}{_if_it_broadcasts(got.data.shape, expected.data.shape)}."
    both = {expected.dtype, got.dtype}
    if len(both) > 1 and not both <= TOLERANCE.keys():
        return f"{subject} has dtype {got.dtype}; {expected.dtype} is needed."
    # Values come first: who hears of the dtype alone would mend that, and still be wrong.
    other = _other_width(expected, got, subject) if width and len(both) > 1 else None
    both |= set() if width else {"float32"}
    if same_bits(expected.data, got.data):
        return other
    if expected.data.dtype.kind in "biu":
        wrong = expected.data != got.data
    else:
        rtol, floor = max(TOLERANCE[dtype] for dtype in both)
        floor = floor if atol is None else atol
        wrong = ~np.isclose(got.data, expected.data, rtol=rtol, atol=floor, equal_nan=True)
    if not wrong.any():
        return other
    finite = np.isfinite(expected.data)
    if got.data.dtype.kind == "f" and not np.isfinite(got.data[finite]).all():
        kind = "nan" if np.isnan(got.data[finite]).any() else "inf"
        return f"{subject} contains {kind} where a finite number is right."
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    came, wanted = _apart(got.data[place], expected.data[place])
    if place == ():
        return f"{subject} is {came}; {wanted} is right."
    return (
        f"{subject} is wrong in {int(wrong.sum())} of {wrong.size} places, first at "
        f"{list(place)}: {came} where {wanted} is right."
    )


def _if_it_broadcasts(shape: tuple[int, ...], needed: tuple[int, ...]) -> str:
    try:
        fits = np.broadcast_shapes(shape, needed) == needed
    except ValueError:
        fits = False
    return " (a shape that merely broadcasts is not enough)" if fits else ""


def _other_width(expected: Array, got: Array, subject: str) -> str:
    wide = got.library == "torch" and got.dtype == "float64"
    return (
        f"{subject} {RIGHT_NUMBERS} {got.dtype} where {expected.dtype} is needed. "
        f"Usual reasons: {REASONS[got.dtype if wide else expected.library]}"
    )


def _gradient_difference(
    expected: dict, got: Any, names: list[str], atol: float | None
) -> str | None:
    if not isinstance(got, dict) or got.keys() != expected.keys():
        return "The values are right, but the gradients could not be taken."
    for key, want in expected.items():
        name = _name(names, int(key)) if key.isdigit() else key
        # Gradients chain several operations, so they get ten times the room of the values.
        room = 10 * (TOLERANCE[want.dtype][1] if atol is None else atol)
        problem = _array_difference(want, got[key], f"the gradient of `{name}`", room)
        if problem:
            return f"The values are right, but {problem}"
    return None


def _hint(got: Any) -> str:
    if got is None:
        return " Is a `return` missing?"
    return " Use `return` in place of `yield`." if got == Opaque("generator") else ""


def _outcome(got: Observation) -> str:
    return f"raises {got.error}" if got.error else f"returns {describe(got.value)}"


def _raised(got: Observation) -> str:
    if got.error == "NotImplementedError":
        return "It is not written yet."
    if sentence := stopped(got):
        return sentence
    if got.message.startswith((AFTERWARDS, INSIDE)):
        return f"No line of yours raises, but {got.message}.".replace("..", ".")
    message = ": " + PLACE.sub(r", \1", got.message) if got.message else ""
    raised = f"It raises {got.error}{message}".rstrip(".:") + "."
    return f"{raised} What meets there: {got.shapes}." if got.shapes else raised


def _name(names: list[str], i: int) -> str:
    return names[i] if i < len(names) else f"argument {i + 1}"


def _apart(got: Any, expected: Any, digits: int = 4) -> tuple[str, str]:
    """Two numbers that differ, in as many digits as show it."""
    if not isinstance(expected, float | np.floating):
        return str(got), str(expected)
    texts = ((f"{got:.{n}g}", f"{expected:.{n}g}") for n in range(digits, 18))
    return next((pair for pair in texts if pair[0] != pair[1]), (str(got), str(expected)))
