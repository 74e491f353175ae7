"""Run an answer once on one set of inputs and write down, as plain data, what happened.

This is the only code that stands between student code and the judge: in a notebook it runs in the
student's own process, in grading inside a sealed cell. It holds no expected value.
"""

import contextlib
import io
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import (
    Candidate,
    Inputs,
    Observation,
    Opaque,
    Transposed,
    Verdict,
)
from course_lib.checker.run.values import build_value, observe_value, same_bits, type_name
from course_lib.checker.run.watch import watched


class Elsewhere(Exception):
    """A result of the answer is not on the device of its inputs."""


class _Swallow(io.TextIOBase):
    """A stream that remembers only that something was written."""

    written = False

    def write(self, text: str) -> int:
        self.written = self.written or bool(text)
        return len(text)


def execute(answer: Callable, inputs: Inputs, library: str) -> Observation:
    """Call `answer` with fresh copies of `inputs`. What the answer raises is part of the result;
    only KeyboardInterrupt passes through."""
    output = _Swallow()
    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        _as_torch_begins(inputs.device),
    ):
        warnings.simplefilter("ignore")
        try:
            result = _call(answer, inputs, library)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit too: an answer must not end the checker
            result = {"error": _name(error), "message": _message(error)}
    return Observation(printed=output.written, **result)


@contextlib.contextmanager
def _as_torch_begins(device: str) -> Iterator[None]:
    """An answer may be checked inside `no_grad`, or switch gradients off and forget it, or change
    the default dtype. What it draws at random is the same at each call, so that what it does can be
    recognised."""
    torch = sys.modules.get("torch")  # NumPy exercises never import it
    if torch is None:
        yield
        return
    state, dtype = torch.get_rng_state(), torch.get_default_dtype()
    torch.set_default_dtype(torch.float32)
    torch.default_generator.manual_seed(0)  # torch.manual_seed would seed every device
    on_cuda = device.startswith("cuda")
    state_there = torch.cuda.get_rng_state(device) if on_cuda else None
    try:
        if on_cuda:
            torch.cuda.manual_seed_all(0)
        with torch.enable_grad():
            yield
    finally:
        torch.set_rng_state(state)
        if on_cuda:
            torch.cuda.set_rng_state(state_there, device)
        torch.set_default_dtype(dtype)


def describe_error(error: BaseException) -> Observation:
    """The observation of an answer that could not even be run."""
    return Observation(error=_name(error), message=_message(error))


def _call(answer: Callable, inputs: Inputs, library: str) -> dict[str, Any]:
    wants_grad = inputs.upstream is not None
    place = {"library": library, "device": inputs.device}
    args = [build_value(value, requires_grad=wants_grad, **place) for value in inputs.args]
    kwargs = {name: build_value(value, **place) for name, value in inputs.kwargs.items()}
    given = (*inputs.args, *inputs.kwargs.values())
    function = answer if inputs.init is None else _construct(answer, inputs, library)
    if inputs.examiner is not None:
        function = partial(build_value(inputs.examiner, library), function)
    # Clones keep in-place writes of an answer from failing on leaf tensors: they are reported as
    # changed inputs, which says more than autograd's error does.
    passed = [arg.clone() if wants_grad and _is_float_tensor(arg) else arg for arg in args]
    if any(isinstance(value, Candidate) for value in inputs.args):
        return {"value": _verdict(function, passed)}
    with watched(inputs.largest):
        value = function(*passed, **kwargs)
    if inputs.device != "cpu":
        _stays(value, [*passed, *kwargs.values()])
    leaves = {str(i): arg for i, arg in enumerate(args) if _is_float_tensor(arg)}
    if inputs.init is not None:
        leaves |= dict(function.named_parameters())
    return {
        "value": observe_value(value),
        "gradients": _gradients(value, inputs.upstream, leaves) if wants_grad else None,
        "changed": _changed(given, [*passed, *kwargs.values()]),
    }


def _stays(value: Any, given: list) -> None:
    """Refuse a result that is not where the inputs are; without a tensor among them, none is."""
    torch = sys.modules["torch"]
    inputs = [one.device for one in given if isinstance(one, torch.Tensor)]
    results = value if isinstance(value, tuple | list) else [value]
    for one in results if inputs else ():
        if isinstance(one, torch.Tensor) and one.device != inputs[0]:
            raise Elsewhere(f"the result is on {one.device}, the inputs are on {inputs[0]}")


