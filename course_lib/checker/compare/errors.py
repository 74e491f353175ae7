"""What is said of an answer that ended in an error: which limit it met, or what helps."""

import re
from collections.abc import Sequence

from course_lib.checker import limits
from course_lib.checker.compare.fits import fits
from course_lib.checker.compare.parameters import about_parameters
from course_lib.checker.compare.usual_errors import ADVICE
from course_lib.checker.limits import TimeLimit
from course_lib.checker.run.blocks import KeptBlocks
from course_lib.checker.run.inputs import AFTERWARDS, INSIDE, Observation, out_of_memory
from course_lib.checker.run.tensors import AllAtOnce, Elsewhere, LeftToTorch

STOPPED = {
    TimeLimit: "It took longer than {0:g} s of the processor, which is the limit for all inputs of "
    "a task together, or {1:g} times as long by the clock. Perhaps a loop never ends, or one in "
    "Python does what a product of arrays does.",
    AllAtOnce: "It makes a tensor that is larger than this task allows: it grows with T·S.",
    KeptBlocks: "It makes a tensor that holds more than one block. Let each block go before the "
    "next one comes.",
    Elsewhere: "Its result is not where its inputs are. Make each tensor on their device, as in "
    "`torch.zeros(n, device=x.device)`, and leave out `.cpu()`.",
    LeftToTorch: "It leaves the task to a function of torch. Write the steps yourself.",
}
# What torch says where tensors of two devices meet has one of these in it.
TWO_DEVICES = ("on the same device", "not on the expected device")
NEW_TENSORS = (
    "It brings together tensors on two devices. Make each new one where the inputs are, as in "
    "`torch.arange(n, device=x.device)`."
)
SENTENCES = {kind.__name__: sentence for kind, sentence in STOPPED.items()}
AT_ONCE = ("NameError", "ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError")
# What is so general that the line has to be told.
OF_SHAPES = ("do not line up", "A new shape must hold", "In `a @ b` the last axis")
PRODUCTS = ("@", "matmul", "bmm", "mm(", "mv(", "dot(", "einsum", "linear(")
OF_A_LAYER = (
    "A layer takes as many numbers in the last axis as it was made for, and is given another "
    "number of them. Write down the shape of what you give it; an earlier line may have made it."
)
NO_NAME = (
    "Nothing that is handed in defines `{0}`. Import it in the first cell of code, or define it."
)


def stopped(got: Observation) -> str | None:
    """The sentence for an answer that met a limit of ours; it tells nothing of the inputs."""
    if out_of_memory(got):
        return "It needs more memory than it may have."
    if got.error == "RuntimeError" and any(part in got.message for part in TWO_DEVICES):
        return NEW_TENSORS
    return (SENTENCES.get(got.error or "") or "").format(limits.SECONDS, limits.PATIENCE) or None


def ran(got: Observation) -> bool:
    """Whether an answer came to an end of its own, a result or an error, on an input."""
    never = got.error in (TimeLimit.__name__, *AT_ONCE)
    return not (never or out_of_memory(got))


def everywhere(seen: Sequence[Observation]) -> Observation | None:
    """What an answer does on every input, where it cannot even begin."""
    alike = {(got.error, got.message) for got in seen}
    return seen[0] if len(alike) == 1 and seen[0].error in AT_ONCE else None


def advice(
    seen: Sequence[Observation], shown: Sequence[Observation], library: str = "torch"
) -> str | None:
    """The sentence for a missing name, or for a common error on inputs that are `shown`: by one on
    hidden inputs an answer could spell them."""
    shown = [one for one in shown if not one.message.startswith((AFTERWARDS, INSIDE))]
    got = everywhere(seen)
    if got and (name := re.match(r"name '(\w+)' is not defined", got.message)):
        return NO_NAME.format(name[1])
    for one in shown:
        if fault := about_parameters(one.message):
            return fault
    if said := fits(shown, library):
        return said
    found = [
        (says, one.line)
        for one in shown
        for words, says in ADVICE.items()
        if re.search(words, one.message)
    ]
    all_said = [says for says, _ in found]
    said = max(all_said, key=all_said.count, default=None)  # by chance lengths are equal in a draw
    line = next((line for says, line in found if says == said), "")
    if said and OF_SHAPES[-1] in said and "(" in line and not any(at in line for at in PRODUCTS):
        said = OF_A_LAYER
    is_general = said is not None and any(words in said for words in (*OF_SHAPES, OF_A_LAYER))
    return f"{said} It is about the line `{line}`." if is_general and line else said
