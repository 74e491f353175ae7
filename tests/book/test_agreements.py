"""The sentences of *Writing all at once*, and who is called right."""

import pytest
import torch

from book.helpers.agreements import (
    LENGTH,
    MASK,
    WORDS,
    decode,
    draw,
    encode,
    right,
    sentence,
    share_right,
)

GIRL = ["the", "girl", "who", "has", "two", "red", "hats", "says", "that", "she", "likes", "them"]
KINGS = ["the", "kings", "who", "have", "one", "old", "cup", "think", "that", "they", "need", "it"]


def test_six_choices_make_twelve_words():
    assert sentence("girl", "two", "red", "hat", "say", "like") == GIRL
    assert sentence("kings", "one", "old", "cup", "think", "need") == KINGS


@pytest.mark.parametrize("place", range(LENGTH))
def test_one_word_of_the_other_sentence_is_an_error_unless_it_is_free(place):
    changed = list(GIRL)
    changed[place] = KINGS[place]
    same, free = changed == GIRL, place == 5  # the look says nothing about the others
    assert right(changed) == (same or free)


def test_what_is_drawn_is_right_and_only_masks_are_lost():
    texts = draw(200, torch.Generator().manual_seed(0))
    assert texts.shape == (200, LENGTH) and share_right(texts) == 1.0
    assert {word for text in texts for word in decode(text)} <= set(WORDS)
    assert torch.equal(encode(decode(texts[0])), texts[0])
    masked = encode("the ___ who")
    assert masked[1] == MASK and decode(masked) == ["the", "___", "who"]
    assert share_right(texts.fill_(MASK)) == 0.0


def test_a_word_of_no_sentence_is_refused():
    with pytest.raises(KeyError, match="dog"):
        encode("the dog")
