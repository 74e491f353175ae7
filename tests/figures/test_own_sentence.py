"""The reader's own sentence: what a page writes is what PyTorch writes with the same bytes."""

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from in_node import in_node

from benchmarks.everyday import training_pairs
from book.helpers.everyday import EverydayCorpus
from book.helpers.everyday.models import load_everyday
from book.helpers.pronouncers import load_pronouncer
from book.helpers.pronunciations import load_pronunciations, words_of
from course_lib.figures.moving import Trained, own_sentence_figure
from course_lib.figures.moving.page_models import (
    as_on_a_page,
    copied,
    packed_once,
    page_model,
    written,
)
from course_lib.figures.moving.parameters import packed, rounded, unpacked
from course_lib.transformer import EncoderDecoder, LanguageModel
from course_lib.translation import Pair, ParallelCorpus, Vocabulary, train

ROOT = Path(__file__).parents[2]
CORPUS = ParallelCorpus(seed=0)
PAIRS = CORPUS.pairs(400, clauses=(1, 2))
TEST = [pair.source for pair in CORPUS.pairs(200, clauses=(1, 2), split="test")]
SMALL = {"hidden_dim": 16, "embedding_dim": 8, "dropout": 0.0, "progress": False}
KINDS = {
    "additive": {"order": "luong", "bidirectional": False},
    "general": {"bidirectional": True},
    "dot": {"bidirectional": False},
    "none": {"bidirectional": True},
}


WRITE = """
const runs = new RecurrentTranslator(given.model);
return given.sentences.map((words) => runs
  .write(words.map((word) => given.model.source.indexOf(word)), { limit: 40, width: given.width })
  .map(({ token, weights }) => [given.model.target[token], weights && [...weights]]));
"""


@pytest.mark.parametrize(
    ("kind", "bits"), [*((kind, 8) for kind in KINDS), ("additive", 4), ("none", 4)]
)
def test_the_page_writes_what_pytorch_writes(kind, bits):
    translator = train(PAIRS, kind, epochs=6, learning_rate=2e-2, **SMALL, **KINDS[kind])
    found = in_node(WRITE, {"model": page_model(kind, translator, bits), "sentences": TEST})
    expected = as_on_a_page(translator, bits).translate(TEST, max_length=40)
    for rows, translation in zip(found, expected, strict=True):
        assert [word for word, _ in rows] == list(translation.words)
        if kind == "none":
            assert all(weights is None for _, weights in rows)
        elif rows:
            weights = np.array([weights for _, weights in rows])
            np.testing.assert_allclose(weights, translation.weights, atol=1e-4)
    assert len({tuple(t.words) for t in expected}) > 3, "the model says different things"


def transformer(kind: str, causal: bool = True) -> Trained:
    """One with random parameters, large enough that it says different things."""
    source = Vocabulary(p.target if kind == "language" else p.source for p in PAIRS)
    target = Vocabulary(p.target for p in PAIRS)
    sizes = {"d_model": 16, "num_heads": 2, "num_layers": 2, "d_hidden": 24}
    torch.manual_seed(1)
    if kind == "language":
        model = LanguageModel(len(target), causal=causal, **sizes)
    else:
        model = EncoderDecoder(len(source), len(target), **sizes)
    for name, parameter in model.named_parameters():
        parameter.data += 0.5 * torch.randn_like(parameter) * ("tokens" not in name)
    return as_on_a_page(Trained(model, source, target))


@pytest.mark.parametrize(
    ("kind", "causal"), [("transformer", True), ("language", True), ("language", False)]
)
def test_a_transformer_writes_what_pytorch_writes(kind, causal):
    translator = transformer(kind, causal)
    pairs = CORPUS.pairs(60, clauses=(1, 2), split="test")
    sentences = [p.target[:3] if kind == "language" else p.source for p in pairs]
    sentences = [s for s in sentences if all(word in translator.source for word in s)]
    found = in_node(TRANSFORMERS, {"model": page_model(kind, translator), "sentences": sentences})
    expected = [written(translator, sentence, 12) for sentence in sentences]
    assert [words for words, _ in found] == [one.words for one in expected]
    for (_, weights), one in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.array(weights), one.weights, atol=1e-4)
    assert len({tuple(one.words) for one in expected}) > 3, "it says different things"


TRANSFORMERS = """
const kinds = { transformer: TransformerTranslator, language: LanguageModelWriter };
const runs = new kinds[given.model.kind](given.model);
const { source, target } = given.model;
return given.sentences.map((words) => {
  const rows = runs.write(words.map((word) => source.indexOf(word)), { limit: 12 });
  const length = given.model.kind === "language" ? words.length + rows.length : words.length;
  const mean = (maps) => Array.from({ length }, (_unused, j) =>
    maps.reduce((sum, map) => sum + (map[j] ?? 0), 0) / maps.length);
  return [rows.map(({ token }) => target[token]), rows.map(({ weights }) => mean(weights))];
});
"""


def test_the_best_of_four_beginnings_is_that_of_beam_search():
    translator = train(PAIRS, "general", epochs=3, learning_rate=2e-2, **SMALL)
    given = {"model": page_model("g", translator), "sentences": TEST[:60], "width": 4}
    found = in_node(WRITE, given)
    page = as_on_a_page(translator)
    expected = page.translate(TEST[:60], beam=4, max_length=40)
    assert [[w for w, _ in rows] for rows in found] == [list(t.words) for t in expected]
    assert [list(t.words) for t in page.translate(TEST[:60], max_length=40)] != [
        list(t.words) for t in expected
    ], "a beam finds something else at times"


