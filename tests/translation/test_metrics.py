"""Metrics against numbers worked out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.translation import (
    Pair,
    alignment_error_rate,
    alignment_precision,
    alignment_recall,
    bleu,
    bleu_by_length,
    hard_links,
)

LINKS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)))


def test_alignment_error_rate_by_hand():
    predicted, sure, possible = {(0, 0), (1, 1), (2, 0)}, {(0, 0), (2, 2)}, {(0, 0), (1, 1), (2, 2)}
    # |A∩S| = 1, |A∩P| = 2, |A| = 3, |S| = 2
    assert alignment_error_rate(predicted, sure, possible) == pytest.approx(1 - 3 / 5)
    assert alignment_precision(predicted, possible) == pytest.approx(2 / 3)
    assert alignment_recall(predicted, sure) == pytest.approx(1 / 2)


def test_sentences_are_pooled_not_averaged():
    predicted = [{(0, 0)}, {(0, 0), (1, 0), (2, 0)}]
    sure = [{(0, 0)}, {(0, 1), (1, 1), (2, 0)}]
    assert alignment_error_rate(predicted, sure) == pytest.approx(1 - 4 / 8)


def test_nothing_predicted_and_nothing_sure_is_no_error():
    assert alignment_error_rate(set(), set()) == 0.0
    assert alignment_error_rate(set(), {(0, 0)}) == 1.0
    assert alignment_precision(set(), {(0, 0)}) == alignment_recall({(0, 0)}, set()) == 1.0


@given(LINKS, LINKS)
def test_one_minus_f1_when_sure_and_possible_agree(predicted, sure):
    error = alignment_error_rate(predicted, sure)
    assert 0 <= error <= 1
    if predicted and sure:
        p, r = alignment_precision(predicted, sure), alignment_recall(predicted, sure)
        f1 = 2 * p * r / (p + r) if p + r else 0.0
        assert error == pytest.approx(1 - f1)


def test_hard_links():
    weights = np.array([[0.6, 0.4, 0.0], [0.1, 0.45, 0.45]])
    assert hard_links(weights) == {(0, 0), (1, 1)}
    assert hard_links(weights, 0.4) == {(0, 0), (0, 1), (1, 1), (1, 2)}
    assert hard_links([[0.0, 0.0], [0.2, 0.3]]) == {(1, 1)}  # the first row looks nowhere


def test_bleu_by_hand():
    words = ["the", "cat", "sat", "under", "the", "tree"]
    assert bleu([words], [words]) == pytest.approx(100)
    # 5 of 5 words, 4 of 4, 3 of 3, 2 of 2 n-grams; the brevity penalty is exp(1 - 6/5).
    assert bleu([words[:5]], [words]) == pytest.approx(100 * math.exp(1 - 6 / 5))


def test_a_perfect_short_sentence_scores_100():
    for words in (["oui"], ["le", "chat"], ["le", "chat", "dort"]):
        assert bleu([words], [words]) == pytest.approx(100)
    assert bleu([["le", "chien", "dort"]], [["le", "chat", "dort"]]) < 50
    (score,) = bleu_by_length([Pair(["x"], ["oui"])], [["oui"]], width=3)
    assert score.bleu == pytest.approx(100)


def test_long_sentences_are_scored_by_all_four_orders():
    right = ["a", "b", "c", "d", "e"]
    # 4 of 5 words, 3 of 4, 2 of 3, 1 of 2 n-grams
    expected = 100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4)
    assert bleu([["a", "b", "c", "d", "z"]], [right]) == pytest.approx(expected)


def test_strings_are_refused_where_words_belong():
    with pytest.raises(TypeError, match="translation 0 is the string 'the cat sat'"):
        bleu(["the cat sat"], [["the", "cat", "sat"]])
    with pytest.raises(TypeError, match="reference 1 is the string"):
        bleu([["a"], ["b"]], [["a"], "b"])
    with pytest.raises(TypeError, match="translations must be a list of sentences"):
        bleu("a b", "a b")


def test_sentences_may_come_one_by_one():
    pairs, right = [Pair(["x"], ["a", "b"]), Pair(["y"], ["c"])], [["a", "b"], ["d"]]
    targets = [pair.target for pair in pairs]
    assert bleu((t for t in right), (t for t in targets)) == bleu(right, targets)
    assert bleu_by_length(pairs, (t for t in right)) == bleu_by_length(pairs, right)


def test_alignments_of_other_numbers_of_sentences_are_refused():
    one, three = [{(0, 0)}], [{(0, 0)}] * 3
    with pytest.raises(ValueError, match="predicted has the links of 1 sentences and sure of 3"):
        alignment_error_rate(one, three)
    with pytest.raises(ValueError, match="possible of 1"):
        alignment_error_rate(three, three, one)
    with pytest.raises(ValueError, match="2 sentences"):
        alignment_precision([{(0, 0)}] * 2, {(0, 0)})
    with pytest.raises(ValueError, match="sure of 3"):
        alignment_recall(one, three)


def test_bleu_by_length_puts_each_sentence_in_its_bin():
    right = ["a", "b", "c", "d", "e"]
    pairs = [Pair(["x"] * n, right) for n in (4, 5, 6, 12)]
    scores = bleu_by_length(pairs, [right, right, ["z"] * 5, right], width=5)
    assert [(s.low, s.high, s.count) for s in scores] == [(1, 5, 2), (6, 10, 1), (11, 15, 1)]
    assert scores[0].bleu == pytest.approx(100) and scores[1].bleu < 20
    with pytest.raises(ValueError, match="4 pairs but 1"):
        bleu_by_length(pairs, [right])
