"""The programs that pages write. A benchmark runs the very cells, so page and table agree."""

from pathlib import Path

import torch

from tools.notebooks import read

BOOK = Path(__file__).parents[1] / "book"
PROGRAMS = {  # the cells that hold a page's own program
    "bottleneck": ("places",),
    "learning_to_translate": ("imports", "plain", "loop", "write"),
    "a_translator_that_looks": (
        "8da282b3", "program-1", "program-2", "program-3", "watch-setup", "fit",
        "own", "turn",
    ),
    "an_lstm_in_its_place": ("lstm-program", "lstm-reader"),
    "does_a_map_explain": ("distances",),
    "other_weights": ("distances", "search"),
    "reading_dates": (
        "dates-kinds", "dates-kinds-table", "ambiguous", "ambiguous-shares",
        "ambiguous-probability", "ambiguous-compare", "ambiguous-many",
    ),
    "beyond_text": ("imports", "cut", "one-shape", "vit"),
    "what_one_head_does": ("one-head-imports", "circuits-swap"),
    "a_transformer_translates": ("53956548", "encoder-layer", "4642eb11", "embedding", "model",
                                 "2788dbe4", "a853af18", "dfc1dfb1", "without-positions"),
    "mixture_of_experts": ("moe-imports", "experts"),
}  # fmt: skip


def program(page: str, names: dict | None = None, ids: tuple[str, ...] = ()) -> dict:
    """The names that these cells of the page define, or those of `PROGRAMS`."""
    cells = {cell.id: cell.source for cell in read(BOOK / f"{page}.ipynb").cells}
    held = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional} | (names or {})
    for name in ids or PROGRAMS[page]:
        exec(cells[name], held)
    return held
