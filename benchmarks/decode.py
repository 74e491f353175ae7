"""One step of decoding on one core: heads that share keys, and the two forms of latent attention.

A new token attends to a cache that is there. Sharing: 32 heads of queries over 8,192 tokens, and
32, 8 or 1 KV heads. Latent: the plain form makes all keys and values from the
latents, the absorbed one takes the query to them. Before anything is timed, shared heads are
compared with keys that were repeated, and the absorbed form with the plain one. Processor time.
"""

import time

import torch

from benchmarks.measure import Contender, against, take_turns, write
from course_lib import KeyValueCache, LatentAttention, scaled_dot_product_attention

HEADS, HEAD_DIM, TOKENS = 32, 64, 8192
LATENT = (  # embed_dim, tokens, heads, latent_dim, rotary_dim
    (64, 1024, 8, 24, 8),
    (512, 2048, 8, 128, 32),
    (1024, 8192, 16, 256, 32),
)
ROUNDS = 25


def sharing(need_weights: bool) -> dict[str, Contender]:
    """A step with each number of KV heads."""
    query, runs = torch.randn(1, HEADS, 1, HEAD_DIM), {}
    for kv in (32, 8, 1):
        key, value = torch.randn(2, 1, kv, TOKENS, HEAD_DIM)
        whole = (x.repeat_interleave(HEADS // kv, 1) for x in (key, value))
        expected, _ = scaled_dot_product_attention(query, *whole)

        def step(key=key, value=value):
            return scaled_dot_product_attention(query, key, value, need_weights=need_weights)[0]

        torch.testing.assert_close(step(), expected)
        runs[f"{kv} KV heads" if kv > 1 else "1 KV head"] = step
    return runs


def latent(E: int, S: int, H: int, latent_dim: int, rotary_dim: int) -> dict[str, Contender]:
    """A step of both forms."""
    attention = LatentAttention(E, H, latent_dim=latent_dim, rotary_dim=rotary_dim)
    cache, token = KeyValueCache(), torch.randn(1, 1, E)
    attention(torch.randn(1, S, E), cache=cache, absorbed=True)
    attention(token, cache=cache, absorbed=True)  # the buffer now has room for the next steps

    def step(absorbed: bool) -> torch.Tensor:
        cache.kept = cache._seen = S  # written over the position of the step before
        return attention(token, cache=cache, absorbed=absorbed)[0]

    torch.testing.assert_close(step(True), step(False), rtol=1e-4, atol=1e-4)
    return {"plain": lambda: step(False), "absorbed": lambda: step(True)}


@torch.no_grad()
def main() -> None:
    torch.manual_seed(0)
    rows = []
    for need_weights in (False, True):
        seconds = take_turns(sharing(need_weights), ROUNDS, time.process_time)
        setting = {"need_weights": need_weights, "tokens": TOKENS, "heads": HEADS, "d": HEAD_DIM}
        rows += against("32 KV heads", seconds, **setting)
    write("decode", rows)
    rows = []
    for E, S, H, latent_dim, rotary_dim in LATENT:
        for rotary in (0, rotary_dim):
            seconds = take_turns(latent(E, S, H, latent_dim, rotary), ROUNDS, time.process_time)
            setting = {"embed_dim": E, "tokens": S, "heads": H}
            setting |= {"latent_dim": latent_dim, "rotary_dim": rotary}
            rows += against("plain", seconds, **setting)
    write("decode_latent", rows)
