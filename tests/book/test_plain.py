"""Chapters where no directive is known: nothing raw is left, and nothing is lost."""

import json
import re
from pathlib import Path

import pytest

from tools.plain import Plain, authors_and_year

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "book").glob("*.ipynb"))
RAW = re.compile(r"^\s*:{3,}.*$|\{[a-z][\w:-]*\}`[^`]*`|^`{3,}\{.*$|^\([\w-]+\)=$", re.M)
PLAIN = Plain(ROOT)


def texts(notebook: str) -> list[str]:
    cells = json.loads(notebook)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_nothing_raw_is_left_answers_stay_folded_and_links_lead_to_files(path):
    was = path.read_text(encoding="utf-8")
    assert RAW.search("\n".join(texts(was))), "the page has directives; or this test sees none"
    text = "\n".join(texts(PLAIN.notebook(path)))
    assert RAW.findall(text) == []
    assert text.count("<details>") == text.count("</details>")
    for target in re.findall(r"\]\(([\w./-]+\.(?:ipynb|md))\)", text):
        assert (path.parent / target).exists(), target


def test_boxes_folds_and_roles_in_plain_markdown():
    text = PLAIN.markdown(
        ":::{admonition} Your turn\n:class: attn-turn\nRead {term}`softmax`.\n:::\n"
        ":::{dropdown} One answer\n{cite:t}`bahdanau2015` {cite:p}`cho2014,luong2015`\n:::\n"
        "{numref}`a-figure` shows {doc}`softmax`, {doc}`this <softmax>`, {exercise}`01_softmax`.",
        ROOT / "book",
    )
    assert text.splitlines() == [
        "> **Your turn**", ">", "> Read softmax.", "",
        "<details><summary>One answer</summary>", "",
        "Bahdanau et al. (2015) (Cho et al., 2014; Luong et al., 2015)", "", "</details>", "",
        "The figure shows [Softmax](softmax.ipynb), [this](softmax.ipynb), "
        "[Exercise 01: Softmax](../exercises/01_softmax.ipynb).",
    ]  # fmt: skip


def test_code_is_left_alone():
    code = "```python\n:::{quiz}\n{term}\n```"
    assert PLAIN.markdown(code, ROOT / "book") == code


@pytest.mark.parametrize("text", [":::{tabs}\n:::", "{unknown}`x`"])
def test_what_has_no_plain_form_is_refused_by_name(text):
    with pytest.raises(ValueError, match="has no plain form"):
        PLAIN.markdown(text, ROOT / "book")


def test_authors_of_a_paper():
    entry = "  author = {Yao, Kaisheng and Geoffrey Zweig},\n  year = {2015}\n"
    assert authors_and_year(entry) == ("Yao and Zweig", "2015")
    entry = "  author = {{United Nations}},\n  year = {1948}\n"
    assert authors_and_year(entry) == ("United Nations", "1948")
