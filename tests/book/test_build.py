"""A book of tiny pages, each of which fails in its way, is built and says what failed."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from sqlalchemy import create_engine, text

import tools.build

ROOT = Path(__file__).parents[2]
# One book, in one worker, in this order.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("tiny-book")]
LIMIT = 20  # seconds a page of this book has
CELLS = {
    "fine": ["print('all is ' + 'well')"],
    "raises": ["print('be' + 'fore')", "1 / 0", "print('af' + 'ter')"],
    "hangs": ["print('be' + 'fore')", "import time\nwhile True: time.sleep(1)"],
    "kills": ["print('be' + 'fore')", "import os, signal", "os.kill(os.getpid(), signal.SIGKILL)"],
    "silent": ["x = 1"],
    "expected": ["1 / 0"],
}
CONFIG = {
    "title": "Tiny",
    "execute": {"execute_notebooks": "cache", "timeout": LIMIT},
    "only_build_toc_files": True,
    "sphinx": {
        "local_extensions": {
            name: str(ROOT / "book/_ext")
            for name in ("execution.page_key", "execution.failures", "machine.left_out")
        }
    },
}

INDEX = "# Tiny\n\n{doc}`book/fine`, {doc}`This <book/fine>`, {ref}`Words <label-fine>`\n"


def write(path: Path, sources: list[str], cell_tags: tuple[str, ...] = ()) -> None:
    cells = [nbformat.v4.new_markdown_cell(f"(label-{path.stem})=\n# Page {path.stem}", id="title")]
    for number, source in enumerate(sources, 1):
        cell = nbformat.v4.new_code_cell(source, id=f"cell-{number}")
        cell.metadata["tags"] = list(cell_tags)
        cells.append(cell)
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), path)


def build(place: Path) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    command = [sys.executable, "-m", "tools.build", "--jobs", "2"]
    return subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("tiny")
    (place / "book").mkdir()
    (place / "constraints.txt").touch()
    (place / "index.md").write_text(INDEX, encoding="utf-8")
    (place / "_config.yml").write_text(yaml.safe_dump(CONFIG), encoding="utf-8")
    chapters = [{"file": f"book/{name}"} for name in CELLS]
    contents = {"format": "jb-book", "root": "index", "chapters": chapters}
    (place / "_toc.yml").write_text(yaml.safe_dump(contents), encoding="utf-8")
    for name, sources in CELLS.items():
        tag = ("raises-exception",) if name == "expected" else ()
        write(place / "book" / f"{name}.ipynb", sources, tag)
    return place


@pytest.fixture(scope="module")
def built(place) -> subprocess.CompletedProcess:
    return build(place)


def page(place: Path, name: str) -> str:
    return (place / "_build" / "html" / "book" / f"{name}.html").read_text(encoding="utf-8")


FAILURES = {
    "raises": "Cell [2] (cell-2) raised ZeroDivisionError: division by zero",
    "hangs": f"Cell [2] (cell-2) was stopped: a page has {LIMIT} seconds.",
    "kills": "Cell [3] (cell-3) ended its Python (the kernel died).",
    "silent": "No cell printed or showed anything.",
}


def test_the_last_lines_name_page_cell_and_error_and_the_status_is_an_error(built):
    assert built.returncode == 1
    last = built.stdout.rstrip().splitlines()[-len(FAILURES) :]
    assert sorted(last) == sorted(f"  book/{name}: {what}" for name, what in FAILURES.items())


def test_progress_names_each_page_when_it_is_done(built):
    assert f"{len(CELLS)} of {len(CELLS)} notebooks to execute, 2 at a time" in built.stdout
    for name in CELLS:
        (line,) = [x for x in built.stdout.splitlines() if x.startswith("[") and f"/{name}" in x]
        assert ("FAILED" in line) == (name in FAILURES)


@pytest.mark.parametrize("name", CELLS)
def test_every_page_is_written_and_the_failed_ones_say_so_on_top(built, place, name):
    text = page(place, name)
    assert ("This page failed when it was built" in text) == (name in FAILURES)
    if name in FAILURES:
        assert text.index(FAILURES[name]) < text.index("cell docutils")


def test_what_a_failed_page_could_show_is_shown(built, place):
    assert "all is well" in page(place, "fine")
    assert all("before" in page(place, name) for name in ("raises", "hangs", "kills"))
    assert "after" in page(place, "raises"), "cells after the one that raised run"


def test_the_next_build_runs_again_what_failed_or_changed_alone_and_forgets_what_is_mended(
    built, place
):
    for name in FAILURES:
        write(place / "book" / f"{name}.ipynb", ["print('men' + 'ded')"])
    write(place / "book" / "fine.ipynb", ["open('there').close()", "print('it is ' + 'there')"])
    again = build(place)
    assert again.returncode == 1, again.stdout + again.stderr
    assert f"{len(FAILURES) + 1} of {len(CELLS)} notebooks to execute" in again.stdout
    for name in FAILURES:
        assert "mended" in page(place, name)
        assert "This page failed" not in page(place, name)
    assert "FileNotFoundError" in page(place, "fine")


def test_a_failure_of_the_surroundings_alone_runs_again_and_its_page_is_written_anew(built, place):
    """The notebook's text is the same; Sphinx alone would keep the page as it was."""
    (place / "book" / "there").touch()
    again = build(place)
    assert again.returncode == 0 and f"1 of {len(CELLS)} notebooks" in again.stdout
    assert "it is there" in page(place, "fine")
    assert "This page failed" not in page(place, "fine")
    assert json.loads((place / "_build" / "failures.json").read_text(encoding="utf-8")) == {}


