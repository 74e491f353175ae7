"""Additive attention: the kernel against Keras, the naive broadcast, and torch.compile of it.

And the kernel on two threads and on one, while another process keeps one processor busy.
"""

import os
import subprocess
import sys
from collections.abc import Callable

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
    if torch.get_num_threads() > 1:
        beside_another(leaves)


def beside_another(leaves: list[torch.Tensor]) -> None:
    """One thread and two in turn, while another process is busy all the time."""
    before = torch.get_num_threads()

    def on(threads: int, backward: bool) -> Callable[[], None]:
        def run() -> None:
            torch.set_num_threads(threads)
            with torch.set_grad_enabled(backward):
                out = additive_attention(*leaves)
            if backward:
                torch.autograd.grad(out.sum(), leaves)

        return run

    rows, sizes = [], {"T": leaves[0].shape[1], "S": leaves[1].shape[1], "d": leaves[2].shape[0]}
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as neighbour:
        for passes, backward in (("forward", False), ("forward + backward", True)):
            runs = {f"{n} thread" + "s" * (n > 1): on(n, backward) for n in (1, 2)}
            rows += against("1 thread", take_turns(runs, 9), passes=passes, **sizes)
        neighbour.kill()
    torch.set_num_threads(before)
    write("additive_beside_another", rows)


BUFFER = torch.randn(2**18)


def tanh_alone(count: int) -> None:
    """As many tanh as the naive path needs, at full speed: in place, in a cached buffer."""
    for _ in range(count // len(BUFFER)):
        BUFFER.tanh_()
