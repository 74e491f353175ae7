"""A course may drop any chapter or exercise: no page then leads to it, and the tests stay green."""

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from tools.contents import chapters, listed

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.nightly
PAGES = [*chapters(), *(page for page in listed() if page.startswith("exercises/"))]
NOT_COPIED = (".git", ".venv", "_build", "build", "node_modules", "__pycache__", ".*_cache")
# The files that ask what the contents list. What the others find does not depend on it.
ASK = ("messages", "notebooks", "page", "quizzes", "slides", "solutions", "teaching", "terms")
LINK = re.compile(r'\s(?:href|src)="([^"]*)"')
ID = re.compile(r'\s(?:id|name)="([^"]*)"')


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


def dead_links(site: Path) -> list[str]:
    """Links of the built pages to a file that is not there, or to a place that a page lacks."""
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    texts = {path: text for path, text in texts.items() if "_static" not in path.parts}
    places = {path: set(map(html.unescape, ID.findall(text))) for path, text in texts.items()}
    found = []
    for path, text in texts.items():
        for link in set(map(html.unescape, LINK.findall(text))):
            if re.match(r"[a-z]+:|//", link):
                continue
            name, _, place = link.partition("#")
            start = site if name.startswith("/") else path.parent  # 404.html is shown anywhere
            name = unquote(name.partition("?")[0]).lstrip("/")
            to = (start / name).resolve() if name else path
            if not to.is_file() or (place and to in places and unquote(place) not in places[to]):
                found.append(f"{path.relative_to(site)}: {link}")
    return sorted(found)


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