def test_a_file_that_is_no_notebook_is_named_before_anything_runs(built, place):
    path = place / "book" / "fine.ipynb"
    whole = path.read_text(encoding="utf-8")
    path.write_text("<<<<<<< HEAD\n" + whole, encoding="utf-8")
    broken = build(place)
    path.write_text(whole, encoding="utf-8")
    assert broken.returncode == 1
    assert "book/fine: The file is no notebook" in broken.stdout.splitlines()[-1]


OUTPUTS = """
import json
from pathlib import Path
from tools.execute import run
cells = run(Path("page.ipynb"), limit=60).notebook.cells[1:]
print(json.dumps([[output.get("text") for output in cell.outputs] for cell in cells]))
"""


def test_what_is_printed_in_pieces_is_one_text_and_a_very_long_line_holds_nothing_up(tmp_path):
    pieces = "import time\nprint(12, end='', flush=True)\ntime.sleep(0.5)\nprint(' words')"
    around = "print('above')\ndisplay('picture')\nprint('below')\nprint('and below')"
    write(tmp_path / "page.ipynb", [pieces, around, "print('x' * 3_000_000)"])
    done = subprocess.run(
        [sys.executable, "-c", OUTPUTS],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=180,
    )
    first, second, (long,) = json.loads(done.stdout)
    assert first == ["12 words\n"]
    assert second == ["above\n", None, "below\nand below\n"]
    assert len(long) == 3_000_001


WARM = """
import json
from pathlib import Path
from tools.execute import run
from tools.warm import warm_kernels
with warm_kernels() as manager:
    pages = [run(Path("page.ipynb"), 60, manager).notebook.cells[1:] for _ in range(2)]
print(json.dumps([[cell.outputs for cell in cells] for cells in pages]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux alone")
def test_a_warm_kernel_has_torch_already_shows_figures_and_is_each_page_s_own(tmp_path):
    asks = "import os, sys\nprint('torch._dynamo' in sys.modules, 'mine' in globals())"
    draws = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nmine = 1"
    ends = "import subprocess\nprint(subprocess.run(['true']).returncode, os.getcwd())"
    write(tmp_path / "page.ipynb", [asks, draws, ends])
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WARM]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=180
    )
    for first, second, third in json.loads(done.stdout):
        assert first[0]["text"] == "True False\n"
        assert "image/png" in second[-1]["data"]
        assert third[0]["text"] == f"0 {tmp_path}\n"


def test_a_full_disk_that_the_cache_met_is_told_in_one_sentence(tmp_path, monkeypatch, capsys):
    """SQLite reports it in its own words, which come as no OSError."""

    def fills(root, jobs):
        with create_engine(f"sqlite:///{tmp_path / 'cache.db'}").begin() as cache:
            cache.execute(text("PRAGMA max_page_count = 2"))
            cache.execute(text("CREATE TABLE page (content BLOB)"))
            cache.execute(text("INSERT INTO page VALUES (zeroblob(100000))"))

    monkeypatch.setattr(tools.build, "build", fills)
    assert tools.build.main([]) == 1
    assert capsys.readouterr().out.startswith("The disk is full: ")


def test_a_page_that_left_the_contents_is_on_no_page_and_nothing_runs_again(built, place):
    contents = yaml.safe_load((place / "_toc.yml").read_text(encoding="utf-8"))
    contents["chapters"] = [c for c in contents["chapters"] if c["file"] != "book/fine"]
    (place / "_toc.yml").write_text(yaml.safe_dump(contents), encoding="utf-8")
    again = build(place)
    assert f"0 of {len(CELLS) - 1} notebooks to execute" in again.stdout
    assert (
        "_toc.yml has no line for book/fine: the book leaves them out, and 3 links" in again.stdout
    )
    index = (place / "_build" / "html" / "index.html").read_text(encoding="utf-8")
    for words in ("Page fine", "This", "Words"):
        assert re.search(rf'<span class="attn-left-out">(<\w[^>]*>)?{words}<', index)
    written = list((place / "_build" / "html").rglob("*.html"))
    assert "raises.html" in {path.name for path in written}
    assert [p for p in written if "book/fine.html" in p.read_text(encoding="utf-8")] == []
    assert "fine.html" not in {path.name for path in written}
    (place / "index.md").write_text("# Tiny\n\n{doc}`book/never`\n", encoding="utf-8")
    assert build(place).returncode == 1, "a page that never was"
