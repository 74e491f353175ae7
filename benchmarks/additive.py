"""Additive attention: the kernel against Keras, the naive broadcast, and torch.compile of it."""

import os

os.environ["KERAS_BACKEND"] = "torch"

import keras
import torch

from benchmarks.measure import against, peak_bytes, take_turns, write
from course_lib.kernels import additive_attention


def naive(q, k, v_a, values):
    hidden = torch.tanh(q[:, :, None] + k[:, None])  # (B, T, S, a)
    return torch.softmax(hidden @ v_a, -1) @ values


def contenders(T: int, d: int) -> dict[str, object]:
    """Each takes the same four tensors. Keras holds v_a itself, as its `scale`."""
    layer = keras.layers.AdditiveAttention(use_scale=True)
    layer.build([(1, T, d), (1, T, d), (1, T, d)])

    def by_keras(q, k, v_a, values):
        layer.scale.value.data.copy_(v_a.detach())
        return layer([q, values, k])

    return {
        "course_lib": additive_attention,
        "naive broadcast": naive,
        "torch.compile of naive": torch.compile(naive),
        "Keras AdditiveAttention": by_keras,
    }


def main() -> None:
    rows = []
    for T, rounds in ((16, 1000), (256, 15), (1024, 5)):
        d = 128
        torch.manual_seed(0)
        tensors = [torch.randn(s) for s in ((1, T, d), (1, T, d), (d,), (1, T, d))]
        tensors[2] /= d**0.5
        leaves = [x.clone().requires_grad_() for x in tensors]
        paths = contenders(T, d)
        expected = naive(*tensors)

        def forward(f, tensors=tensors):
            with torch.no_grad():
                return f(*tensors)

        def both(f, leaves=leaves):
            for x in leaves:
                x.grad = None
            f(*leaves).sum().backward()

        for name, f in paths.items():
            torch.testing.assert_close(forward(f).cpu(), expected, msg=name)
        for passes, run in (("forward", forward), ("forward + backward", both)):
            runs = {name: lambda f=f, run=run: run(f) for name, f in paths.items()}
            if T == 1024 and passes == "forward":
                runs["its tanh alone"] = lambda T=T, d=d: tanh_alone(T * T * d)
            found = against("course_lib", take_turns(runs, rounds), passes=passes, T=T, S=T, d=d)
            for row in found:
                row["peak_MiB"] = ""
                if T == 1024:
                    row["peak_MiB"] = round(peak_bytes(runs[row["contender"]]) / 2**20, 1)
            rows += found
        write("additive", rows, keras=keras.__version__)


BUFFER = torch.randn(2**18)


def tanh_alone(count: int) -> None:
    """As many tanh as the naive path needs, at full speed: in place, in a cached buffer."""
    for _ in range(count // len(BUFFER)):
        BUFFER.tanh_()
