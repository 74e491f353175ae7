"""Cache and shared heads: what the figures say is what the library keeps."""

import torch

from course_lib import KeyValueCache, MultiHeadAttention, estimates
from course_lib.figures.moving import cache_figure, sharing_figure

WORDS = ["the", "cat", "sat", "down"]


def test_the_rows_that_are_kept_are_those_of_a_cache():
    lines = repr(cache_figure(WORDS, prompt=2, bytes_per_token=8)).splitlines()[1:]
    attention, cache = MultiHeadAttention(8, 2), KeyValueCache()
    text = torch.zeros(1, 4, 8)
    for line, (start, end) in zip(lines, [(0, 2), (2, 3), (3, 4)], strict=True):
        _, weights = attention(text[:, start:end], is_causal=True, cache=cache, need_weights=True)
        scores = int((weights[0, 0] > 0).sum())
        rows = "rows" if end - start > 1 else "row"
        assert f"{end - start} {rows} computed, {scores} scores, {len(cache)} kept." in line
    assert lines[0].startswith("Prefill") and lines[1].startswith("Decode")


def test_bytes_per_token_are_those_of_the_estimates():
    figure = sharing_figure(32, 128, 32, room=66e9, latent=576)
    sizes = {"layers": 32, "d_model": 4096, "heads": 32, "d_ff": 1, "vocabulary": 1}
    for kv, held in figure.data["kinds"]:
        more = {"kv_heads": kv} if kv else {"latent_dim": 576}
        assert held == estimates.kv_cache_bytes(estimates.ModelConfig(**sizes, **more), 1)
    assert [kv for kv, _ in figure.data["kinds"]] == [32, 16, 8, 4, 2, 1, 0]
