"""What only answers in torch need: a fresh start, a module's parameters, gradients, and a watch
over how large their tensors are and where. Exercises in NumPy never import torch.
"""

import contextlib
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from course_lib.checker.run.blocks import KeptBlocks
from course_lib.checker.run.compiler import without_compiler
from course_lib.checker.run.inputs import Inputs, Opaque
from course_lib.checker.run.values import build_value, message_of, type_name

WHOLE = {"scaled_dot_product_attention", "multi_head_attention_forward"}  # torch's own attention
DISTRIBUTED = "torch.distributed.tensor"


class Elsewhere(Exception):
    """A result of the answer is not on the device of its inputs."""


class AllAtOnce(Exception):
    """A tensor of the answer is larger than the task allows."""


class LeftToTorch(Exception):
    """The answer hands the whole task to one function of torch."""


@contextlib.contextmanager
def as_torch_begins(device: str) -> Iterator[None]:
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
        with torch.enable_grad(), without_compiler():
            yield
    finally:
        torch.set_rng_state(state)
        if on_cuda:
            torch.cuda.set_rng_state(state_there, device)
        torch.set_default_dtype(dtype)


def construct(answer: Callable, inputs: Inputs, library: str) -> Any:
    import torch

    module = answer(*(inputs.init or ()))
    if not isinstance(module, torch.nn.Module):
        kind = type_name(module)
        raise TypeError(f"the class makes a value of type {kind}; it must be a torch.nn.Module")
    state = {name: build_value(value, library) for name, value in inputs.state.items()}
    dtype = next(iter(state.values())).dtype if state else torch.get_default_dtype()
    module = module.to(inputs.device, dtype)
    _need_parameters(module, state)
    module.load_state_dict(state, strict=True)
    return module.train(inputs.is_training)


def _need_parameters(module: Any, state: dict[str, Any]) -> None:
    """Say what torch's own error says, in one line; of layers that are only called otherwise, no
    more than that."""
    have = {name: tuple(value.shape) for name, value in module.state_dict().items()}
    need = {name: tuple(value.shape) for name, value in state.items()}
    if have == need:
        return
    mine, theirs = have.keys() - need.keys(), need.keys() - have.keys()
    renamed = sorted(have.values()) == sorted(need.values())
    if mine and renamed and all("." in name for name in mine):
        named = (
            ", ".join(dict.fromkeys(name.rpartition(".")[0] for name in one if name in other))
            for one, other in ((have, mine), (need, theirs))
        )
        raise TypeError(
            "the names of the layers do not fit: it has {} where {} are needed".format(*named)
        )
    extra = ", ".join(f"{k} {v}" for k, v in have.items() if need.get(k) != v) or "nothing"
    missing = ", ".join(f"{k} {v}" for k, v in need.items() if have.get(k) != v) or "nothing"
    raise TypeError(f"the parameters do not fit: it has {extra} where {missing} is needed")


def is_float_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor) and value.is_floating_point()


def gradients(value: Any, upstream: tuple, leaves: dict[str, Any]) -> Any:
    """The gradients of sum(output * upstream) for each leaf; zeros where there is no path."""
    import torch

    several = value if type(value) in (tuple, list) else (value,)
    outputs = [out for out in several if is_float_tensor(out)]
    pairs = list(zip(outputs, upstream, strict=False))
    if not pairs or any(out.shape != up.shape for out, up in pairs):
        return Opaque("the outputs have no gradient of the needed shape")
    if not any(out.requires_grad for out, _ in pairs):
        return Opaque("no gradient flows back: the result is cut off from the inputs (`detach`?)")
    # One scalar, not `grad_outputs`: those make torch import sympy, which costs seconds.
    total: Any = sum(
        (out * torch.from_numpy(up.copy()).to(out)).sum() for out, up in pairs if out.requires_grad
    )
    try:
        grads = torch.autograd.grad(
            total, list(leaves.values()), allow_unused=True, materialize_grads=True
        )
    except RuntimeError as error:
        return Opaque(f"the gradient could not be taken: {message_of(error)}")
    return dict(zip(leaves, grads, strict=True))


def need_same_device(value: Any, given: list) -> None:
    """Refuse a result that is not where the inputs are; without a tensor among them, none is."""
    torch = sys.modules["torch"]
    inputs = [one.device for one in given if isinstance(one, torch.Tensor)]
    results = value if isinstance(value, tuple | list) else [value]
    for one in results if inputs else ():
        if isinstance(one, torch.Tensor) and one.device != inputs[0]:
            raise Elsewhere(f"the result is on {one.device}, the inputs are on {inputs[0]}")


@contextlib.contextmanager
def no_distributed_tensors() -> Iterator[None]:
    """`torch.testing.assert_close` asks whether it has any, and imports them for it, with sympy:
    that takes seconds. Where nobody has, an empty class stands in their place."""
    if DISTRIBUTED in sys.modules:
        yield
        return
    stand_in: Any = types.ModuleType(DISTRIBUTED)
    stand_in.DTensor = type("DTensor", (), {})
    sys.modules[DISTRIBUTED] = stand_in
    try:
        yield
    finally:
        sys.modules.pop(DISTRIBUTED, None)


def watched(largest: int | None, most: int | None = None) -> contextlib.AbstractContextManager:
    """Within it, a tensor of more than `largest` numbers raises AllAtOnce, and one of more than
    `most` KeptBlocks; None watches nothing.

    What counts is the memory behind a tensor, so that a view of something small stays small.
    """
    limits = [(largest, AllAtOnce), (most, KeptBlocks)]
    limits = [(limit, error) for limit, error in limits if limit is not None]
    return _watch(limits) if limits else contextlib.nullcontext()


def _watch(limits: list[tuple[int, type[Exception]]]) -> contextlib.AbstractContextManager:
    import torch
    from torch.overrides import TorchFunctionMode

    class Watch(TorchFunctionMode):
        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if getattr(function, "__name__", "") in WHOLE:
                raise LeftToTorch
            out = function(*args, **(kwargs or {}))
            for item in out if isinstance(out, tuple | list) else (out,):
                for limit, error in limits if isinstance(item, torch.Tensor) else ():
                    if _numbers(item) > limit:
                        raise error
            return out

    return Watch()


def _numbers(tensor: Any) -> int:
    try:
        return tensor.untyped_storage().nbytes() // tensor.element_size()
    except NotImplementedError:  # a wrapper of torch.func has no memory of its own
        return tensor.numel()
