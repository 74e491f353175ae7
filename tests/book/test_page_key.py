"""A page is executed again when what it does, or what it really imports, has changed."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from execution import used_code
from execution.page_key import keyed, meaning, page_key

from course_lib.moved import MOVED
from tools.colab import snippet
from tools.notebooks import read

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
    "course_lib/moved.py": "from importlib import import_module\nOLD = import_module\n",
    "course_lib/figures/__init__.py": "",
    "course_lib/figures/results.py": "def rows(name):\n    return name\n",
    "benchmarks/results/seeds.csv": "a\n1\n",
    "benchmarks/results/depth.csv": "a\n1\n",
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
        cell = nbformat.v4.new_code_cell(source)
        return page_key(tmp_path, nbformat.v4.new_notebook(cells=[cell]))

    def put(name: str, text: str) -> None:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        for cached in (used_code.imports, used_code._of_module, used_code._tree, meaning):
            cached.cache_clear()

    of.put = put
    return of


SOFTMAX = "%matplotlib inline\nfrom course_lib import softmax"
SEEDS = "from course_lib.figures.results import rows\nrows('seeds')"


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
        ("import course_lib.moved", "course_lib/attention/luong.py", "a = 1", False),
        (SEEDS, "benchmarks/results/seeds.csv", "a\n2\n", True),
        (SEEDS, "benchmarks/results/depth.csv", "a\n2\n", False),
    ],
)
def test_what_runs_a_page_again(key, cell, file, text, again):
    """Imports of imports, also inside a function; no comments, docstrings or line ends."""
    first = key(cell)
    key.put(file, text)
    assert (key(cell) != first) == again
    key.put(file, FILES[file])
    assert key(cell) == first, "taking a change back gives the old key"


# Ways to reach `course_lib.deep.leaf` from a module of `course_lib.deep`.
FORMS = {
    "a module": "import course_lib.deep.leaf",
    "a module with another name": "import course_lib.deep.leaf as other",
    "a module of a package": "from course_lib.deep import leaf as other",
    "a name of a module": "from course_lib.deep.leaf import (\n    a,\n)",
    "all names of a module": "from course_lib.deep.leaf import *",
    "a module beside it": "from . import leaf",
    "a name of a module beside it": "from .leaf import a as b",
    "from above": "from ..deep.leaf import a",
    "in a function": "def f():\n    from .leaf import a",
    "in a method": "class F:\n    def f(self):\n        import course_lib.deep.leaf",
    "where another is missing": "try:\n    import no\nexcept ImportError:\n    from . import leaf",
    "behind a semicolon": "a = 1; from . import leaf",
    "a public name": "from course_lib import public_name as a",
    "a public name of a package with another name": "import course_lib as c\nc.public_name",
    "a public name from above": "from .. import public_name",
    "by name": "import importlib\nimportlib.import_module('.leaf', __package__)",
    "one of them further on": "from course_lib.deep import one_further",
}
CELLS = {
    "a module": "import course_lib.deep.leaf as other",
    "a module of a package": "%time 1\nfrom course_lib.deep import leaf",
    "all names": "from course_lib.deep.leaf import *",
    "a public name": "from course_lib import public_name",
    "a public name of the package": "import course_lib as c\nc.public_name",
}


def test_a_page_runs_again_when_a_module_changes_that_it_reaches_in_any_form(key):
    key.put("course_lib/__init__.py", '_FILES = {"deep.leaf": ("public_name",)}\n')
    modules = {f"form_{number}": text for number, text in enumerate(FORMS.values())}
    modules |= {"__init__": "", "one_further": "from . import leaf", "unlike": "", "leaf": "a = 1"}
    for name, text in modules.items():
        key.put(f"course_lib/deep/{name}.py", text)
    cells = {f"from {form}": f"import course_lib.deep.form_{n}" for n, form in enumerate(FORMS)}
    cells |= CELLS
    before = {form: key(cell) for form, cell in cells.items()}
    other = key("import course_lib.deep.unlike")
    key.put("course_lib/deep/leaf.py", "a = 2")
    assert [form for form, cell in cells.items() if key(cell) == before[form]] == []
    assert key("import course_lib.deep.unlike") == other


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


def test_no_page_imports_from_where_a_module_stood_before():
    """`course_lib.moved` would load what nothing here sees."""
    old = tuple(f"course_lib.{place}" for place in MOVED)
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        cells = [cell.source for cell in read(path).cells if cell.cell_type == "code"]
        trees = [ast.parse(re.sub(r"(?m)^( *)[%!].*", r"\1pass", source)) for source in cells]
        nodes = [node for tree in trees for node in ast.walk(tree)]
        named = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
        named += [a.name for node in nodes if isinstance(node, ast.Import) for a in node.names]
        assert [name for name in named if name in old] == [], path.stem


def test_a_parser_that_miscounts_is_asked_again(monkeypatch):
    answers = iter((SystemError("recursion depth mismatch"), ast.parse("import os")))

    def parse(text):
        if isinstance(answer := next(answers), SystemError):
            raise answer
        return answer

    monkeypatch.setattr(used_code, "ast", SimpleNamespace(parse=parse))
    assert isinstance(used_code._parse("import os").body[0], ast.Import)