def _verdict(test: Callable, candidates: list) -> Verdict:
    """Any exception refuses, but for those that say nothing of the candidate."""
    try:
        with _no_distributed_tensors():
            test(*candidates)
    except (NotImplementedError, MemoryError):
        raise
    except Exception as error:
        return Verdict(True, f"{_name(error)}: {_message(error)}".rstrip(": "))
    return Verdict(False)


@contextlib.contextmanager
def _no_distributed_tensors() -> Iterator[None]:
    """Else `torch.testing.assert_close` imports sympy to ask about them, which takes seconds."""
    comparison = sys.modules.get("torch.testing._comparison")
    before = getattr(comparison, "_HAS_DTENSOR", None)
    try:
        if before is not None:
            comparison._HAS_DTENSOR = False
        yield
    finally:
        if before is not None:
            comparison._HAS_DTENSOR = before


def _construct(answer: Callable, inputs: Inputs, library: str) -> Any:
    import torch

    module = answer(*inputs.init)
    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"the class makes a {type_name(module)}; it must be a torch.nn.Module")
    state = {name: build_value(value, library) for name, value in inputs.state.items()}
    dtype = next(iter(state.values())).dtype if state else torch.get_default_dtype()
    module = module.to(inputs.device, dtype)
    _need_parameters(module, state)
    module.load_state_dict(state, strict=True)
    return module.eval()


def _need_parameters(module: Any, state: dict[str, Any]) -> None:
    """Say what torch's own error says, in one line."""
    have = {name: tuple(value.shape) for name, value in module.state_dict().items()}
    need = {name: tuple(value.shape) for name, value in state.items()}
    if have != need:
        extra = ", ".join(f"{k} {v}" for k, v in have.items() if need.get(k) != v) or "nothing"
        missing = ", ".join(f"{k} {v}" for k, v in need.items() if have.get(k) != v) or "nothing"
        raise TypeError(f"the parameters do not fit: it has {extra} where {missing} is needed")


def _is_float_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor) and value.is_floating_point()


def _gradients(value: Any, upstream: tuple, leaves: dict[str, Any]) -> Any:
    """The gradients of sum(output * upstream) for each leaf; zeros where there is no path."""
    import torch

    several = value if type(value) in (tuple, list) else (value,)
    outputs = [out for out in several if _is_float_tensor(out)]
    pairs = list(zip(outputs, upstream, strict=False))
    if not pairs or any(out.shape != up.shape for out, up in pairs):
        return Opaque("the outputs have no gradient of the needed shape")
    if not any(out.requires_grad for out, _ in pairs):
        return Opaque("no gradient flows back: the result is cut off from the inputs (`detach`?)")
    # One scalar, not `grad_outputs`: those make torch import sympy, which costs seconds.
    total = sum(
        (out * torch.from_numpy(up.copy()).to(out)).sum() for out, up in pairs if out.requires_grad
    )
    try:
        grads = torch.autograd.grad(
            total, list(leaves.values()), allow_unused=True, materialize_grads=True
        )
    except RuntimeError as error:
        return Opaque(f"the gradient could not be taken: {_message(error)}")
    return observe_value(dict(zip(leaves, grads, strict=True)))


def _changed(originals: tuple, passed: list) -> tuple[int, ...]:
    """The positions of arguments that no longer hold what they were given."""
    pairs = enumerate(zip(originals, passed, strict=True))
    return tuple(i for i, (before, after) in pairs if _differs(before, after))


def _differs(before: Any, after: Any) -> bool:
    if isinstance(before, tuple | list):
        return len(before) != len(after) or any(map(_differs, before, after))
    if isinstance(before, set | dict):
        return before != after
    before = before.data if isinstance(before, Transposed) else before
    if not isinstance(before, np.ndarray):
        return False
    now = np.asarray(after.detach().cpu() if hasattr(after, "detach") else after)
    return not same_bits(now, before)


def _name(error: BaseException) -> str:
    return type_name(error).rpartition(".")[2]


def _message(error: BaseException) -> str:
    """An exception's message on one line, short enough for a report."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # an exception whose own __str__ raises
        return ""
    return text[:300] if text != "None" else ""
