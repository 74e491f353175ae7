"""The block of 2017 and the block of today in one small language model, with as many weights.

The text and loop of `book.helpers.text`, one layer of width 96 with one head. `kind` says which
parts the block has; a plain network has 384 hidden numbers and a gated one 256. Each row of
`blocks.csv` is one run: the loss on training and held-out text after 300 steps, each of 8 pieces
of 32 tokens.

    python -m benchmarks blocks [KIND]...
"""

import sys

import torch

from benchmarks.measure import merge
from book.helpers.text import python_help, text_loss, train_language_model
from course_lib.transformer import LanguageModel

NEW = {"norm": "rms", "bias": False}
KINDS = {
    "parts of 2017": {"d_hidden": 384},
    "RMSNorm, no biases": {"d_hidden": 384} | NEW,
    "parts of today": {"d_hidden": 256, "feed_forward": "gated"} | NEW,
}
RATES, SEEDS, STEPS, LENGTH = (0.001, 0.003, 0.01, 0.03), (0, 1, 2), 300, 32


def row(kind: str, rate: float, seed: int, data) -> dict[str, object]:
    """One run."""
    torch.manual_seed(seed)
    settings = {"d_model": 96, "num_heads": 1, "num_layers": 1, "positions": "rotary"}
    model = LanguageModel(len(data.vocabulary), **settings, **KINDS[kind])
    train_language_model(
        model, data, steps=STEPS, batch=8, length=LENGTH, learning_rate=rate, seed=seed
    )
    (layer,) = model.stack.layers
    return {
        "kind": kind, "step_size": rate, "seed": seed,
        "weights": sum(p.numel() for p in layer.parameters()),
        "train": round(text_loss(model, data.train, length=LENGTH), 4),
        "loss": round(text_loss(model, data.valid, length=LENGTH), 4),
    }  # fmt: skip


def main() -> None:
    data = python_help(size=500)
    for kind in sys.argv[1:] or KINDS:
        for seed in SEEDS:
            rows = [row(kind, rate, seed, data) for rate in RATES]
            merge("blocks", rows, ("kind", "step_size", "seed"), steps=str(STEPS))


if __name__ == "__main__":
    main()