def test_a_held_out_word_is_pronounced_as_pytorch_pronounces_it():
    model = load_pronouncer()
    words = [[*word] for word in words_of(load_pronunciations(), "test")[::400]]
    found = in_node(WRITE, {"model": page_model("m", model), "sentences": words, "width": 4})
    expected = as_on_a_page(model).translate(words, beam=4, max_length=40)
    assert [[w for w, _ in rows] for rows in found] == [list(t.words) for t in expected]
    for rows, translation in zip(found, expected, strict=True):
        np.testing.assert_allclose([w for _, w in rows], translation.weights, atol=1e-2)


@given(st.integers(1, 5), st.integers(1, 6), st.floats(1e-3, 1e3), st.sampled_from((8, 4)))
def test_a_rounded_number_is_half_a_step_away_at_most(rows, columns, size, bits):
    size = min(size, 1.0) if bits == 4 else size
    weights = {"w": size * torch.randn(rows, columns), "b": size * torch.randn(rows)}
    near = rounded(weights, bits)
    for name, value in weights.items():
        width, narrow = (columns, bits == 4) if name == "w" else (rows, False)
        most = 7 / 2 ** (1 / 16) if narrow else 127  # the next larger scale of 16 an octave
        step = value.view(-1, width).abs().amax(1, keepdim=True) / most
        far = (near[name] - value).abs().view(-1, width)
        assert near[name].shape == value.shape and bool((far <= 0.501 * step).all())
    for name, value in rounded(near, bits).items():  # and what is rounded stays
        torch.testing.assert_close(value, near[name])
    held = packed(weights, bits)
    assert held["tensors"] == [["w", rows, columns, *[4] * (bits == 4)], ["b", 1, rows]]
    for name, value in unpacked(held["tensors"], held["bytes"]).items():
        torch.testing.assert_close(value.view(near[name].shape), near[name], rtol=0, atol=0)


def test_other_bits_and_numbers_too_large_for_four_are_refused():
    with pytest.raises(ValueError, match="bits must be 8 or 4, got 5"):
        packed({"w": torch.ones(2, 2)}, 5)
    with pytest.raises(ValueError, match=r"no number may be beyond ±7, got 8\.0"):
        rounded({"w": torch.full((2, 2), 8.0)}, 4)


def test_an_unknown_word_is_copied_from_where_the_model_looked():
    weights = np.array([[0.6, 0.1, 0.3], [0.2, 0.7, 0.1]])
    assert copied(["le", "<unk>"], weights, ["the", "zebra", "sat"]) == ["le", "zebra"]
    assert copied(["le", "<unk>"], None, ["the", "zebra"]) == ["le", "(?)"]


def test_a_lifted_mask_changes_what_is_written():
    with_mask, lifted = transformer("language"), transformer("language", causal=False)
    sentences = [pair.target[:3] for pair in PAIRS[:20]]
    said = [[written(one, s, 12).words for s in sentences] for one in (with_mask, lifted)]
    assert said[0] != said[1]


def test_models_of_the_same_numbers_carry_them_once():
    with_mask, lifted = transformer("language"), transformer("language", causal=False)
    other = transformer("transformer")
    named = {"a": with_mask, "b": lifted, "c": other}
    models = packed_once([page_model(name, model) for name, model in named.items()])
    same = packed_once(
        [{"source": ["a"], "target": ["b"], "bytes": x, "tensors": []} for x in "xy"]
    )
    assert same[1] == {"words": 0, "bytes": "y", "tensors": []}
    assert models[1] == {"name": "b", "kind": "language", "layers": 2, "heads": 2,
                         "causal": False, "like": 0}  # fmt: skip
    assert "bytes" in models[2] and "like" not in models[2]


def test_the_still_and_the_text_show_what_the_page_will_write():
    translators = {
        "with attention": train(PAIRS, "general", epochs=1, **SMALL),
        "without": train(PAIRS, "none", epochs=1, **SMALL),
    }
    figure = own_sentence_figure(translators, ["the cat sat"], PAIRS)
    said = as_on_a_page(translators["with attention"]).translate(["the cat sat"])[0].words
    assert f"with attention: {' '.join(said)}" in repr(figure)
    assert figure.data["most"] == max(len(p.source) for p in PAIRS)
    assert "." in figure.data["follow"]["slept"] and "." not in figure.data["follow"]["the"]
    with pytest.raises(ValueError, match="without has not learned 'zebra'"):
        own_sentence_figure({"without": translators["without"]}, ["the zebra sat"], PAIRS)
    late = train(PAIRS, "additive", epochs=0, **SMALL)
    with pytest.raises(ValueError, match="in Luong's order"):
        own_sentence_figure({"late": late}, ["the cat sat"], PAIRS)


def test_a_word_is_read_letter_by_letter():
    pairs = [Pair([*"cat"], ["K", "AE", "T"]), Pair([*"act"], ["AE", "K", "T"])]
    translators = {"it says": train(pairs, "general", epochs=1, **SMALL)}
    figure = own_sentence_figure(translators, ["cat", "act"], (), most=9, letters=True, beam=2)
    assert figure.data["letters"] and figure.state["words"] == [*"cat"]
    assert figure.data["follow"] == {} and repr(figure).startswith("A word of your own")
    with pytest.raises(ValueError, match="it says has not learned 'x' of 'cax'"):
        own_sentence_figure(translators, ["cax"], (), most=9, letters=True)


def test_the_landing_page_counts_what_its_network_has():
    known = len(load_everyday().source) - 4
    pairs = len(training_pairs()) - 2 * len(EverydayCorpus().whole())
    index = (ROOT / "index.md").read_text(encoding="utf-8")
    assert f"about {round(known, -2)} English words" in index
    assert f"from {round(pairs, -3):,} sentences" in index
