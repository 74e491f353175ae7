"""One step of decoding with each setting of `thread_tasks.py` at a real size, on one core.

One layer of width 2,048 with 32 heads of 64 writes a token after 8,192 others, projections
included: 32, 16 or 1 KV heads, a latent of 512 + 64 numbers in the absorbed form, a window of
1,024, or a state of 16 heads of 128 by 128 numbers. A setting of two different layers takes their
mean. Processor time, in turns.

    python -m benchmarks thread_steps
"""

import time

import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.measure import Contender, against, take_turns, write
from course_lib import KeyValueCache, LatentAttention, MultiHeadAttention

WIDTH, HEADS, HEAD_DIM, TOKENS, WINDOW, ROUNDS = 2048, 32, 64, 8192, 1024, 15
BYTES = 2  # a number, as models keep it; the clock runs in float32
STATE = 16, 128  # heads, numbers of a key


def shared(kv: int, window: int | None = None) -> tuple[Contender, int]:
    """Attention with so many KV heads; the run, and the numbers that it keeps."""
    attention = MultiHeadAttention(WIDTH, HEADS, num_kv_heads=kv, bias=False, rotary_base=1e4)
    cache, token = KeyValueCache(window=window), torch.randn(1, 1, WIDTH)
    cache.append(*torch.randn(2, 1, kv, TOKENS, HEAD_DIM))
    attention(token, cache=cache)  # the buffer now has room for the next steps
    kept = TOKENS if window is None else window + 1

    def step():
        if window is None:  # written over the position of the step before
            cache.kept = cache._seen = TOKENS
        return attention(token, cache=cache, is_causal=window is not None)

    return step, 2 * kept * kv * HEAD_DIM


def latent() -> tuple[Contender, int]:
    attention = LatentAttention(WIDTH, HEADS, latent_dim=512, rotary_dim=64)
    cache, token = KeyValueCache(), torch.randn(1, 1, WIDTH)
    cache.append(torch.randn(1, TOKENS, 512), torch.randn(1, TOKENS, 64))
    attention(token, cache=cache, absorbed=True)

    def step():
        cache.kept = cache._seen = TOKENS
        return attention(token, cache=cache, absorbed=True)

    return step, TOKENS * (512 + 64)


def state(decay: bool, delta: bool) -> tuple[Contender, int]:
    """S ← α S + β k (v − Sᵀ k)ᵀ, or the parts of it that a rule has."""
    heads, d = STATE
    W_q, W_k, W_v, W_o = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))
    S, token, rate = torch.zeros(heads, d, d), torch.randn(WIDTH), torch.full((heads, 1, 1), 0.5)

    def step():
        q, k, v = (w(token).view(heads, 1, d) for w in (W_q, W_k, W_v))
        k = F.normalize(k, dim=-1)
        if decay:
            S.mul_(0.99)
        new = v - k @ S if delta else v
        S.add_(rate * k.mT @ new)
        return W_o((q @ S).view(-1))

    return step, heads * d * d


@torch.no_grad()
def main() -> None:
    torch.manual_seed(0)
    made = {
        "4 KV heads": shared(32),
        "2 KV heads": shared(16),
        "1 KV head": shared(1),
        "latent 24 + 8": latent(),
        "window 8": shared(32, WINDOW),
        "linear": state(False, False),
        "delta": state(False, True),
        "gated delta": state(True, True),
    }
    runs = {name: run for name, (run, _) in made.items()}
    rows = against("4 KV heads", take_turns(runs, ROUNDS, time.process_time))
    for row in rows:
        row["kept_bytes"] = BYTES * made[row["contender"]][1]
    by_name = {row["contender"]: row for row in rows}
    for name, parts in {
        "window, then all": ("window 8", "4 KV heads"),
        "gated delta, all": ("gated delta", "4 KV heads"),
    }.items():
        mean = {"contender": name}
        for column in ("ratio", "seconds", "low", "high", "kept_bytes"):
            values = [float(by_name[part][column]) for part in parts]
            mean[column] = (
                f"{sum(values) / 2:.3g}" if column != "kept_bytes" else int(sum(values) / 2)
            )
        rows.append(mean)
    write("thread_steps", rows, tokens=str(TOKENS), width=str(WIDTH))
