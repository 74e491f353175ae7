"""A course may drop any chapter or exercise: no page then leads to it, and the tests stay green."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.site_links import dead_links
from tools.contents import chapters, listed

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.nightly
PAGES = [*chapters(), *(page for page in listed() if page.startswith("exercises/"))]
NOT_COPIED = (".git", ".venv", "_build", "build", "node_modules", "__pycache__", ".*_cache")
# The files that ask what the contents list. What the others find does not depend on it.
ASK = ("messages", "notebooks", "page", "quizzes", "slides", "solutions", "teaching", "terms")


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A copy of the course to cut."""
    place = tmp_path_factory.mktemp("dropping") / "course"
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*NOT_COPIED))
    return place


def build(place: Path) -> str:
    """Build the book without running a notebook; what it said."""
    config = place / "_config.yml"
    text = (ROOT / "_config.yml").read_text(encoding="utf-8")
    left = text.replace('exclude_patterns: ["exercises/*"]', 'exclude_patterns: ["*/*"]')
    assert left != text, "where _config.yml says what is not executed"
    config.write_text(left, encoding="utf-8")
    said = run(place, "tools.build")
    config.write_text(text, encoding="utf-8")
    return said


def run(place: Path, *command: str) -> str:
    bin = str(Path(sys.executable).parent)
    path = os.pathsep.join([bin, os.environ["PATH"]])
    environment = os.environ | {"PYTHONPATH": str(place), "PATH": path}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=place, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("page", PAGES)
def test_without_one_page_no_link_is_dead_and_the_tests_are_green(course, page):
    contents = course / "_toc.yml"
    whole = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    cut = whole.replace(f"      - file: {page}\n", "")
    # With its only page a part goes, too: the build asks for that.
    cut = re.sub(r"  - caption: .*\n(?:    .*\n)*?    chapters:\n(?!      )", "", cut)
    contents.write_text(cut, encoding="utf-8")
    said = build(course)
    assert f"_toc.yml has no line for {page}: the book leaves them out" in said
    site = course / "_build" / "html"
    assert dead_links(site) == []
    assert not list(site.rglob(f"{page.partition('/')[2]}.html")), "its page, in any language"
    tests = [f"tests/book/test_{name}.py" for name in ASK]
    run(course, "pytest", *tests, "-m", "not slow", "-q", "-p", "no:cacheprovider")
