"""Sentences written word by word, at all positions and in blocks: passes, keys, and what is right.

    python -m benchmarks in_blocks

The program is that of the page *Writing in blocks*, read from its cells. For each seed three models
are trained, with the causal loss, the masked one and the one in blocks; `in_blocks.csv` has for
each way to write and each seed the passes, the positions for which layer 1 computes keys, and the
share of 300 sentences that is right.
"""

from pathlib import Path

from benchmarks.measure import merge
from tools.notebooks import read

PAGE = Path(__file__).parents[1] / "book" / "writing_in_blocks.ipynb"
CELLS = ("in-blocks-imports", "in-blocks-program", "block-train", "block-write", "count-code")
SEEDS = (0, 1, 2)


def main() -> None:
    cells, page = {cell.id: cell.source for cell in read(PAGE).cells}, {}
    for name in CELLS:
        exec(cells[name], page)
    losses = {"causal": "causal_loss", "all": "masked_loss", "blocks": "block_loss"}
    for seed in SEEDS:
        models = {
            kind: page["train"](
                page["new_model"](seed, causal=kind == "causal"), page[loss], page["texts"], seed
            )
            for kind, loss in losses.items()
        }
        rows = []
        for name, (kind, way, *how) in page["plans"].items():
            passes, keys, right = page["counted"](way, models[kind], *how)
            rows.append({"written": name, "seed": seed, "passes": passes, "keys": keys})
            rows[-1]["right"] = f"{right:.3f}"
        merge("in_blocks", rows, ("written", "seed"))
