"""What every test shares: shape checking, one thread, fixed seeds, and the devices there are."""

import importlib.util
import os
import random
import secrets

import jaxtyping
import pytest
import torch
from hypothesis import HealthCheck, settings
from jaxtyping import config, install_import_hook

# Triton reads this once, when it is imported: without a GPU its kernels run in its interpreter.
if not torch.cuda.is_available():
    os.environ.setdefault("TRITON_INTERPRET", "1")

# From here on, every annotation in course_lib is checked at every call. It must come before the
# first `import course_lib`. An image with a GPU may lack beartype; `test_conftest.py` says so.
if importlib.util.find_spec("beartype"):
    install_import_hook("course_lib", "beartype.beartype")


def checked_when_made(jaxtyped):
    """The import hook's decorator, but for a function inside a function that is made while the
    annotations are switched off: to wrap it costs more than most of them compute."""

    def decorator(*, typechecker):
        check = jaxtyped(typechecker=typechecker)

        def decorate(made):
            is_inner = "<locals>" in getattr(made, "__qualname__", "")
            return made if is_inner and config.jaxtyping_disable else check(made)

        return decorate

    return decorator


jaxtyping.jaxtyped = checked_when_made(jaxtyping.jaxtyped)

torch.set_num_threads(1)

# The same examples on every machine; HYPOTHESIS_PROFILE=nightly looks for new ones.
settings.register_profile(
    "default",
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.register_profile(
    "nightly",
    max_examples=2000,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session", autouse=True)
def nested_runs(tmp_path_factory):
    """A pytest closes its root of temporary folders to other users when it starts. One that a test
    starts has a root of its own, or it would close that of the tests which run beside it."""
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(tmp_path_factory.mktemp("nested"))


@pytest.fixture(autouse=True)
def seed(monkeypatch):
    """The same draws on every run, also where the checker and a gradebook take fresh ones."""
    torch.manual_seed(0)
    chance = random.Random(int(os.environ.get("COURSE_SEED", 0)))
    monkeypatch.setattr(secrets, "randbits", chance.getrandbits)
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: chance.randbytes(size))


@pytest.fixture(
    params=[
        "cpu",
        pytest.param(
            "cuda",
            marks=[
                pytest.mark.cuda,
                pytest.mark.skipif(
                    not torch.cuda.is_available(), reason="this machine has no CUDA device"
                ),
            ],
        ),
    ]
)
def device(request) -> torch.device:
    """Run the test on the CPU and, where there is one, on the GPU."""
    return torch.device(request.param)


@pytest.fixture
def as_a_user():
    """Switch the annotations off, so that course_lib's own errors are seen, as a user sees them."""
    before = config.jaxtyping_disable
    config.update("jaxtyping_disable", True)
    yield
    config.update("jaxtyping_disable", before)


def pytest_collection_modifyitems(config, items):
    """Weights are computed on the readable path alone: where a test asks for them, the fast one
    would run the same code again."""
    same = {i for i in items if asks_for_weights(i) and i.callspec.params.get("path") == "fast"}
    if same:
        config.hook.pytest_deselected(items=[item for item in items if item in same])
        items[:] = [item for item in items if item not in same]


def asks_for_weights(item) -> bool:
    return hasattr(item, "callspec") and item.callspec.params.get("need_weights") is True


@pytest.fixture(params=["readable", "fast"])
def path(request, monkeypatch) -> str:
    """Run the test without the fast paths, and with them at every size."""
    from course_lib.kernels import additive, additive_blocked, choose, flash

    if request.param == "readable":
        formula = choose.Path("readable", "the test asks for it")
        monkeypatch.setattr(choose, "choose_scaled_dot", lambda *_, **__: formula)
        monkeypatch.setattr(additive, "additive_context", lambda *_, **__: None)
    else:
        monkeypatch.setattr(choose, "MAX_READABLE", 0)
        monkeypatch.setattr(additive_blocked, "BLOCK_NUMBERS", 60)
        monkeypatch.setattr(flash, "TILE", 4)
    return request.param


@pytest.fixture
def judged_once(monkeypatch):
    """What a known mistake does with an input is found out once, not again for each answer. Returns
    the `execute` that remembers."""
    from course_lib.checker.compare import judge, wrong
    from course_lib.checker.run.execute import execute

    done = {}

    def remember(answer, inputs, library):
        key = id(answer), id(inputs)
        if key not in done:  # the objects are kept, so that no other gets their id
            done[key] = execute(answer, inputs, library), answer, inputs
        return done[key][0]

    for asks in (judge, wrong):
        monkeypatch.setattr(asks, "execute", remember)
    return remember
