"""A book that has an address: its pages and exercises open in Binder and in Colab."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml

from tests.book.test_extensions import FORK

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("tiny-book")]
NOTEBOOKS = ("book/softmax", "exercises/01_softmax")
IN_A_COPY = "book/grading_a_class"
BINDER = "https://mybinder.org/v2/gh/uni-x/attention-2027"
COLAB = "https://colab.research.google.com/github/uni-x/attention-2027/blob"


@pytest.fixture(scope="module", params=["main", "launch"])
def book(request, tmp_path_factory):
    """(the branch, the folder of the pages) of a book of two pages, with our settings."""
    place = tmp_path_factory.mktemp("launch")
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config_of_the_book = config["sphinx"]["config"]
    config["repository"]["url"] = FORK.repository
    names = ("title", "repository", "launch_buttons", "html", "only_build_toc_files")
    config = {name: config[name] for name in names} | {"execute": {"execute_notebooks": "off"}}
    del config["html"]["favicon"]
    extensions = ("machine.address", "machine.links", "languages.pages")
    config["sphinx"] = {
        "local_extensions": dict.fromkeys(extensions, str(ROOT / "book/_ext")),
        "config": {"attn_in_a_copy": config_of_the_book["attn_in_a_copy"]},
    }
    for name in (*NOTEBOOKS, IN_A_COPY):
        (place / name).parent.mkdir(exist_ok=True)
        cells = [nbformat.v4.new_markdown_cell("# A page\n\n{exercise}`01_softmax`", id="a")]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), place / f"{name}.ipynb")
    (place / "index.md").write_text("# A book\n", encoding="utf-8")
    chapters = [{"file": name} for name in (*NOTEBOOKS, IN_A_COPY)]
    contents = {"format": "jb-book", "root": "index", "chapters": chapters}
    for name, data in (("_config.yml", config), ("_toc.yml", contents)):
        (place / name).write_text(yaml.safe_dump(data), encoding="utf-8")
    environment = os.environ | {"COURSE_LAUNCH": "launch" * (request.param == "launch")}
    words = [Path(sys.executable).parent / "jupyter-book", "build", ".", "-q"]
    done = subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return request.param, place / "_build" / "html"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_page_links_to_binder_and_to_colab(book, name):
    branch, pages = book
    page = (pages / f"{name}.html").read_text(encoding="utf-8")
    found = set(re.findall(r'href="(https://(?:mybinder|colab)[^"]+)"', page))
    here = {f"{BINDER}/{branch}?urlpath=lab/tree/{name}.ipynb", f"{COLAB}/{branch}/{name}.ipynb"}
    assert found == here | {f"{COLAB}/{branch}/exercises/01_softmax.ipynb"}


def test_a_page_that_needs_a_copy_of_the_course_has_no_button_for_colab(book):
    branch, pages = book
    page = (pages / f"{IN_A_COPY}.html").read_text(encoding="utf-8")
    assert f"{BINDER}/{branch}?urlpath=lab/tree/{IN_A_COPY}.ipynb" in page
    assert f"{COLAB}/{branch}/{IN_A_COPY}.ipynb" not in page
