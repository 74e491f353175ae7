"""Papers are cited in one form: Author & Author (year), "Title", https://address, section."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ADDRESS = re.compile(r"https?://\S+")
BEFORE = re.compile(r'[A-Z]\S* (?:et al\. )?\((?:19|20)\d\d\), "[^"]+", $')


def unlike(docstring: str) -> list[str]:
    """What stands before each address that is not cited so."""
    text = " ".join(docstring.split())
    heads = [text[: found.start()] for found in ADDRESS.finditer(text)]
    return [head[-80:] for head in heads if not BEFORE.search(head)]


def docstrings() -> dict[str, str]:
    found = {}
    for path in (ROOT / "course_lib").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                name = getattr(node, "name", "")
                found[f"{path.relative_to(ROOT)}:{name}"] = ast.get_docstring(node) or ""
    return found


def test_every_paper_is_cited_in_one_form():
    texts = docstrings()
    assert sum("https://arxiv.org" in text for text in texts.values()) > 20
    assert {name: unlike(text) for name, text in texts.items() if unlike(text)} == {}
    assert [name for name, text in texts.items() if re.search(r"\bPapers?: ", text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "Su et al. (2021), `RoFormer <https://arxiv.org/abs/2104.09864>`_",
        'Su et al. (2021), "RoFormer", section 3, https://arxiv.org/abs/2104.09864',
        "Su et al. (2021), https://arxiv.org/abs/2104.09864",
        "See https://arxiv.org/abs/2104.09864",
        '"RoFormer", https://arxiv.org/abs/2104.09864',
    ],
)
def test_another_form_is_found(text):
    assert unlike(text)
