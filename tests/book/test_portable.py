"""`make portable` on toy pages: modes, shifted seeds, claims with their margin, and resuming."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest

from tools.portable import MODES, main

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("toy pages")]
CLAIMS = """
import os, random, numpy as np, torch
from book.helpers.claims import claim
draws = torch.Generator().manual_seed(5).initial_seed(), torch.manual_seed(7).initial_seed()
claim("seed of a generator", draws[0], at_least=5)
claim("seed of torch", draws[1], at_most=2007)
same = np.random.default_rng(3).random() == np.random.Generator(np.random.PCG64(3)).random()
claim("numpy as it was", same, at_least=0)
claim("python as it was", random.Random(2).random() == 0.9560342718892494, at_least=0)
claim("words as they were", random.Random("a").random() == 0.2720295377534757, at_least=0)
print(f"≈ {draws[0]}")
"""
MODE = "import os\nprint(os.environ.get('ATEN_CPU_CAPABILITY', 'native'))"


def write(path: Path, source: str, printed: str) -> None:
    cell = nbformat.v4.new_code_cell(source, id="only", execution_count=1)
    cell.outputs = [nbformat.v4.new_output("stream", text=printed)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": kernel})
    nbformat.write(made, path)


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("toy")
    for folder in ("book", "solutions", "tests"):
        (root / folder).mkdir()
    for name in ("conftest.py", "pyproject.toml", "tests/nbval.cfg", "constraints.txt"):
        shutil.copy(ROOT / name, root / name)
    write(root / "book" / "trains.ipynb", CLAIMS, "≈ 12\n")
    write(root / "book" / "rounds.ipynb", MODE, "native\n")
    return root


def results(root: Path, page: str) -> dict[str, dict]:
    files = (root / "_build" / "portable").glob(f"book-{page}-*.json")
    found = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return {result["mode"]: result for result in found}


TRAINS = ["trains", "--seeds", "2", "--jobs", "2", "--mode", "native", "--mode", "seed"]


def test_a_page_is_compared_in_each_mode_and_runs_under_shifted_seeds_only_if_it_claims(
    root, capsys
):
    assert main(["rounds", "--seeds", "2", "--jobs", "2"], root) == 1
    rounds = results(root, "rounds")
    assert set(rounds) == set(MODES)
    wrong = {mode: result["failures"] for mode, result in rounds.items() if result["failures"]}
    assert wrong == {mode: ["Cell 0: prints something else"] for mode in ("avx2", "none")}
    assert "2 failures" in capsys.readouterr().out
    assert main(TRAINS, root) == 0
    assert set(results(root, "trains")) == {"native", "seed+1", "seed+2"}


def test_seeds_are_shifted_but_for_the_corpus_and_only_where_they_should_be(root):
    trains = results(root, "trains")
    values = {
        mode: {claim["name"]: claim["value"] for claim in result["claims"]}
        for mode, result in trains.items()
    }
    assert list(values["native"].values()) == [5, 7, 1, 1, 1]
    assert list(values["seed+2"].values()) == [2005, 2007, 0, 0, 1]


def test_nothing_runs_twice_and_what_changed_runs_again(root, capsys):
    main(TRAINS, root)
    printed = capsys.readouterr().out
    assert "0 runs to do, 3 known" in printed
    assert "seed of torch | ≤ 2007 | 2007 | 0 | seed+2 | 7 to 2007 | 3 |" in printed
    write(root / "book" / "rounds.ipynb", "print('native')", "native\n")
    assert main(["rounds", "--mode", "none"], root) == 0
    assert "1 runs to do, 0 known" in capsys.readouterr().out
    assert main(["rounds", "--mode", "none", "--mode", "avx2"], root) == 0
    printed = capsys.readouterr().out
    assert "1 runs to do, 1 known" in printed
    assert "0 failures" in printed


def test_a_claim_that_fails_under_one_seed_is_told_with_its_value(root, capsys):
    broken = CLAIMS.replace("at_most=2007", "at_most=1900")
    write(root / "book" / "trains.ipynb", broken, "≈ 12\n")
    assert main(["trains", "--seeds", "2", "--mode", "seed"], root) == 1
    printed = capsys.readouterr().out
    assert "book/trains in seed+2: Cell 0: AssertionError: seed of torch: 2007, and the" in printed
    assert "1 of 2" in printed
