"""Sentences for an answer that met a limit of ours, or of the device that it runs on."""

from course_lib.checker.limits import TimeLimit
from course_lib.checker.run.execute import Elsewhere
from course_lib.checker.run.inputs import Observation
from course_lib.checker.run.respond import out_of_memory
from course_lib.checker.run.watch import AllAtOnce, LeftToTorch

STOPPED = {
    TimeLimit: "It did not finish within the time limit: is there a loop that never ends?",
    AllAtOnce: "It makes a tensor that is larger than this task allows: it grows with T·S.",
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


def stopped(got: Observation) -> str | None:
    """The sentence for an answer that met a limit of ours; it tells nothing of the inputs."""
    if out_of_memory(got):
        return "It needs more memory than it may have."
    if got.error == "RuntimeError" and any(part in got.message for part in TWO_DEVICES):
        return NEW_TENSORS
    return SENTENCES.get(got.error)
