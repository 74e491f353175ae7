"""A page is executed again when what it does, or what it really imports, has changed."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from execution import used_code
from execution.page_key import keyed, meaning, page_key

from tools.colab import snippet

ROOT = Path(__file__).parents[2]

FILES = {
    "constraints.txt": "torch==1\n",
    "course_lib/__init__.py": '_FILES = {"attention.softmax": ("softmax",)}\n',
    "course_lib/attention/__init__.py": "",
    "course_lib/attention/softmax.py": "from course_lib.attention.arrays import like\n",
    "course_lib/attention/arrays.py": "def like(x):\n    return x\n",
    "course_lib/kernels.py": "",
    "course_lib/address.py": 'REPOSITORY = ""\n',
    "course_lib/attention/luong.py": "def fast():\n    from course_lib import kernels\n",
    "course_lib/cli.py": "",
    "grader/__init__.py": "",
    "grader/commands.py": "",
}


@pytest.fixture
def key(tmp_path):
    """key(cell) → the key of a page with that cell; key.put(name, text) changes a file."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def of(source: str) -> str:
        for cached in (used_code._needs, used_code._file, meaning):
            cached.cache_clear()
        cell = nbformat.v4.new_code_cell(source)
        return page_key(tmp_path, nbformat.v4.new_notebook(cells=[cell]))

    of.put = lambda name, text: (tmp_path / name).write_text(text)
    return of


SOFTMAX = "%matplotlib inline\nfrom course_lib import softmax"


WORDS = '"""Words."""\r\ndef like(x):  # words\r\n    """More."""\r\n    return x\r\n'


@pytest.mark.parametrize(
    ("cell", "file", "text", "again"),
    [
        (SOFTMAX, "course_lib/attention/arrays.py", WORDS, False),
        (SOFTMAX, "course_lib/attention/arrays.py", "def like(x):\n    return x + 1\n", True),
        (SOFTMAX, "course_lib/attention/luong.py", "a = 1", False),
        ("import course_lib.attention.luong", "course_lib/kernels.py", "a = 1", True),
        (SOFTMAX, "grader/commands.py", "a = 1", False),
        ("from course_lib.cli import main", "grader/commands.py", "a = 1", True),
        (SOFTMAX, "constraints.txt", "torch==2\n", True),
        ("import course_lib.address", "course_lib/address.py", 'REPOSITORY = "x"', False),
    ],
)
def test_what_runs_a_page_again(key, cell, file, text, again):
    """Imports of imports, also inside a function; no comments, docstrings or line ends."""
    first = key(cell)
    key.put(file, text)
    assert (key(cell) != first) == again
    key.put(file, FILES[file])
    assert key(cell) == first, "taking a change back gives the old key"


def test_an_address_runs_no_page_again(tmp_path):
    """`make address` writes it into the first cell of every notebook."""
    (tmp_path / "constraints.txt").write_text("")
    made = {}
    for archive in ("", "https://example.org/someone/fork/archive/main.zip"):
        cells = [nbformat.v4.new_code_cell(source) for source in (snippet(archive), "1 + 1")]
        made[archive] = keyed(tmp_path, nbformat.v4.new_notebook(cells=cells))
    one, other = made.values()
    assert [c.source for c in one.cells] == [c.source for c in other.cells]
    assert one.metadata.kernelspec == other.metadata.kernelspec


def test_what_a_page_loads_is_what_reading_its_code_finds():
    """Of a real page: every module of ours that a run has loaded is among those found."""
    cell = "from course_lib import MultiHeadAttention, check\ncheck(None)"
    code = f"{cell}\nimport sys\nprint(*[m for m in sys.modules if m.startswith('course_lib')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    names = loaded.stdout.split("\n")[-2].split()
    found = {path.relative_to(ROOT).as_posix() for path in used_code.used(ROOT, [cell])}
    for name in names:
        place = name.replace(".", "/")
        assert f"{place}.py" in found or f"{place}/__init__.py" in found, name
