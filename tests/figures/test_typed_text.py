"""What somebody typed into the field: how it is read, and what is said of it."""

from pathlib import Path

import pytest
from in_node import in_node

from book.helpers.everyday.reading import words_of as english_words

ROOT = Path(__file__).parents[2]

READ = "return given.texts.map(sentenceReader({ ...given, most: 5 }));"
FOLLOW = {"": ["the"], "the": ["cat", "dog"], "cat": ["sat"], "sat": [".", "and"]}


@pytest.mark.parametrize(
    ("text", "stop", "said", "offered"),
    [
        ("The cat sat.", "", "", ["and"]),
        ("the cat", "unfinished", "Go on, or press Enter.", ["sat"]),
        ("the c", "open", "", ["cat"]),
        ("the zebra ", "unknown", "It has never read “zebra”: it learned 5 words.", []),
        (
            "the czt sat",
            "unknown",
            "It has never read “czt”: it learned 5 words. Near it:",
            ["cat"],
        ),
        ("", "empty", "Type a sentence, or choose a word:", ["the"]),
        ("...", "empty", "It reads words in the letters a to z.", ["the"]),
        ("кот спал", "unknown", "It has never read “кот”: it learned 5 words.", []),
        ("the cat sat and " * 500, "", "It stops reading after 5 words.", []),
        ("The cat sat!", "", "It does not read !", ["and"]),
        ("the cat sat, 😀", "unknown", "It has never read “😀”: it learned 5 words.", []),
    ],
)
def test_what_is_said_of_what_was_typed(text, stop, said, offered):
    given = {"known": ["the", "cat", "sat", "and", "dog"], "follow": FOLLOW, "texts": [text]}
    (read,) = in_node(READ, given)
    assert (read["stop"], read["said"], read["offered"][:1]) == (stop, said, offered[:1])
    assert len(read["words"]) <= 5


@pytest.mark.parametrize(
    ("text", "words", "stop", "said", "offered"),
    [
        (
            "the Zebra sat",
            ["the", "Zebra", "sat"],
            "",
            "It has never read “Zebra” and copies it.",
            [],
        ),
        ("the 2 cat", ["the", "2", "cat"], "", "It has never read “2” and copies it.", []),
        ("zebra c", ["zebra", "c"], "open", "", ["cat"]),
        ("cat sat 👍🏽", ["cat", "sat", "👍🏽"], "", "It has never read “👍🏽” and copies it.", []),
        ("sat, cat?", ["sat", "cat"], "", "It does not read , ?", ["sat"]),
        ("cat's", ["cat", "'s"], "", "It has never read “cat's” and copies it.", []),
    ],
)
def test_who_copies_reads_everything(text, words, stop, said, offered):
    given = {
        "known": ["the", "cat", "sat", "and"],
        "follow": FOLLOW,
        "copies": True,
        "texts": [text],
    }
    (read,) = in_node(READ, given)
    assert (read["words"], read["stop"], read["said"]) == (words, stop, said)
    assert read["offered"][:1] == offered


def test_python_reads_the_first_sentences_as_the_page_does():
    texts = [
        line
        for half in ("build", "kept")
        for line in (ROOT / "benchmarks" / "first_sentences" / f"{half}.txt")
        .read_text("utf-8")
        .splitlines()
    ]
    texts += ["It's Ann's cat, isn't it?", "I can’t, I'll go; let's.", "cannot o'clock"]
    code = "return given.map((text) => partsOf(text).flatMap(({ words }) => words));"
    assert in_node(code, texts) == [english_words(text) for text in texts]


@pytest.mark.parametrize(
    ("said", "words", "flaw"),
    [
        ("le chat chat dort", 3, "It repeats “chat”."),
        ("le chat et le chat dort", 5, ""),
        ("le chat et le chat et dort", 5, "It repeats “le chat et”."),
        ("nous nous levons", 3, ""),
        ("le chat dort", 6, "It stopped writing after 3 words for 6."),
        ("bonjour", 2, ""),
        ("un deux trois quatre cinq six sept huit neuf dix", 1, "It does not come to an end."),
    ],
)
def test_a_flaw_is_seen_without_knowing_the_right_translation(said, words, flaw):
    given = {"said": said.split(), "read": ["w"] * words}
    assert in_node("return flawOf(given.said, given.read, 10);", given) == flaw


def test_a_letter_that_is_none_is_named():
    code = "return given.map(letterReader({ known: [...'abcdefgz'], most: 4 }));"
    good, empty, two, other = in_node(code, ["Faced", "", "a b", "fü"])
    assert good["words"] == [*"face"] and good["said"] == "It stops reading after 4 letters."
    assert empty["stop"] and two["said"].startswith("That is more than one word")
    assert other["said"] == "It knows the letters a to z, not ü."
