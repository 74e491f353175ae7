"""What the verdicts of a test say together: why it refuses what is right, or what it never tries.

Whatever is said was seen in the test's calls, in the line at which it raised, or in the mutants
that it accepts; what is a guess begins with "Perhaps".
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from course_lib.checker.run.watching import ANYTHING, GROSS, RAISES, SHIFTED, SLIGHT, TURNS
from course_lib.checker.tasks import Verdict
from course_lib.exercises.write_the_test.candidates import ACCEPTS, NEVER_CALLED, REFUSES
from course_lib.exercises.write_the_test.use import Gap, Use

MOST = 4  # mutants in one sentence
GIVEN = ("scaled_dot_product_attention", "causal_attention", "attend_with_cache")
BY_NAME = (
    "Your test calls `{0}`, which is imported for trying things: where tests are judged, it is not "
    "there. "
)
NOT_YET = (
    "Up to there it has not called `{0}`, which it is given: if that one is meant, write `{0}(…)`. "
)
FORMULA = "To have something to compare with, write the formula once more in your test."
OTHER_MASK = (
    "Your test hands in a mask of dtype {0}: {1}. A mask is boolean, True where a query "
    "may look: leave out `.float()` or `.int()`, or make it with a comparison."
)
UNDEFINED = (
    "Nothing that is handed in defines `{0}`, which your test uses. Define it in the answer's "
    "cell, or in one above."
)
OTHER_ARGUMENTS = (
    "Your test calls `{0}` with other arguments than it takes: {1}. It is called as `{2}`."
)
DOES_NOT_RUN = (
    "Your test refuses every right implementation, for it does not run to its end: {0}.{1}"
)
BY_ELEMENT = (
    " `==` and `<` compare element by element: write `torch.equal(a, b)`, or "
    "`torch.testing.assert_close(a, b)` for nearly equal."
)
ONLY_WRONG = (
    "Your test refuses what is right and accepts {0}. Perhaps what you compare with makes that "
    "very mistake, or one of them.{1}"
)
EXACT = (
    "Your test compares exactly, at {0}. Two right implementations round differently: give a "
    "tolerance, as in `torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)`."
)
NARROW = (
    "Your tolerance is too narrow, at {0}. float32 keeps seven digits, and two right "
    "implementations round differently: `torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)` "
    "leaves room for that."
)
ASKS_TOO_MUCH = (
    "Your test refuses every right implementation, at {0}. That is not promised, or your side of "
    "it is wrong.{1}"
)
EMPTY_ROWS = " A query that may see nothing has weights of zeros, which do not sum to one."
ROUNDING = (
    "Your test refuses some right implementations and accepts others{0}. They differ in the order "
    "of their sums, so perhaps you compare exactly: give a tolerance, as in "
    "`torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)`."
)
OTHERWISE = (
    "Your test refuses some right implementations and accepts others, at {0}. There it asks for "
    "more than is promised; numbers are promised up to rounding."
)
SWALLOWS = (
    "Your test accepts even an implementation that raises an AssertionError at every call: a `try` "
    "of yours catches it. Leave the `try` out; what is raised is the verdict."
)
TUPLE = (
    "{0} cannot fail: its brackets hold two things, a tuple, and that is always true. Take the "
    "brackets away."
)
RETURNED = (
    "Your test returns {0}, which is lost: it must raise. Write `assert` before what you return."
)
NO_NUMBER = (
    "Your test refuses no number: it accepts what is right with 1000 added everywhere. Perhaps it "
    "prints what it finds; only an `assert` refuses. Write the "
    "formula once more in your test, and compare every number with "
    "`torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)`."
)
NO_FORMULA = (
    "No mutant with other scores is refused: you look at zeros, sums and the like alone, or "
    "compare the function with itself. Write the formula once more in your test, and compare "
    "every number."
)
BLIND = (
    "Your test never compares the numbers of the {0} with what is right. Compare them as you "
    "compare the {1}."
)
TOLERANT = (
    "Your tolerance is too wide: numbers of the {0} that are off by {1} are accepted. "
    "`rtol=1e-4, atol=1e-5` leave room enough for rounding."
)
WITH_ITSELF = (
    "You compare the function with itself: what is wrong in both ways alike, a missing scale or "
    "mask, never shows. Write the formula once more in your test, and compare with that."
)
SHOWN = (
    "What your test accepts shows on an input that you do not give, or in what you do not compare, "
    "or not closely enough: "
)
OF_NO_NUMBER = re.compile(r"__\w+__|\.(shape|dtype|device)\b|type\(|isinstance\(")
NOT_SCALED = "the scores are not scaled"


@dataclass(frozen=True)
class Room:
    """One test of the lab: what it is given, how that is called, the parts of its result, and the
    gaps that a test of it may have."""

    given: str
    call: str
    parts: tuple[str, ...]
    gaps: tuple[Gap, ...]

    def at_once(self, wrong: Mapping[str, Any], first: Any) -> str | None:
        """What is certain: why nothing is refused, or why what is right is. `wrong` has what came
        for each case that fails, `first` is the verdict on the first right implementation."""
        if type(first) is not Verdict:
            return None
        refused = [one for name, one in wrong.items() if name.startswith(ACCEPTS)]
        if first.refused:
            return self._refuses(wrong, first)
        if refused:
            return self._refuses_some(refused[0])
        if not first.calls:
            return NEVER_CALLED
        if RAISES in {kind for kind, *_ in first.passes}:
            return SWALLOWS
        if first.line:
            return TUPLE.format(first.line)
        if len([*self._blind(first)]) < len(self.parts):
            return None
        if first.words:
            return RETURNED.format(first.words)
        asserts = ANYTHING not in {kind for kind, *_ in first.passes}
        return self.in_the_end(wrong, first) if asserts else None

    def _refuses(self, wrong: Mapping[str, Any], first: Verdict) -> str | None:
        raised = f"at {first.line} it raises {first.words}" if first.line else first.words
        if missing := re.match(r"NameError: name '(\w+)' is not defined", first.words):
            if missing[1] not in GIVEN:
                return UNDEFINED.format(missing[1])
            called = "" if first.calls else NOT_YET.format(self.given)
            return BY_NAME.format(missing[1]) + called + FORMULA
        if first.words.startswith("TypeError") and re.search("argument|positional", first.words):
            return OTHER_ARGUMENTS.format(self.given, first.words, self.call)
        asked = first.words.startswith("AssertionError") or first.line.startswith("`raise ")
        if not asked:
            masks = [mask.dtype for (mask,) in Use(first).all("mask")]
            if masks and masks[-1] != "bool":
                return OTHER_MASK.format(masks[-1], raised)
            how = BY_ELEMENT if "Boolean value of Tensor" in first.words else ""
            return DOES_NOT_RUN.format(raised, how)
        accepted = [name.removeprefix(REFUSES) for name in wrong if name.startswith(REFUSES)]
        told = [name for name in accepted if not name.endswith("is written to")] or accepted
        at = f" It stops at {first.line}." if first.line else ""
        if told:
            listed = ", ".join(f"“{name}”" for name in sorted(told)[:MOST])
            return ONLY_WRONG.format(f"the mutant{'s' * (len(told) > 1)} {listed}", at)
        if not first.line:
            return None
        if "rounding" in first.line:
            return self._rounding(first.line)
        use = Use(first)
        empty = "sum" in first.line and (
            any("row without True" in mask.marks for (mask,) in use.all("mask"))
            or any(q.shape[-2:-1] > k.shape[-2:-1] for q, k in use.all("query", "key"))
        )
        return ASKS_TOO_MUCH.format(first.line, EMPTY_ROWS if empty else "")

    def _refuses_some(self, one: Any) -> str | None:
        if type(one) is not Verdict:
            return None
        if "rounding" in one.line:
            return self._rounding(one.line)
        numbers = re.search("not close|not equal|close|equal|==|rounding", one.words + one.line)
        numbers = numbers and not OF_NO_NUMBER.search(one.line)
        at = f", at {one.line}" if one.line else ""
        return ROUNDING.format(at) if numbers or not at else OTHERWISE.format(one.line)

    def _rounding(self, line: str) -> str:
        exact = re.search(r"equal\(|==", line) and not re.search("[ar]tol|max_ulp", line)
        return (EXACT if exact else NARROW).format(line)

    def in_the_end(self, wrong: Mapping[str, Any], first: Any) -> str | None:
        """What a test never looks at or never tries, by what survives it."""
        accepted = {name.removeprefix(REFUSES) for name in wrong if name.startswith(REFUSES)}
        if type(first) is not Verdict or first.refused or len(accepted) < len(wrong):
            return None
        said = [*self._of_numbers(first, accepted)]
        use = Use(first)
        there = sorted(self._there(use, accepted), key=lambda gap: -len(accepted & {*gap.mutants}))
        said += [gap.says for gap in there]
        if not said:
            return self._shown(accepted)
        return " ".join([*dict.fromkeys(said)][:3])

    def _of_numbers(self, first: Verdict, accepted: set[str]) -> Iterator[str]:
        use, blind = Use(first), [*self._blind(first)]
        if len(blind) == len(self.parts):
            yield NO_NUMBER
            return
        seen = [i for i in range(len(self.parts)) if i not in blind]
        wide = [i for i in seen if use.passes(TURNS, i, SLIGHT)]
        if use.passes(SHIFTED, 0, GROSS) and 0 not in blind:
            yield WITH_ITSELF
        elif NOT_SCALED in accepted and not (
            wide or self._no_scores(seen) or any(self._there(use, {NOT_SCALED}))
        ):
            yield NO_FORMULA
        for i in blind:
            yield BLIND.format(self.parts[i], self.parts[seen[0]])
        for i in wide[:1]:
            yield TOLERANT.format(self.parts[i], f"{use.passes(TURNS, i, SLIGHT):g}")

    def _no_scores(self, seen: Collection[int]) -> bool:
        """Whether no part that is looked at is made of scores: those of a cache are not."""
        return all(self.parts[i].startswith("cached") for i in seen)

    def _there(self, use: Use, accepted: Collection[str]) -> Iterator[Gap]:
        """The gaps that the test has, and that let a mutant through."""
        return (gap for gap in self.gaps if {*accepted} & {*gap.mutants} and gap.is_there(use))

    def _blind(self, first: Verdict) -> Iterator[int]:
        """The parts of a result whose numbers make no difference."""
        return (i for i in range(len(self.parts)) if Use(first).passes(TURNS, i, GROSS))

    def _shown(self, accepted: Collection[str]) -> str | None:
        told = [
            f"“{name}” {gap.shows}"
            for name in sorted(accepted)
            for gap in [next((one for one in self.gaps if name in one.mutants), None)]
            if gap
        ]
        return f"{SHOWN}{'; '.join(told[:MOST])}." if told else None
