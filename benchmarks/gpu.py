"""Flash and additive attention on a CUDA device, in TFLOP/s. No run of it is committed yet.

python -m benchmarks gpu    writes results/gpu_flash.csv and results/gpu_additive.csv
"""

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from benchmarks import measure
from course_lib.kernels import additive_attention, flash_attention

TOKENS = 16384  # batch × length, the same work in memory at each length
D_MODEL = 2048


def milliseconds(run, rounds: int = 20) -> float:
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


def with_backend(backend):
    def run(q, k, v, is_causal):
        with sdpa_kernel(backend):
            return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)

    return run


PATHS = {
    "course_lib": lambda q, k, v, is_causal: flash_attention(q, k, v, is_causal=is_causal),
    "SDPA flash": with_backend(SDPBackend.FLASH_ATTENTION),
    "SDPA cuDNN": with_backend(SDPBackend.CUDNN_ATTENTION),
}


def flash() -> list[dict[str, object]]:
    rows, top = [], ceiling()
    for d in (64, 128):
        for T in (1024, 2048, 4096, 8192, 16384, 32768):
            H, N = D_MODEL // d, max(1, TOKENS // T)
            q, k, v = torch.randn(3, N, H, T, d, device="cuda", dtype=torch.bfloat16)
            leaves = [x.clone().requires_grad_() for x in (q, k, v)]
            for is_causal in (False, True):
                flop = 4 * N * H * T * T * d / (2 if is_causal else 1)
                for name, f in PATHS.items():
                    row = {"contender": name, "d": d, "T": T, "is_causal": is_causal}
                    try:
                        forward = milliseconds(lambda: f(q, k, v, is_causal))  # noqa: B023
                        out = f(*leaves, is_causal)
                        grad = torch.randn_like(out)
                        backward = milliseconds(
                            lambda: torch.autograd.grad(out, leaves, grad, retain_graph=True)  # noqa: B023
                        )
                    except RuntimeError as error:
                        print(row, "did not run:", str(error).splitlines()[0])
                        continue
                    for passes, ms, work in (
                        ("forward", forward, flop),
                        ("backward", backward, 2.5 * flop),
                    ):
                        tflops = work / ms / 1e9
                        rows.append(
                            row
                            | {"passes": passes, "TFLOP_per_s": round(tflops, 1)}
                            | {"share_of_matmul": round(tflops / top, 3)}
                        )
    return rows


def additive() -> list[dict[str, object]]:
    rows, d = [], 128
    for T in (1024, 2048, 4096, 8192, 16384):
        shapes = (1, T, d), (1, T, d), (d,), (1, T, d)
        leaves = [torch.randn(s, device="cuda", requires_grad=True) for s in shapes]

        def naive(q, k, v_a, values):
            return torch.softmax(torch.tanh(q[:, :, None] + k[:, None]) @ v_a, -1) @ values

        paths = {"course_lib": additive_attention, "torch.compile of naive": torch.compile(naive)}
        if T <= 4096:
            paths["naive broadcast"] = naive
        for name, f in paths.items():
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
            try:
                forward = milliseconds(lambda: f(*leaves).detach())  # noqa: B023
                both = milliseconds(lambda: f(*leaves).sum().backward())  # noqa: B023
            except torch.OutOfMemoryError:
                print(name, T, "did not fit")
                continue
            peak = (torch.cuda.max_memory_allocated() - before) / 2**20
            rows.append(
                {"contender": name, "T": T, "forward_ms": round(forward, 3)}
                | {"both_ms": round(both, 3), "peak_MiB": round(peak, 1)}
            )
    return rows


def main() -> None:
    if not torch.cuda.is_available():
        raise SystemExit("This benchmark needs a CUDA device, and torch finds none here.")
    import triton

    about = {"device": torch.cuda.get_device_name(), "triton": triton.__version__}
    measure.write("gpu_flash", flash(), **about)
    measure.write("gpu_additive", additive(), **about)


if __name__ == "__main__":
    main()
