"""The pronouncing dictionary: read, split, scored, and what bad input is answered."""

import numpy as np
import pytest
import torch

from book.helpers.pronouncers import (
    LETTERS,
    PHONEMES,
    PublishedPronouncer,
    load_pronouncer,
    save_pronouncer,
)
from book.helpers.pronunciations import (
    Score,
    edit_distance,
    load_pronunciations,
    pairs_of,
    read_word,
    score,
    split_of,
    words_of,
)
from course_lib.translation import Pair, train

TEXT = """\
;;; a comment
read R EH1 D
read(2) R IY1 D # the verb
read(3) R IY0 D
it's IH1 T S
3d TH R IY2 D IY2
"""


@pytest.fixture
def dictionary(tmp_path):
    (tmp_path / "words").write_text(TEXT)
    return load_pronunciations(tmp_path / "words")


def test_stress_is_dropped_and_equal_pronunciations_are_one(dictionary):
    assert dictionary == {"read": [("R", "EH", "D"), ("R", "IY", "D")], "it's": [("IH", "T", "S")]}


def test_a_words_split_depends_on_its_letters_alone():
    words = [a + b + c for a in "abcdefghij" for b in "aeiou" for c in "lmnrst"]
    parts = {name: words_of(dict.fromkeys(words), name) for name in ("train", "valid", "test")}
    assert sorted(word for part in parts.values() for word in part) == sorted(words)
    assert len(parts["train"]) > 4 * len(parts["test"]) > 4 * len(parts["valid"]) > 0
    assert [split_of(w) for w in ("through", "colonel", "queue")] == ["train", "test", "train"]


def test_a_pair_for_each_pronunciation(dictionary):
    pairs = [p for name in ("train", "valid", "test") for p in pairs_of(dictionary, name)]
    assert sorted("".join(p.source) + ":" + "".join(p.target) for p in pairs) == [
        "it's:IHTS", "read:REHD", "read:RIYD",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("ab", "ba", 2), ("abc", "xabc", 1)],
)
def test_edit_distance(a, b, distance):
    assert edit_distance(a, b) == edit_distance(b, a) == distance


def test_any_pronunciation_is_right(dictionary):
    written = [["R", "IY", "D"], ["IH", "D"]]  # the second: one replaced, one missing
    assert score(dictionary, ["read", "it's"], written) == Score(
        2, 50.0, pytest.approx(100 * 2 / 6)
    )
    with pytest.raises(ValueError, match="got 1 words and 0 pronunciations"):
        score(dictionary, ["read"], [])


def test_what_a_reader_types():
    assert read_word(" It’s ") == list("it's")
    for text, message in {
        "": "empty",
        "two words": "more than one word",
        "naïve": "not ï",
        "c3po": "not 3",
    }.items():
        with pytest.raises(ValueError, match=message):
            read_word(text)


def test_a_saved_pronouncer_is_the_same_one(tmp_path):
    pairs = [Pair(["a", "b"], ["AH", "B"]), Pair(["b"], ["B", "IY"])]
    sizes = {"hidden_dim": 8, "embedding_dim": 4, "progress": False}
    model = train(pairs, "general", epochs=1, **sizes)
    save_pronouncer(model, tmp_path / "model.npz")
    again = load_pronouncer(tmp_path / "model.npz")
    assert (again.source.words, again.target.words) == (model.source.words, model.target.words)
    for name, weights in model.model.state_dict().items():
        torch.testing.assert_close(again.model.state_dict()[name], weights, atol=1e-3, rtol=1e-3)
    assert not again.model.training


def test_the_published_model_is_read_letter_by_letter(tmp_path):
    """Weights that make the state the embedding of the last symbol, and the output say that."""
    size = len(PHONEMES)
    parts = {"enc_emb": np.zeros((len(LETTERS), size)), "dec_emb": np.zeros((size, size))}
    parts["enc_emb"][LETTERS.index("</s>"), 5] = 9
    for at in range(size):
        parts["dec_emb"][at, (at + 1) % size] = 9  # after <s> comes </s>, after AA0 comes AA1
    parts["dec_emb"][PHONEMES.index("<s>")] = 0
    parts["dec_emb"][PHONEMES.index("<s>"), PHONEMES.index("AA0")] = 9
    parts["dec_emb"][PHONEMES.index("AA1")] = 9 * (np.arange(size) == PHONEMES.index("</s>"))
    for name in ("enc", "dec"):  # n = tanh(x), z = 0: the state is what was just read
        parts[f"{name}_w_ih"] = np.vstack([np.zeros((2 * size, size)), np.eye(size)])
        parts[f"{name}_w_hh"] = np.zeros((3 * size, size))
        parts[f"{name}_b_ih"] = np.repeat([0.0, -99.0, 0.0], size)
        parts[f"{name}_b_hh"] = np.zeros(3 * size)
    parts |= {"fc_w": np.eye(size), "fc_b": np.zeros(size)}
    np.savez(tmp_path / "g2p.npz", **{k: v.astype(np.float32) for k, v in parts.items()})
    assert PublishedPronouncer(tmp_path / "g2p.npz").pronounce("ab3") == ["AA", "AA"]
