"""Attention on a CUDA device beside torch's kernels. No run of it is committed yet.

python -m benchmarks gpu    runs the tests marked cuda, under compute-sanitizer where there is one,
                            then checks and times each contender; one table, results/gpu.csv

Without a CUDA device it checks every contender that runs on a CPU at tiny sizes, times nothing
and writes nothing. Needs torch, Triton, jaxtyping and, for the tests, pytest and hypothesis.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import Tensor

from benchmarks import gpu_contenders, measure

ROOT = Path(__file__).parents[1]
LENGTHS = (1024, 2048, 4096, 8192, 16384, 32768)
TOKENS, D_MODEL = 16384, 2048  # batch × length and heads × d: the same memory at each length
MOST_ERROR = {torch.bfloat16: 2e-2, torch.float32: 1e-3}  # norm of the difference over the norm
SCORES = 2**21  # of one head that the float64 reference holds at once
MEASURED = ("passes", "error", "ms", "TFLOP_per_s", "share", "MiB", "note")
Row = dict[str, object]


def milliseconds(run: Callable[[], object], rounds: int = 20) -> float:
    """The median of single runs, timed on the device; the cache is emptied before each."""
    flush = torch.empty(2**26, dtype=torch.int32, device="cuda")
    for _ in range(5):
        run()
    times = []
    for _ in range(rounds):
        flush.zero_()
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return sorted(times)[rounds // 2]


def ceiling() -> float:
    """TFLOP/s of a large bfloat16 matrix product: what this device can reach at all."""
    n = 8192
    a, b = torch.randn(2, n, n, device="cuda", dtype=torch.bfloat16)
    return 2 * n**3 / milliseconds(lambda: a @ b) / 1e9


def exact(attend: Callable, inputs: list[Tensor], grad: Tensor) -> list[Tensor]:
    """Output and gradients in float64, some queries at a time: `attend(rows, *inputs)`."""
    inputs = [x.detach().double().requires_grad_() for x in inputs]
    outputs, gradients = [], [torch.zeros_like(x) for x in inputs]
    step = max(16, SCORES // inputs[1].shape[-2])
    for start in range(0, inputs[0].shape[-2], step):
        rows = slice(start, start + step)
        out = attend(rows, *inputs)
        parts = torch.autograd.grad(out, inputs, grad[..., rows, :].double())
        for total, part in zip(gradients, parts, strict=True):
            total += part
        outputs.append(out.detach())
    return [torch.cat(outputs, -2), *gradients]


def error(found: list[Tensor], expected: list[Tensor]) -> float:
    """The largest relative difference; infinite where a shape differs."""
    pairs = list(zip(found, expected, strict=True))
    if any(x.shape != y.shape for x, y in pairs):
        return float("inf")
    return max(((x.double() - y).norm() / y.norm()).item() for x, y in pairs)


def measured(
    setting: Row, contender: Callable, inputs: list[Tensor], head: Callable, flop: float, top: float
) -> Iterator[Row]:
    """A row for each pass, once the result is right; head takes the part that is checked."""
    leaves = [x.detach().requires_grad_() for x in inputs]
    row = setting | dict.fromkeys(MEASURED, "")
    on_gpu = inputs[0].is_cuda
    try:
        out = contender(*leaves)
        grad = torch.randn(out.shape, device=out.device, dtype=out.dtype)
        found = [out, *torch.autograd.grad(out, leaves, grad, retain_graph=True)]
        wrong = head(found, grad)
        row["error"] = f"{wrong:.1e}"
        if not wrong <= MOST_ERROR[out.dtype]:
            yield row | {"note": "wrong result, not timed"}
        elif not on_gpu:
            yield row | {"note": "right"}
        else:
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
            runs = {
                "forward": (lambda: contender(*inputs), flop),
                "backward": (
                    lambda: torch.autograd.grad(out, leaves, grad, retain_graph=True),
                    2.5 * flop,
                ),
            }
            for passes, (run, work) in runs.items():
                ms = milliseconds(run)
                rate = work / ms / 1e9
                peak = (torch.cuda.max_memory_allocated() - before) / 2**20
                yield row | {
                    "passes": passes, "ms": round(ms, 4), "MiB": round(peak),
                    "TFLOP_per_s": round(rate, 1) if flop else "",
                    "share": round(rate / top, 3) if flop else "",
                }  # fmt: skip
    except (RuntimeError, torch.OutOfMemoryError) as problem:
        yield row | {"note": "did not run: " + str(problem).strip().splitlines()[0][:120]}


def flash(device: str, lengths: tuple[int, ...], top: float) -> Iterator[Row]:
    """Prefill and training: T = S in bfloat16."""
    for d in (64, 128):
        for T in lengths:
            H, N = (D_MODEL // d, max(1, TOKENS // T)) if device == "cuda" else (2, 1)
            inputs = list(torch.randn(3, N, H, T, d, device=device, dtype=torch.bfloat16))
            for is_causal in (False, True):
                flop = 4 * N * H * T * T * d / (2 if is_causal else 1)
                yield from _scaled_dot("flash", inputs, is_causal, flop, top)


def decode(device: str, lengths: tuple[int, ...], top: float) -> Iterator[Row]:
    """One query of 32 heads over S keys of 8 heads: what generation does at every token."""
    for S in lengths:
        q = torch.randn(1, 32, 1, 128, device=device, dtype=torch.bfloat16)
        k, v = torch.randn(2, 1, 8, S, 128, device=device, dtype=torch.bfloat16)
        yield from _scaled_dot("decode", [q, k, v], False, 4 * 32 * S * 128, top)


def _scaled_dot(
    part: str, inputs: list[Tensor], is_causal: bool, flop: float, top: float
) -> Iterator[Row]:
    (_, H, T, d), (h, S) = inputs[0].shape, inputs[1].shape[1:3]
    some = [inputs[0][:1, : H // h], inputs[1][:1, :1], inputs[2][:1, :1]]  # one head of keys
    gradient, expected = None, None

    def head(found: list[Tensor], grad: Tensor) -> float:
        nonlocal gradient, expected
        if gradient is None:
            gradient = grad[:1, : H // h]
            attend = gpu_contenders.formula(is_causal)
            expected = exact(attend, some, gradient)
        cut = found[0][:1, : H // h], found[1][:1, : H // h], found[2][:1, :1], found[3][:1, :1]
        return error(list(cut), expected)

    for name, contender in gpu_contenders.scaled_dot(is_causal, h != H, T, S, inputs[0].device):
        setting = {"part": part, "contender": name, "d": d, "T": T, "S": S, "is_causal": is_causal}
        torch.manual_seed(0)  # the same gradient for each
        yield from measured(setting, contender, inputs, head, flop, top)


def additive(device: str, lengths: tuple[int, ...], top: float) -> Iterator[Row]:
    """Additive attention in float32; a tanh has no agreed number of operations."""
    d = 128 if device == "cuda" else 64
    for T in lengths:
        shapes = (1, T, d), (1, T, d), (d,), (1, T, d)
        inputs = [torch.randn(s, device=device) for s in shapes]
        inputs[2] /= d**0.5

        def head(found: list[Tensor], grad: Tensor, inputs: list[Tensor] = inputs) -> float:
            return error(found, exact(gpu_contenders.additive_formula, inputs, grad))

        for name, contender in gpu_contenders.additive(T):
            setting = {"part": "additive", "contender": name, "d": d, "T": T, "S": T}
            yield from measured(setting | {"is_causal": False}, contender, inputs, head, 0, top)


def tests() -> str:
    """What the tests marked cuda came to, in a line."""
    missing = [name for name in ("pytest", "hypothesis") if importlib.util.find_spec(name) is None]
    if missing:
        return f"the tests marked cuda did not run: {' and '.join(missing)} not installed"
    command = [sys.executable, "-m", "pytest", "-q", "-m", "cuda"]
    command += ["tests/kernels", "tests/attention"]
    sanitizer, env = shutil.which("compute-sanitizer"), dict(os.environ)
    if sanitizer:
        options = ["--tool", "memcheck", "--target-processes", "all", "--error-exitcode", "99"]
        command = [sanitizer, *options, *command]
        env["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"  # or one block of memory would hide its edges
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    sys.stdout.write(done.stdout[-4000:] + done.stderr[-4000:])
    summary = next((x for x in reversed(done.stdout.splitlines()) if " in " in x), "no summary")
    under = "under compute-sanitizer" if sanitizer else "without compute-sanitizer"
    return f"exit {done.returncode} {under}: {summary.strip('= ')}"


def main() -> None:
    if not torch.cuda.is_available():
        print("torch finds no CUDA device here: a dry run at tiny sizes, nothing is timed.")
        for part in (flash, decode, additive):
            for row in part("cpu", (48,), 1.0):
                print(*(f"{key}={value}" for key, value in row.items() if value != ""))
        return
    import triton

    result, top = tests(), ceiling()
    rows = [row for part in (flash, decode, additive) for row in part("cuda", LENGTHS, top)]
    about = {"device": torch.cuda.get_device_name(), "triton": triton.__version__}
    about |= {"matmul_TFLOP_per_s": f"{top:.0f}", "tests": result}
    measure.write("gpu", rows, **about)
