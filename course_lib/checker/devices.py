"""Where an answer can be checked: on the CPU, and what uses torch also on a CUDA device."""

from course_lib.checker.run.inputs import Candidate
from course_lib.checker.tasks.sampler import Sampler
from course_lib.checker.tasks.task import Task

NO_SUCH = "device is {0!r}; it must be 'cpu', 'cuda' or 'cuda:' with a number."
NUMPY = "`{0}` works on NumPy arrays, which are on the CPU: check it without `device`."
OWN_TENSORS = "The cases of `{0}` make their tensors on the CPU: check it without `device`."
NO_CUDA = (
    "device is {0!r}, but torch {1} sees no CUDA device here. In Colab choose Runtime, Change "
    "runtime type, GPU; on your own machine install a torch built for CUDA; or check without "
    "`device`."
)
TOO_FEW = "device is {0!r}, but torch sees {1} CUDA devices here, from 'cuda:0' on."


def why_not_on(device: object, task: Task) -> str | None:
    """The sentence for a device on which a task cannot be checked; None where it can be."""
    name = str(device)
    kind, _, number = name.partition(":")
    if kind not in ("cpu", "cuda") or not (number.isdecimal() or name == kind):
        return NO_SUCH.format(name)
    if name == "cpu":
        return None
    if task.library == "numpy":
        return NUMPY.format(task.name)
    first = task.cases[0]
    inputs = first.inputs(Sampler(0, first.sizes[0], first.dtypes[0]))
    if inputs.examiner is not None or any(isinstance(one, Candidate) for one in inputs.args):
        return OWN_TENSORS.format(task.name)
    import torch

    if kind == "cuda" and not torch.cuda.is_available():
        return NO_CUDA.format(name, torch.__version__)
    count = torch.cuda.device_count()
    return TOO_FEW.format(name, count) if kind == "cuda" and int(number or 0) >= count else None
