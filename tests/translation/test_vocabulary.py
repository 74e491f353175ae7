"""Numbers for words, and batches."""

import itertools

import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.translation import Pair, Vocabulary, make_batch, make_batches, pad
from course_lib.translation.vocabulary import END, PAD, SPECIALS, START, UNK

WORDS = st.lists(st.sampled_from(["le", "la", "chat", "chien", "dort"]), min_size=1, max_size=6)


def test_specials_first_then_by_frequency_then_by_name():
    vocabulary = Vocabulary([["b", "a", "c"], ["c"]])
    assert vocabulary.words == [*SPECIALS, "c", "a", "b"]
    assert len(vocabulary) == 7 and "a" in vocabulary and "z" not in vocabulary
    assert Vocabulary([["b", "a", "c"], ["c"]], min_count=2).words == [*SPECIALS, "c"]


def test_an_unknown_word_is_shown_as_unk():
    vocabulary = Vocabulary([["the", "cat"]])
    assert vocabulary.encode(["the", "zebra"])[1] == UNK
    assert vocabulary.decode(vocabulary.encode(["the", "zebra"])) == ["the", "<unk>"]


def test_a_word_that_looks_like_a_special_one_ends_nothing():
    """Texts from elsewhere may hold them: no padding within, and no end before the end."""
    vocabulary = Vocabulary([["a", *SPECIALS, "b"]])
    assert vocabulary.words == [*SPECIALS, "a", "b"]
    assert vocabulary.encode(["a", *SPECIALS, "b"]) == [4, UNK, UNK, UNK, UNK, 5]
    batch = make_batch([Pair(["a", "<pad>"], ["<end>", "b", "<start>"])], vocabulary, vocabulary)
    assert batch.labels.tolist() == [[UNK, 5, UNK, END]]
    assert batch.source.tolist() == [[4, UNK]] and batch.lengths.tolist() == [2]


@given(WORDS)
def test_decode_undoes_encode(words):
    vocabulary = Vocabulary([words])
    assert vocabulary.decode([START, *vocabulary.encode(words), END, PAD, 5]) == words


def test_pad():
    ids, lengths = pad([[5, 6, 7], [8]])
    assert ids.tolist() == [[5, 6, 7], [8, PAD, PAD]] and lengths.tolist() == [3, 1]


def test_inputs_and_labels_are_one_step_apart():
    pairs = [Pair(["a"], ["x", "y"]), Pair(["a", "b"], ["z"])]
    source, target = Vocabulary([["a", "b"]]), Vocabulary([["x", "y", "z"]])
    batch = make_batch(pairs, source, target)
    x, y, z = target.encode(["x", "y", "z"])
    assert batch.inputs.tolist() == [[START, x, y], [START, z, PAD]]
    assert batch.labels.tolist() == [[x, y, END], [z, END, PAD]]
    assert batch.source.tolist() == [[4, PAD], [4, 5]] and batch.lengths.tolist() == [1, 2]


@given(st.lists(WORDS, min_size=1, max_size=30), st.integers(1, 7))
def test_batches_hold_every_pair_once_with_like_lengths_together(sentences, size):
    pairs = [Pair(words, words) for words in sentences]
    vocabulary = Vocabulary(sentences)
    batches = make_batches(pairs, vocabulary, vocabulary, size, torch.Generator().manual_seed(0))
    rows = [row[:n].tolist() for b in batches for row, n in zip(b.source, b.lengths, strict=True)]
    assert sorted(rows) == sorted(vocabulary.encode(words) for words in sentences)
    spans = sorted((int(b.lengths.min()), int(b.lengths.max())) for b in batches)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
