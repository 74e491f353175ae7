"""What comes from outside: strings, tensors as indices, links of other shapes."""

import numpy as np
import pytest
import torch

from course_lib.translation import (
    Pair,
    Seq2Seq,
    Translator,
    Vocabulary,
    alignment_error_rate,
    alignment_precision,
    alignment_recall,
    bleu,
    bleu_by_length,
    hard_links,
    make_batch,
    train,
)

WORDS = Vocabulary([["the", "cat", "sat"]])
GOOD, STRING, NUMBERS = Pair(["the"], ["cat"]), Pair("the cat", ["cat"]), Pair(["the"], [1, 2])
TRANSLATOR = Translator(Seq2Seq(len(WORDS), len(WORDS), hidden_dim=8), WORDS, WORDS)
TAKE_WORDS = {
    "vocabulary": lambda pair: Vocabulary([pair.source, pair.target]),
    "from words": lambda pair: Vocabulary.from_words(pair[0] if pair is STRING else pair[1]),
    "encode": lambda pair: (WORDS.encode(pair.source), WORDS.encode(pair.target)),
    "batch": lambda pair: make_batch([pair], WORDS, WORDS),
    "train": lambda pair: train([GOOD, pair], progress=False),
    "valid": lambda pair: train([GOOD], valid=[pair], progress=False),
    "align": lambda pair: TRANSLATOR.align([pair]),
    "bleu": lambda pair: (bleu([pair.source], [["a"]]), bleu([["a"]], [pair.target])),
    "by length": lambda pair: bleu_by_length([pair], [["a"]]),
}  # fmt: skip


@pytest.mark.parametrize("pair", [STRING, NUMBERS], ids=["a string", "numbers"])
@pytest.mark.parametrize("take", TAKE_WORDS.values(), ids=TAKE_WORDS)
def test_a_sentence_is_a_list_of_words(take, pair, as_a_user):
    with pytest.raises(TypeError, match="list of words"):
        take(pair)


@pytest.mark.parametrize("name", ["align", "batch", "train"])
@pytest.mark.parametrize("pair", [Pair([], ["a"]), Pair(["a"], [])])
def test_a_pair_without_words_is_named(name, pair, as_a_user):
    with pytest.raises(ValueError, match=r"pair [01] has an empty (source|target)"):
        TAKE_WORDS[name](pair)


GOLD = {(0, 1), (1, 0), (2, 2)}
INTEGERS = {
    "python": int,
    "numpy": np.int64,
    "tensor": torch.tensor,
    "short": lambda i: torch.tensor(i, dtype=torch.int16),
}


@pytest.mark.parametrize("kind", INTEGERS.values(), ids=INTEGERS)
@pytest.mark.parametrize("rate", [alignment_error_rate, alignment_precision, alignment_recall])
@pytest.mark.parametrize("generated", [True, False])
def test_links_of_any_integers_are_the_same_links(kind, rate, generated, as_a_user):
    links = {(kind(t), kind(s)) for t, s in GOLD}
    right = 0.0 if rate is alignment_error_rate else 1.0
    for found, gold in ((links, GOLD), (GOLD, links)):
        assert rate(found, gold) == right
        lists = [found, found], [gold, gold]
        assert rate(*((x for x in one) for one in lists) if generated else lists) == right


@pytest.mark.parametrize(
    ("links", "words"),
    [
        ([(0, 0), (1, 1)], "a set of links for each sentence"),
        ({(0.0, 1.0)}, "must be an integer"),
        ({(0, "1")}, "must be an integer"),
        ({(0, -1)}, "must not be negative"),
        ({(0, 1, 2)}, r"is \(target index, source index\)"),
        ({"0-1"}, r"is \(target index, source index\)"),
        ("0-1", "set of links"),
        (3, "set of links"),
    ],
)
def test_what_is_no_link_is_refused(links, words, as_a_user):
    for given in ((links, GOLD), (GOLD, links), (GOLD, GOLD, links)):
        with pytest.raises((TypeError, ValueError), match=words):
            alignment_error_rate(*given)


@pytest.mark.parametrize(
    "weights",
    [
        np.eye(3)[None].repeat(2, 0),
        np.eye(3)[0],
        np.full((2, 2), np.nan),
        np.full((2, 2), np.inf),
        1.0,
    ],
)
def test_weights_that_are_not_those_of_one_sentence(weights, as_a_user):
    for threshold in (None, 0.5):
        with pytest.raises(ValueError, match=r"\(T, S\)|finite"):
            hard_links(weights, threshold)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_weights_may_be_any_tensor(dtype):
    weights = torch.eye(3, dtype=dtype, requires_grad=True)
    assert hard_links(weights) == hard_links(np.eye(3)) == {(0, 0), (1, 1), (2, 2)}


def test_numbers_that_no_word_has(as_a_user):
    for bad in (-1, len(WORDS), 10**6):
        with pytest.raises(ValueError, match=r"no word|negative"):
            WORDS.decode([4, bad])
    with pytest.raises(TypeError, match="integer"):
        WORDS.decode([4.0])
    assert WORDS.decode(torch.tensor([4, 5])) == WORDS.words[4:6]


def test_bleu_counts_words_as_they_are():
    assert bleu([["New York", "x"]], [["New", "York", "x"]]) < 100
    assert bleu([["New York", "", "x"]], [["New York", "", "x"]]) == 100
    for n in range(1, 9):
        assert bleu([["w"] * n], [["w"] * n]) == 100  # and not a hair more
