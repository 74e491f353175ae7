"""Translations: what a translator gets, what becomes of it, and that the French page is French."""

import importlib
import re
from collections import Counter

import nbformat.v4 as made
import pytest
from babel.messages.catalog import Catalog
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn

from tools import messages as tool
from tools.contents import ROOT, chapters
from tools.messages import catalogue, catalogues, messages, renew, table
from tools.notebooks import read

parts = importlib.import_module("languages.messages")  # its folder came with tools.messages
pages = importlib.import_module("languages.pages")

# What a translation has as its English has it: formulas, code, what a role or a place points to.
FIXED = re.compile(r"\$[^$]+\$|\{\w+\}(?!`)|%[sd]|(?:\{[\w:]+\})?`[^`]+`|\|")
CATALOGUES = [
    (language, name) for language, names in catalogues(ROOT).items() for name in (*names, "course")
]


def fixed(message: str) -> Counter:
    found = FIXED.findall(message)
    return Counter(re.sub(r"`[^`<]*<([^>]*)>`", r"`\1`", part) for part in found)


@pytest.mark.parametrize("name", chapters())
def test_a_page_in_no_other_words_is_the_page(name):
    notebook = read(ROOT / f"{name}.ipynb")
    again = parts.translated(notebook, lambda message: message)
    for old, new in zip(notebook.cells, again.cells, strict=True):
        assert new.source.split() == old.source.split()
    shown = {m for m in messages(notebook) if ":::" in m or "</" in m or "\n" in m}
    assert not shown, f"marks that a translator should not have to type: {shown}"


def test_every_part_of_a_page_is_a_message():
    source = """# Head

One
two $x$.

$$x$$

:::{dropdown} Title
:level: expert
Inside.
:::

| a | b |
|---|---|
| 1 | 2 |

- a. First,
  long.

```{math}
no
```
(label)=
## Two"""
    found = []
    parts.rewritten(source, lambda message: found.append(message) or message)
    assert found == ["Head", "One two $x$.", "Title", "Inside.", "| a | b |", "First, long.", "Two"]


def test_a_changed_sentence_is_english_until_somebody_has_looked(tmp_path):
    path = tmp_path / "fr.po"
    made = Catalog(locale="fr")
    made.add("The loaf costs 2.20.", "Le pain coûte 2.20.")
    made.add("Gone.", "Disparu.")
    tool.write(path, made)
    renew(path, "fr", ["The loaf costs 2.30.", "New."])
    assert table(path) == {}
    assert "#, fuzzy" in path.read_text("utf-8") and "Le pain" in path.read_text("utf-8")


@pytest.mark.parametrize(("language", "name"), CATALOGUES)
def test_a_translation_keeps_formulas_code_and_links(language, name):
    known = table(catalogue(ROOT, language, name))
    wrong = [f"{m!r} → {known[m]!r}" for m in known if fixed(m) != fixed(known[m])]
    assert not wrong, "\n".join(wrong)


def test_the_build_says_how_much_is_english(monkeypatch):
    monkeypatch.setattr(tool, "catalogues", lambda root: {"fr": ["softmax"]})
    monkeypatch.setattr(tool, "listed", lambda root: ["book/softmax"])
    monkeypatch.setattr(tool, "of_page", lambda name, root: ["not translated", "Quiz"])
    monkeypatch.setattr(tool, "of_code", lambda root: ["Check"])
    monkeypatch.setattr(tool, "table", lambda path: {"Quiz": "Quiz", "Check": "Vérifier"})
    assert tool.english() == ["fr: 1 of 2 messages of softmax are English."]


def test_a_translation_is_lent_what_the_english_page_has_shown(tmp_path):
    """jupyter-cache holds pages of other captions apart, and Sphinx would run this one."""
    (tmp_path / "constraints.txt").touch()
    notebooks = {}
    for folder, caption in {"book": "One", "fr": "Un"}.items():
        (tmp_path / folder).mkdir()
        cell = made.new_code_cell("1 + 0", metadata={"mystnb": {"figure": {"caption": caption}}})
        kernel = {"name": "python3", "display_name": "Python 3"}
        notebook = made.new_notebook(cells=[cell], metadata={"kernelspec": kernel})
        text = made.writes(notebook)
        (tmp_path / folder / "one.ipynb").write_text(text, encoding="utf-8")
        notebooks[folder] = pages.keyed(tmp_path, made.reads(text))
    cache = get_cache(str(tmp_path / "cache"))

    def lend():
        pages.lend(tmp_path, tmp_path / "cache", "book/one", tmp_path / "fr" / "one.ipynb")

    lend()  # nothing has run: nothing is lent
    assert cache.list_cache_records() == []
    notebooks["book"].cells[0].outputs = [made.new_output("stream", name="stdout", text="1")]
    cache.cache_notebook_bundle(CacheBundleIn(notebooks["book"], "one"), check_validity=False)
    lend()
    _, found = cache.merge_match_into_notebook(notebooks["fr"])
    assert found.cells[0].outputs[0].text == "1"
    assert found.cells[0].metadata.mystnb.figure.caption == "Un"
