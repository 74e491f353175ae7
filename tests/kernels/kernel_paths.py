"""What the tests of the fast paths share: the readable path, and how far apart two paths are."""

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from course_lib.formulas.softmax import masked_softmax
from course_lib.gate.attention import attend
from course_lib.gate.masks import causal_mask
from course_lib.gate.scores import additive_scores


def readable_flash(q: Tensor, k: Tensor, v: Tensor, mask=None, *, is_causal=False, scale=None):
    """softmax(scale · Q Kᵀ) V, written out; grouped heads are repeated."""
    if q.ndim > 2:
        groups = q.shape[-3] // k.shape[-3]
        k, v = k.repeat_interleave(groups, -3), v.repeat_interleave(groups, -3)
    scores = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    mask = torch.ones((), dtype=torch.bool, device=q.device) if mask is None else mask
    if is_causal:
        mask = mask & causal_mask(q.shape[-2], k.shape[-2], device=q.device)
    return masked_softmax(scores, mask.expand(scores.shape)) @ v


def readable_additive(q, k, v_a, values, mask=None):
    return attend(additive_scores(q, k, v_a), values, mask)[0]


def gap(fast, readable, inputs, *args, **settings) -> float:
    """The largest difference between two paths: outputs, and gradients where asked for."""
    inputs = [x.detach().requires_grad_() for x in inputs]
    outputs = [f(*inputs, *args, **settings) for f in (fast, readable)]
    assert outputs[0].shape == outputs[1].shape
    assert outputs[0].dtype == outputs[1].dtype
    grad = torch.randn_like(outputs[1])
    both = [[out, *torch.autograd.grad(out, inputs, grad)] for out in outputs]
    assert all(x.isfinite().all() for x in both[0])
    return max((x - y).abs().max().item() for x, y in zip(*both, strict=True))


def largest_tensor(run) -> int:
    """Bytes of the largest tensor that any operation inside `run` creates, backward included."""

    class Record(TorchDispatchMode):
        largest = 0

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            for x in result if isinstance(result, tuple | list) else (result,):
                if isinstance(x, Tensor):
                    self.largest = max(self.largest, x.untyped_storage().nbytes())
            return result

    with Record() as record:
        run()
    return record.largest
