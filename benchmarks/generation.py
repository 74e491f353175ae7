"""Greedy generation of 256 tokens with the key/value cache and without, on three models, for one
text and for four at once.

The first is the language model that the chapter on causal attention trains, the second the one it
measures, the third a small GPT. Weights are random: what is timed does not depend on them.
"""

from itertools import product

import torch

from benchmarks.measure import against, take_turns, write
from course_lib.transformer import LanguageModel

TOKENS = 256
MODELS = (  # d_model, heads, layers, d_hidden, entries of the vocabulary, rounds
    (64, 4, 2, 128, 100, 9),
    (256, 4, 4, 512, 100, 5),
    (512, 8, 6, 2048, 1000, 3),
)


def generation() -> list[dict[str, object]]:
    rows = []
    for (d_model, H, layers, d_hidden, V, rounds), B in product(MODELS, (1, 4)):
        prompt = torch.ones(B, 1, dtype=torch.long)
        shape = {"d_model": d_model, "num_heads": H, "num_layers": layers, "d_hidden": d_hidden}
        model = LanguageModel(V, **shape).eval()
        runs = {
            name: lambda model=model, prompt=prompt, use_cache=use_cache: model.generate(
                prompt, TOKENS, use_cache=use_cache
            )
            for name, use_cache in (("with the cache", True), ("without", False))
        }
        assert torch.equal(*(run() for run in runs.values())), "the cache changes what is written"
        rows += against(
            "with the cache", take_turns(runs, rounds), tokens=TOKENS, B=B, V=V, **shape
        )
    return rows


def main() -> None:
    torch.manual_seed(0)
    write("generation", generation())
