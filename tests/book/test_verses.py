"""Verses of two translations: aligned, in three sets that share nothing, whole in pieces."""

import os
import sqlite3

import pytest

from benchmarks.verses import NAMES, places
from book.helpers import verses
from book.helpers.verses import in_pieces, learn_pieces, load_verses, text_of, words

LINES = [  # number of the book, chapter, verse, English, French
    (1, 1, 1, "In the beginning God created the heaven and the earth.", "Au commencement, Dieu."),
    (1, 1, 2, "And Moses spake.", "(1:1) Moïse parla encore."),
    (2, 5, 1, "And Moses spake.", "Et Moïse parla."),
    (2, 5, 2, "No.", "Il dit non, et partit."),
    (40, 1, 1, "The book of the generation.", "Généalogie de Jésus Christ."),
]


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A data base of a few verses in the place of the package's."""
    path = tmp_path / "bible.db"
    with sqlite3.connect(path) as base:
        base.execute("create table bible (bbName, bNumber, cNumber, vNumber, vText)")
        for book, chapter, verse, english, french in LINES:
            for name, text in (("k", english), ("l", french), ("z", "another translation")):
                base.execute(
                    "insert into bible values (?, ?, ?, ?, ?)", (name, book, chapter, verse, text)
                )
    monkeypatch.setattr(verses, "published_files", lambda name: [path])
    load_verses.cache_clear()
    yield
    load_verses.cache_clear()


def test_two_translations_of_the_chosen_books_without_foreign_numbers(small):
    found = [pair for split in ("train", "valid", "test") for pair in load_verses(split)]
    assert sorted(found) == [  # "No." is too short, and the 40th book none of those
        ("And Moses spake.", "Et Moïse parla."),
        ("And Moses spake.", "Moïse parla encore."),
        ("In the beginning God created the heaven and the earth.", "Au commencement, Dieu."),
    ]


def test_what_two_chapters_share_is_for_training_alone(small, monkeypatch):
    monkeypatch.setattr(verses, "_split_of", lambda chapter: "test")
    assert [e for e, _ in load_verses("test")] == [LINES[0][3]]
    assert [e for e, _ in load_verses("train")] == ["And Moses spake."] * 2


def test_an_unknown_split_is_refused():
    with pytest.raises(ValueError, match="train, valid, test"):
        load_verses("dev")


def test_pieces_put_together_are_the_text():
    texts = [line[4] for line in LINES]
    tokenizer = learn_pieces(texts, 300)
    assert tokenizer.get_vocab_size() == 300
    for pair in in_pieces([(text, text) for text in texts], tokenizer, tokenizer):
        assert text_of(pair.target, tokenizer) == text_of([*pair.target, "<unk>"], tokenizer)
        assert text_of(pair.source, tokenizer) in texts


@pytest.mark.parametrize(
    ("pieces", "place"),
    [
        (["ĠAnd", "ĠMo", "ses", "Ġspake"], range(1, 3)),
        (["ĠMoses", ",", "Ġspake"], range(0, 1)),
        (["ĠAnd", "ĠMoses"], range(1, 2)),
        (["ĠMoses", "ĠMoses"], None),  # twice: nobody knows which is meant
        (["ĠMo", "sess"], None),
    ],
)
def test_a_name_is_found_by_its_pieces_where_it_stands_once(pieces, place):
    assert places(pieces, "Moses") == place and "Moses" in NAMES


@pytest.mark.skipif(os.environ.get("COURSE_MODELS") == "no", reason="COURSE_MODELS=no")
def test_the_published_text_is_that_of_1910():
    """As a copy of the edition of 1910 has it, with a small e."""
    pairs = {e: f for split in ("train", "valid", "test") for e, f in load_verses(split)}
    [second] = [f for e, f in pairs.items() if e.startswith("And the earth was without form")]
    assert "et l'esprit de Dieu se mouvait au-dessus des eaux" in second
    assert all(len(words(e)) <= 80 for e in pairs)
