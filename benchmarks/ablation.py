"""A Transformer without one of the parts around its attention, trained like the whole one.

    python -m benchmarks ablation

Pairs, batches, epochs and schedule are those of `benchmarks.translators`; each change has its own
learning rate, chosen on `valid` with seed 0. Without the sums a block replaces what it read in
place of adding to it. `ablation.csv` has BLEU on `test` by the number of clauses, three seeds.
"""

from types import MethodType

import torch
from torch import Tensor, nn

from benchmarks.measure import write
from benchmarks.translators import (
    LEARNING_RATES,
    SEEDS,
    TEST_PAIRS,
    TRAINED,
    VALID_PAIRS,
    quality,
    trained,
)
from course_lib.modules.cache import KeyValueCache
from course_lib.transformer import EncoderDecoder, Layer

CLAUSES = (1, 2, 3)


def replaced(layer: Layer, x: Tensor, mask=None, *, memory=None, memory_mask=None, cache=None,
             score_bias=None, is_causal=False, need_weights=False):  # fmt: skip
    """`Layer.forward` without its sums."""
    cache = layer.new_cache() if cache is None else cache
    x, own = layer.self_attention(
        layer.self_norm(x), mask=mask, score_bias=score_bias, is_causal=is_causal, cache=cache,
        need_weights=need_weights,
    )  # fmt: skip
    cross = None
    if layer.cross_attention is not None:
        projected = isinstance(memory, KeyValueCache)
        x, cross = layer.cross_attention(
            layer.cross_norm(x), None if projected else memory, mask=memory_mask,
            cache=memory if projected else None, need_weights=need_weights,
        )  # fmt: skip
    return layer.feed_forward(layer.feed_norm(x)), own, cross


class Nothing(nn.Module):
    """Adds nothing to a sum."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.zeros_like(x)


def change(model: EncoderDecoder, part: str | None) -> None:
    """Take one part, or None, out of every layer."""
    for layer in [m for m in model.modules() if isinstance(m, Layer)]:
        if part == "sums":
            layer.forward = MethodType(replaced, layer)
        if part == "feed-forward":
            layer.feed_forward = Nothing()
    if part == "normalization":
        for module in list(model.modules()):
            for name, child in list(module.named_children()):
                if isinstance(child, nn.LayerNorm):
                    setattr(module, name, nn.Identity())


def run(part: str | None, learning_rate: float, seed: int) -> tuple[nn.Module, dict[str, object]]:
    return trained("Transformer", learning_rate, seed, lambda model: change(model, part))


def main() -> None:
    rows = []
    for part in (None, "sums", "normalization", "feed-forward"):
        kind = f"without {part}" if part else "the whole"
        tried = {}
        for rate in LEARNING_RATES:
            tried[rate] = quality(run(part, rate, 0)[0], TRAINED, "valid", VALID_PAIRS)
        print(kind, "BLEU on valid:", tried, flush=True)
        best = max(tried, key=tried.get)
        for seed in SEEDS:
            model, ran = run(part, best, seed)
            for clauses in CLAUSES:
                bleu = quality(model, (clauses, clauses), "test", TEST_PAIRS)
                rows.append(ran | {"kind": kind, "clauses": clauses, "bleu": bleu})
    write("ablation", rows)
