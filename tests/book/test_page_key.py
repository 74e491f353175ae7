"""A page is executed again when what it does, or what it really imports, has changed."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import tools.execute  # puts book/_ext on the path of imports

ROOT = Path(__file__).parents[2]
assert str(ROOT / "book" / "_ext") in sys.path and tools.execute
from execution import used_code  # noqa: E402
from execution.page_key import meaning, page_key  # noqa: E402

FILES = {
    "constraints.txt": "torch==1\n",
    "course_lib/__init__.py": '_FILES = {"attention.softmax": ("softmax",)}\n',
    "course_lib/attention/__init__.py": "",
    "course_lib/attention/softmax.py": "from course_lib.attention.arrays import like\n",
    "course_lib/attention/arrays.py": "def like(x):\n    return x\n",
    "course_lib/kernels.py": "",
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


def test_comments_docstrings_and_line_ends_run_nothing_again(key):
    first = key(SOFTMAX)
    text = '"""Words."""\r\ndef like(x):  # words\r\n    """More."""\r\n    return x\r\n'
    key.put("course_lib/attention/arrays.py", text)
    assert key(SOFTMAX) == first


def test_what_is_imported_by_way_of_others_counts_and_nothing_else(key):
    first = key(SOFTMAX)
    key.put("course_lib/attention/luong.py", "a = 1")
    assert key(SOFTMAX) == first
    key.put("course_lib/attention/arrays.py", "def like(x):\n    return x + 1\n")
    assert key(SOFTMAX) != first


def test_an_import_inside_a_function_counts(key):
    cell = "import course_lib.attention.luong"
    first = key(cell)
    key.put("course_lib/kernels.py", "a = 1")
    assert key(cell) != first


def test_the_grader_counts_where_its_commands_run(key):
    cells = "from course_lib.cli import main", SOFTMAX
    first = [key(cell) for cell in cells]
    key.put("grader/commands.py", "a = 1")
    assert [key(cell) == old for cell, old in zip(cells, first, strict=True)] == [False, True]


def test_pinned_versions_count_and_taking_a_change_back_gives_the_old_key(key):
    first = key(SOFTMAX)
    key.put("constraints.txt", "torch==2\n")
    assert key(SOFTMAX) != first
    key.put("constraints.txt", FILES["constraints.txt"])
    assert key(SOFTMAX) == first


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
