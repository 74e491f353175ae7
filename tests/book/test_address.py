"""One address: `make address` writes it everywhere, and nothing else names another."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.book.test_extensions import FORK, settings_of
from tests.test_house import tracked
from tools import address
from tools.address import Address, main, normal, read, site_url, write

ROOT = Path(__file__).parents[2]
# GitHub and its Pages name other people's work only here.
REFERENCES = {"book/references.bib", "book/further_reading.md", "tests/book/test_address.py",
              "tests/book/test_extensions.py", "tests/book/test_launch.py"}  # fmt: skip
HOSTED = re.compile(
    r"github\.com/[\w-]+/[\w-]+|[\w-]+\.github\.io/[\w-]+|mybinder\.org/v2/\w+|git@github\.com:\w+"
)
OTHERS = ("github.com/someone/", "ORG.github.io/NAME", "jax-ml.github.io/")  # examples, sources
OTHERS += ("github.com/Kyubyong/g2p", "github.com/multi30k/dataset", "github.com/pyodide/pyodide")
OTHERS += ("github.com/spec/v1",)  # how a pointer of Git LFS begins


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """What `make address` writes to, and its tool, in a folder of their own."""
    for folder in ("book", "solutions", "exercises", "book/_ext/machine", "tools", "course_lib"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    files = [path for path in tracked() if path.suffix == ".ipynb"]
    names = "_config.yml README.md CITATION.cff course_lib/address.py tools/address.py "
    names += "tools/colab.py tools/environment.py book/_ext/machine/address.py"
    for path in [*files, *(ROOT / name for name in names.split())]:
        shutil.copy(path, tmp_path / path.relative_to(ROOT))
    monkeypatch.setattr(address, "ROOT", tmp_path)
    monkeypatch.setattr(address, "answers", lambda url: "")
    return tmp_path


def texts(root: Path) -> dict[str, str]:
    found = (path for path in root.rglob("*") if path.is_file())
    return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in found}


def test_the_tree_is_as_the_tool_writes_it(copy):
    assert write(copy, read(copy)) == []


def test_an_address_stands_everywhere_and_twice_is_once(copy):
    write(copy, Address())
    for path in copy.glob("exercises/*.ipynb"):
        text = path.read_text("utf-8")
        assert "**Where it runs.** In a copy of the course, with Python 3.11" in text, path.name
        assert "git clone" not in text and "example.org" not in text, path.name
    assert len(write(copy, FORK)) > 50
    assert read(copy) == FORK
    once = texts(copy)
    assert write(copy, FORK) == []
    zipped = "https://github.com/uni-x/attention-2027/archive/main.zip"
    cell = f"COURSE_ZIP = '\"course-lib[course]@{zipped}\"'"
    package = json.dumps(cell)[1:-1]  # as a notebook's file has it
    for name, text in once.items():
        if name.endswith(".ipynb"):
            assert package in text, name
        if name.startswith("exercises/"):
            assert "git clone https://github.com/uni-x/attention-2027\\n" in text, name
            assert "cd attention-2027\\n" in text and "In a copy of the course, with" not in text
    exercise = once["exercises/01_softmax.ipynb"]
    assert "[Softmax](https://uni-x.github.io/attention-2027/book/softmax.html)" in exercise
    assert 'REPOSITORY = "https://github.com/uni-x/attention-2027"' in once["course_lib/address.py"]
    assert "actions/workflows/tests.yml/badge.svg" in once["README.md"]
    assert FORK.repository in yaml.safe_load(once["CITATION.cff"])["repository-code"]


def test_what_it_writes_passes_lint(copy):
    """Or a fork's first push is red, and its pages are never published."""
    name = f"https://github.com/{'o' * 39}/a-course-on-attention-for-linguists-2027"
    write(copy, Address(name, site_url(name)))
    config, library = ROOT / "pyproject.toml", copy / "course_lib"
    for words in (
        ["ruff", "check", "--config", config, library],
        ["ruff", "format", "--check", "--config", config, library],
        ["tools.notebooks", "check", copy / "exercises"],
    ):
        command = [sys.executable, "-m", *words]
        told = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        assert told.returncode == 0, told.stdout


def test_the_next_address_leaves_no_trace_of_the_last_and_the_way_back_is_open(copy, capsys):
    before = texts(copy)
    write(copy, FORK)
    assert main(["git@gitlab.com:teaching/nlp/course.git"]) == 0
    mine, after = read(copy), texts(copy)
    site = "https://teaching.gitlab.io/nlp/course/"
    assert mine == Address("https://gitlab.com/teaching/nlp/course", site)
    assert [name for name, text in after.items() if "uni-x" in text] == []
    assert f"{site}book/softmax.html" in after["exercises/01_softmax.ipynb"]
    zipped = "https://gitlab.com/teaching/nlp/course/-/archive/main/course-main.zip"
    assert zipped in after["book/softmax.ipynb"]
    assert f"[Read the book]({site})" in after["README.md"]
    assert "actions/workflows" not in after["README.md"]
    assert not settings_of(mine.repository).html_theme_options.get("launch_buttons")
    capsys.readouterr()
    assert main(["none"]) == 0
    assert capsys.readouterr().out.startswith("No address: ")
    write(copy, read(ROOT))  # the same, where this copy of the course has none
    assert texts(copy) == before


def test_no_other_address_stands_anywhere():
    mine, found = read(ROOT), []
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        if name in REFERENCES or path.suffix in {".png", ".webp", ".gz", ".npz"}:
            continue
        text = path.read_text(encoding="utf-8").replace(mine.repository, "")
        text = text.replace(mine.site or mine.repository, "")
        hosted = (match[0] for match in HOSTED.finditer(text))
        found += [f"{name}: {one}" for one in hosted if not one.startswith(OTHERS)]
    assert found == []


def test_an_address_may_be_written_as_git_writes_it():
    for given in (
        "https://github.com/someone/fork/",
        "git@github.com:someone/fork.git",
        "ssh://git@github.com/someone/fork.git\n",
        "http://github.com/someone/fork",
        "GitHub.com/someone/fork",
    ):
        assert normal(given) == "https://github.com/someone/fork"


def test_pages_of_a_user_stand_at_the_root_of_their_host():
    assert site_url("https://github.com/Ann/ann.github.io") == "https://ann.github.io/"
    assert site_url("https://github.com/Someone/fork/") == "https://someone.github.io/fork/"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["https://github.com/fork"], "is no address of a repository. It looks like"),
        (["https://git.example.org/someone/fork"], "is no address of a repository"),
        (["https://gitlab.example.edu/someone/fork"], "Add SITE=https://"),
        (["https://github.com/a/b", "--site", "pages"], "'pages' is no address of a site"),
        ([], "no `origin`, so give the address: make address URL=…"),
    ],
)
def test_a_wrong_address_is_one_sentence_and_changes_nothing(copy, capsys, arguments, words):
    subprocess.run(["git", "init", "-q"], cwd=copy, check=True)
    before = texts(copy)
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1
    assert texts(copy) == before


@pytest.mark.parametrize("options", [["-I", "-S"], ["-S"]])
def test_it_runs_on_a_bare_python_from_any_folder(options, tmp_path):
    """In the whole tree, whose files beside it must not stand in for what it imports."""
    command = [sys.executable, *options, ROOT / "tools" / "address.py", "nonsense"]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    told = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert told.returncode == 2 and "'nonsense' is no address" in told.stderr, told.stderr
