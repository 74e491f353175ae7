"""The field for a sentence of the reader's own: typed into, read by keyboard, on four pages."""

from pathlib import Path

import pytest
from axe import axe_finds
from figure_pages import said
from site_links import BOOK

from book.helpers.pronouncers import load_pronouncer
from course_lib.figures.moving.page_models import as_on_a_page

CALM = {"reduced_motion": "reduce"}  # nothing is written word by word


@pytest.fixture
def field(visit):
    """field(page, nth) opens a page from disk; the visit, a figure of it, and its field."""

    def open_field(page: str, nth: int = 0, **settings):
        seen = visit(f"{BOOK.as_uri()}/book/{page}.html", **CALM, **settings)
        found = seen.page.locator("attn-own-sentence").nth(nth)
        found.scroll_into_view_if_needed()
        found.locator(".attn-paper").wait_for()
        return seen, found, found.locator("input[type=text]")

    return open_field


def lines(found) -> list[str]:
    """What each model has written."""
    words = "all => all.map(e => [...e.children].map(w => w.textContent.trim()).join(' '))"
    return found.locator(".attn-own-words").evaluate_all(words)


def test_a_word_is_pronounced_as_pytorch_pronounces_it(field):
    seen, found, typed = field("spelling_into_sound")
    model = as_on_a_page(load_pronouncer())
    for word in ("tough", "bahdanau", "o'clock"):
        typed.fill(word)
        expected = model.translate([[*word]], beam=4)[0].words
        assert lines(found) == [" ".join(expected)]
    typed.fill("Zürich")
    assert "It knows the letters a to z, not ü." in found.locator(".attn-own-note").inner_text()
    typed.fill("two words")
    assert "more than one word" in found.locator(".attn-own-note").inner_text()
    typed.fill("tough")  # while there is no answer, the last one stands there pale
    assert seen.console == [] and axe_finds(seen.page, "attn-own-sentence") == []
    assert not [url for url in seen.requests if Path(url).suffix in (".wasm", ".npz", ".gz")]


def test_the_map_of_each_encoder_can_be_chosen(field):
    seen, found, typed = field("looking_one_word_late")
    typed.fill("the apple slept ")
    assert len(lines(found)) == 2
    looked = []
    for name in ("from the left", "from both sides"):
        found.get_by_label("map of").select_option(label=name)
        assert name in found.locator(".attn-paper").text_content()
        found.locator(".attn-paper").focus()
        for _ in range(3):
            seen.page.keyboard.press("ArrowUp")
        looked.append(said(found))
    assert looked[0] != looked[1] and all("weight" in sentence for sentence in looked)
    assert seen.console == []


def test_the_mask_is_lifted_in_the_second_line(field):
    seen, found, typed = field("writing_word_by_word")
    differ = 0
    for beginning in (
        "une souris",
        "le vieux chat",
        "ma reine n'",
        "la femme",
        "ce chien",
        "un homme",
    ):
        typed.fill(beginning)
        typed.press("Enter")
        with_mask, lifted = lines(found)
        assert with_mask and lifted
        differ += with_mask != lifted
    assert differ > 0, "without the mask the same model writes something else at times"
    assert seen.console == []
