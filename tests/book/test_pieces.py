"""The thirty lines of *Words in pieces*, as they stand on the page, beside the library's."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from book.helpers.passages import BREAD, HARBOUR
from tools.notebooks import read

PAGE = Path(__file__).parents[2] / "book" / "words_in_pieces.ipynb"
LINES = 30
ANYTHING = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
WORDS = ["the", "them", "then", "bread", "wall", "12", "it's", "we'll", ",", ".", "\n"]
ENGLISH = st.lists(st.sampled_from(WORDS)).map(" ".join)


def cell(name: str) -> str:
    return next(c.source for c in read(PAGE).cells if c.id == name)


@pytest.fixture(scope="module")
def page() -> dict:
    """The names that the program's three cells define."""
    names: dict = {}
    exec("import regex\nfrom collections import Counter\nfrom itertools import pairwise", names)
    for n in (1, 2, 3):
        exec(cell(f"program-{n}"), names)
    return names


@pytest.fixture(scope="module")
def learned(page) -> tuple[dict, Tokenizer]:
    """Joins that the page's program learned, and the library's tokenizer with the same ones."""
    ranks = page["learn"](f"{HARBOUR} {BREAD}", 300)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    shown = {bytes([b]): letter(b) for b in range(256)}
    assert sorted(shown.values()) == sorted(alphabet)

    def written(piece: bytes) -> str:
        return "".join(shown[bytes([b])] for b in piece)

    pairs = [(written(first), written(second)) for first, second in ranks]
    known = [*shown.values(), *("".join(pair) for pair in pairs)]
    tokenizer = Tokenizer(models.BPE({p: i for i, p in enumerate(dict.fromkeys(known))}, pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return ranks, tokenizer


def letter(byte: int) -> str:
    """How GPT-2's files write a byte."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    if byte in shown:
        return chr(byte)
    return chr(256 + [b for b in range(256) if b not in shown].index(byte))


def test_the_program_has_thirty_lines():
    lines = [line for n in (1, 2, 3) for line in cell(f"program-{n}").splitlines() if line.strip()]
    assert len(lines) == LINES


@given(st.one_of(ANYTHING, ENGLISH))
def test_it_cuts_as_the_library_and_puts_back(page, learned, text):
    ranks, tokenizer = learned
    pieces = page["encode"](text, ranks)
    theirs = tokenizer.encode(text).tokens
    assert ["".join(letter(b) for b in piece) for piece in pieces] == theirs
    assert page["decode"](pieces) == text


@given(st.lists(st.sampled_from([b"a", b"b", b"ab"]), max_size=12))
def test_join_takes_pairs_from_the_left_and_loses_nothing(page, pieces):
    joined = page["join"](pieces, (b"a", b"a"))
    assert b"".join(joined) == b"".join(pieces)
    assert all(pair != (b"a", b"a") for pair in pairwise(joined))
