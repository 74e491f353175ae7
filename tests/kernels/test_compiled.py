"""Every kernel, compiled ahead of time for cards that are not here, fits on them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from course_lib.kernels import choose, explain
from course_lib.kernels.tiles import flash_tiles

if sys.platform != "linux":
    pytest.skip("Triton is made for Linux", allow_module_level=True)
pytest.importorskip("triton", reason="Triton is not installed")

from course_lib.kernels.additive_operator import tile_sizes
from course_lib.kernels.flash_operator import _settings

# Bytes of shared memory that one program may have: CUDA's programming guide, technical
# specifications by compute capability.
SHARED = {80: 166_912, 86: 101_376, 89: 101_376, 90: 232_448, 100: 232_448}
# Bytes of a thread. Additive attention spills around two products a tile, not in its inner loop.
MAX_SPILLED = {"flash": 64, "additive": 512}
DTYPES = torch.float16, torch.bfloat16, torch.float32


def flash(passes, card, dtype, d):
    for tile in flash_tiles(passes, dtype, divmod(card, 10)):
        yield passes, str(dtype).removeprefix("torch."), card, _settings(d, tile, True, dtype)


def additive(passes, card, dtype, d_v):
    yield f"additive_{passes}", str(dtype).removeprefix("torch."), card, tile_sizes(d_v, True)


FLASH = "forward", "backward_queries", "backward_keys"
FEW = [
    *(flash(passes, 90, torch.bfloat16, 128) for passes in FLASH),
    *(flash(passes, 86, torch.bfloat16, 128) for passes in FLASH),
    *(flash(passes, 86, torch.float32, 128) for passes in FLASH),
    additive("backward", 86, torch.float32, 256),
]
ALL = [
    *(flash(p, c, t, d) for p in FLASH for c in SHARED for t in DTYPES for d in (16, 32, 64, 128)),
    *(
        additive(p, c, t, d_v)
        for p in ("forward", "backward")
        for c in SHARED
        for t in DTYPES
        for d_v in (16, 64, 128, 256)
    ),
]


@pytest.mark.parametrize("cases", [FEW, pytest.param(ALL, marks=pytest.mark.nightly)], ids=len)
def test_what_is_compiled_fits(cases):
    asked = [row for some in cases for row in some]
    script = Path(__file__).with_name("compile_ahead.py")
    done = subprocess.run(
        [sys.executable, script],
        input=json.dumps(asked),
        env=os.environ | {"TRITON_INTERPRET": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == len(asked)
    for (kernel, dtype, card, constants), (*_, row) in zip(asked, rows, strict=True):
        name = f"{kernel} in {dtype} for sm_{card} with {constants}: {row}"
        most = MAX_SPILLED["additive" if kernel.startswith("additive") else "flash"]
        assert row["shared"] <= SHARED[card], name
        assert row["registers"] <= 255 and row["stack"] <= most, name


def test_an_older_card_takes_another_path(monkeypatch):
    """A T4 has 64 KiB of shared memory, no bfloat16, and tensor cores that Triton leaves alone."""
    monkeypatch.setattr(choose, "GPU", "cpu")
    q = torch.zeros(1, 64, 128)
    for score in ("flash", "additive"):
        assert explain(q, q, score=score).startswith("triton: ")
    monkeypatch.setattr(choose, "capability", lambda _: (7, 5))
    for score, path in (("flash", "tiled"), ("additive", "blocked")):
        sentence = explain(q, q, score=score)
        assert (
            sentence.startswith(f"{path}: ") and "8.0 and later, and this card has 7.5" in sentence
        )
