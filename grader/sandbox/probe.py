"""Find the strongest sandbox that holds here, by trying to break out of it."""

from course_lib.checker.errors import ProfileError
from course_lib.checker.run.inputs import Inputs
from grader.sandbox.inside.protocol import FrameError, encode
from grader.sandbox.profiles import candidates, refusal
from grader.sandbox.results import read_observations
from grader.sandbox.sandbox import OurFault, Sandbox
from grader.sandbox.scratch import remove_left_folders

# Each attempt must fail inside the cell; the answer is the list of those that did not.
ATTEMPTS = """
import importlib, os, socket

def fork():
    if os.fork() == 0:
        os._exit(0)

def write():  # a name that nobody could put a link at, and nothing is left behind
    name = f"/tmp/attn-probe-{os.urandom(8).hex()}"
    open(name, "x").close()
    os.remove(name)

def probe(place):
    attempts = {
        "start a process": fork,
        "open a network socket": socket.socket,
        "write a file": write,
        "read the course's solutions": lambda: open(place),
        "import the course's solutions": lambda: importlib.import_module("course_lib.formulas"),
        "signal another process": lambda: os.kill(os.getppid(), 0),
    }
    broken = []
    for name, attempt in attempts.items():
        try:
            attempt()
        except (OSError, ImportError):
            continue
        broken.append(name)
    return broken
"""


def find_sandbox(
    memory: int, trust: bool = False, only: str | None = None
) -> tuple[Sandbox, list[str]]:
    """A sandbox of the strongest profile that holds, warm and for the caller to stop, and why each
    stronger profile does not hold. Raises ProfileError when none does."""
    remove_left_folders()
    reasons = []
    for profile in candidates(trust, only):
        sandbox = Sandbox(profile, memory)
        try:
            broken = _broken(sandbox)
            if not broken or profile.name == "trusted":
                return sandbox, reasons
            reasons.append(f"{profile.name}: a cell could {', '.join(broken)}")
        except OurFault as error:
            reasons.append(f"{profile.name}: {error}")
        sandbox.stop()
    tried = f" Tried: {'; '.join(reasons)}." if reasons else ""
    raise ProfileError(refusal() + tried)


def _broken(sandbox: Sandbox) -> list[str]:
    request = {
        "task": "probe",
        "library": "numpy",
        "refused": [],
        "pieces": ((ATTEMPTS, None),),
        "inputs": [Inputs((__file__,))],
        "seconds": 60,
    }
    outcome = sandbox.run(encode(request), 60.0)
    try:
        (seen,) = read_observations(outcome.frame, 1)
    except FrameError:
        raise OurFault(f"the probe ended with {outcome.kind!r}") from None
    if type(seen.value) is not list:
        raise OurFault(f"the probe raised {seen.error}: {seen.message}")
    return seen.value
