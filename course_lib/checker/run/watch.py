"""Watch how large the tensors are that an answer makes: some tasks ask for little at a time."""

import contextlib
from typing import Any

WHOLE = {"scaled_dot_product_attention", "multi_head_attention_forward"}  # torch's own attention


class AllAtOnce(Exception):
    """A tensor of the answer is larger than the task allows."""


class LeftToTorch(Exception):
    """The answer hands the whole task to one function of torch."""


def watched(largest: int | None) -> contextlib.AbstractContextManager:
    """Within it, a tensor of more than `largest` numbers raises AllAtOnce; None watches nothing.

    What counts is the memory behind a tensor, so that a view of something small stays small.
    """
    return contextlib.nullcontext() if largest is None else _watch(largest)


def _watch(largest: int) -> contextlib.AbstractContextManager:
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
                if isinstance(item, torch.Tensor) and _numbers(item) > largest:
                    raise AllAtOnce
            return out

    return Watch()


def _numbers(tensor: Any) -> int:
    try:
        return tensor.untyped_storage().nbytes() // tensor.element_size()
    except NotImplementedError:  # a wrapper of torch.func has no memory of its own
        return tensor.numel()
