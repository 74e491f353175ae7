"""How one wrong number is related to the right one: which of the arguments, or which constant, is
in it too often or not often enough."""

import math
from collections.abc import Iterator

from course_lib.checker.compare.pair import Pair, Relation

CONSTANTS = (2, 3, 4, 8, 16, 100, math.log(2), math.log(10))
UNITS = {10**3: "k", 10**6: "M", 10**9: "G", 2**10: "Ki", 2**20: "Mi", 2**30: "Gi"}
CALLED = {math.log(2): "ln 2", math.log(10): "ln 10"} | {
    size: f"{size:,}, as if a unit with {unit} were asked" for size, unit in UNITS.items()
}
OF_ARGUMENT = {
    1: "Your result is too large by the factor `{0}`. Perhaps it is in it once too often.",
    -1: "Your result is too small by the factor `{0}`. Perhaps it is left out, or it cancels.",
    2: "Your result is too large by `{0}` squared. Perhaps you multiply by it where you should "
    "divide, or take a power too high.",
    -2: "Your result is too small by `{0}` squared. Perhaps you divide by it where you should "
    "multiply.",
}
OF_CONSTANT = {
    1: "Your result is {0} times the right one: leave that factor out.",
    -1: "Your result is the right one divided by {0}: that factor is missing, or such a division "
    "stands there.",
}


def of_arguments(pair: Pair) -> Iterator[Relation]:
    """(key, sentence) of every factor between two numbers. An answer may be off by a share, and a
    factor has to fit four times better."""
    want, have, within = pair.want, pair.have, pair.trial.case.within
    if not pair.are_numbers:
        return
    if not (want and have and math.isfinite(want) and math.isfinite(have)):
        return
    room = max(1e-9, (within or 0) / 4)
    for name, value in pair.given.items():
        if type(value) in (int, float) and value > 0 and value != 1:
            for power, sentence in OF_ARGUMENT.items():
                if math.isclose(have / want, value**power, rel_tol=room):
                    yield f"argument {name} {power}", sentence.format(name)
    for value in (*CONSTANTS, *UNITS):
        for power, sentence in OF_CONSTANT.items():
            is_cut = power < 0 and value in UNITS and have == want // value  # to a whole number
            if is_cut or math.isclose(have / want, value**power, rel_tol=room):
                called = CALLED.get(value, f"{value:,}")
                yield f"constant {value} {power}", sentence.format(called)
