"""What helps against an error that is no known mistake of a task."""

import re
from collections.abc import Sequence

from course_lib.checker.run.inputs import Observation

AT_ONCE = ("NameError", "ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError")
NO_NAME = (
    "Nothing that is handed in defines `{0}`. Import it in the first cell of code, or define it."
)
# What an error of NumPy's or torch's is most often about.
CURES = {
    "(truth value of an array|Boolean value of Tensor) with more than one": "`if x:` asks an array "
    "for one truth value, and it has many. Whether there is one, `if x is not None:` asks; whether "
    "all of it holds, `(…).all()`.",
    "operands could not be broadcast|must match the size of tensor b": "Two arrays do not line up. "
    "Write their shapes below each other, from the right: each pair is equal, or one of the two is "
    "1. A sum or maximum drops its axis without `keepdims=True`; `[:, None]` gives a new one.",
    "shapes cannot be multiplied|batch2 tensor to be|matmul: Input operand": "In `a @ b` the last "
    "axis of a must be as long as the one before the last of b. Write both shapes beside the line: "
    "which one has to be transposed, and in which axes?",
}


def everywhere(seen: Sequence[Observation]) -> Observation | None:
    """What an answer does on every input, where it cannot even begin."""
    alike = {(got.error, got.message) for got in seen}
    return seen[0] if len(alike) == 1 and seen[0].error in AT_ONCE else None


def cure(seen: Sequence[Observation], shown: Sequence[Observation]) -> str | None:
    """The sentence for a missing name, or for a common error on inputs that are `shown`: by one on
    hidden inputs an answer could spell them."""
    got = everywhere(seen)
    if got and (name := re.match(r"name '(\w+)' is not defined", got.message)):
        return NO_NAME.format(name[1])
    found = (
        says for one in shown for words, says in CURES.items() if re.search(words, one.message)
    )
    return next(found, None)
