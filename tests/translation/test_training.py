"""Training: deterministic, resumable to the last bit, and clear about what went wrong."""

import numpy as np
import pytest
import torch

from course_lib.translation import (
    Pair,
    ParallelCorpus,
    Translation,
    Translator,
    alignment_error_rate,
    bleu,
    hard_links,
    train,
)
from course_lib.translation.training_aids import AIDS

TINY = {"embedding_dim": 6, "hidden_dim": 8, "batch_size": 16, "progress": False}
PAIRS = ParallelCorpus().pairs(48, clauses=(1, 2))


def same(a: Translator, b: Translator) -> bool:
    left, right = a.model.state_dict(), b.model.state_dict()
    return all(torch.equal(left[name], right[name]) for name in left)


def test_every_kind_gets_the_same_settings():
    """A comparison is fair: encoder, epochs and aids do not depend on the attention."""
    found = [train(PAIRS[:2], name, **TINY) for name in ("none", "additive", "dot", "local-p")]
    for t in found:
        assert t.settings | {"attention": 0, "order": 0} \
            == found[0].settings | {"attention": 0, "order": 0}  # fmt: skip
        assert t.model.config | {"attention": 0, "order": 0} \
            == found[0].model.config | {"attention": 0, "order": 0}  # fmt: skip
        assert t.model.aids == () and len(t.history["epoch_loss"]) == t.settings["epochs"]


def test_what_is_saved_is_read_back_whatever_library_its_numbers_came_from(tmp_path, as_a_user):
    words = np.array([["a", "b"], ["b", "a"]])
    pairs = [Pair(list(one), tuple(one[::-1])) for one in words]
    settings = {
        "epochs": np.int64(1), "batch_size": np.uint8(2), "seed": np.int64(3),
        "learning_rate": np.float64(1e-2), "clip": np.float32(1), "sampling": np.float64(0),
        "patience": np.int32(2), "dropout": np.float32(0.1), "hidden_dim": np.int64(8),
        "embedding_dim": torch.tensor(6), "window": np.int16(3), "bidirectional": np.bool_(True),
        "order": np.str_("luong"), "aids": ["progress"],
    }  # fmt: skip
    path = tmp_path / "translator.pt"
    for checkpoint in (None, tmp_path / "checkpoint.pt"):
        one = train(pairs, np.str_("general"), **settings, checkpoint=checkpoint, progress=False)
        one.save(path)
        for where in filter(None, (path, checkpoint)):
            read = Translator.load(where)
            assert read.translate(["a b"])[0].words == one.translate(["a b"])[0].words
            assert read.settings == one.settings and same(read, one)


def test_a_checkpoint_needs_its_folder_before_training_begins(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"checkpoint.*no folder.*nowhere"):
        train(PAIRS, "dot", checkpoint=tmp_path / "nowhere" / "c.pt", **TINY)
    assert not (tmp_path / "nowhere").exists()


def test_a_valid_loss_that_is_no_number_is_never_the_best(monkeypatch):
    monkeypatch.setattr("course_lib.translation.training.mean_loss", lambda *_: float("nan"))
    with pytest.raises(FloatingPointError, match="valid pairs became nan after epoch 1"):
        train(PAIRS, "dot", valid=PAIRS[:4], epochs=3, **TINY)


def test_learns_and_aligns_short_sentences():
    pairs = ParallelCorpus().pairs(700, clauses=(1, 1))
    translator = train(
        pairs, "general", epochs=10, hidden_dim=32, embedding_dim=32, learning_rate=0.02,
        batch_size=32, progress=False,
    )  # fmt: skip
    held_out = ParallelCorpus().pairs(60, clauses=(1, 1), split="test")
    translations = translator.translate([p.source for p in held_out])
    assert bleu(translations, [p.target for p in held_out]) > 70
    links = [hard_links(w) for w in translator.align(held_out)]
    assert alignment_error_rate(links, [p.links for p in held_out]) < 0.15
    assert translator.history["loss"][-1] < translator.history["loss"][0] / 5


def test_the_same_seed_gives_the_same_translator_whatever_torch_drew_before():
    first = train(PAIRS, "dot", seed=5, epochs=2, **TINY, dropout=0.2)
    before = torch.rand(3)
    again = train(PAIRS, "dot", seed=5, epochs=2, **TINY, dropout=0.2)
    assert same(first, again)
    assert not same(first, train(PAIRS, "dot", seed=6, epochs=2, **TINY, dropout=0.2))
    torch.manual_seed(0)
    assert torch.equal(before, torch.rand(3))  # and training leaves torch's own stream alone


class Stop(Exception):
    pass


@pytest.mark.parametrize(
    "settings", [{"sampling": 0.5}, {"input_feeding": True, "valid": PAIRS[:9]}, {"aids": AIDS}]
)
def test_a_stopped_run_resumes_exactly(tmp_path, settings):
    settings = {**TINY, "dropout": 0.2, "epochs": 4, **settings}
    whole = train(PAIRS, "general", **settings)
    epochs = []

    def stop_after_two(translator):
        epochs.append(1)
        if len(epochs) == 2:
            raise Stop

    path = tmp_path / "run.pt"
    with pytest.raises(Stop):
        train(PAIRS, "general", **settings, checkpoint=path, on_epoch=stop_after_two)
    torch.rand(7)
    resumed = train(PAIRS, "general", **settings, checkpoint=path)
    assert same(whole, resumed)
    assert whole.history == resumed.history
    assert len(resumed.history["epoch_loss"]) == 4
    assert same(train(PAIRS, "general", **settings, checkpoint=path), whole)  # nothing left to do


def test_a_checkpoint_of_another_run_names_the_field(tmp_path):
    path = tmp_path / "run.pt"
    train(PAIRS, "dot", epochs=1, **TINY, checkpoint=path)
    for changed, message in (
        ({"attention": "general"}, "attention='dot', this run has attention='general'"),
        ({"seed": 2}, "seed=0, this run has seed=2"),
        ({"bidirectional": False}, "bidirectional"),
    ):
        with pytest.raises(ValueError, match=message):
            train(PAIRS, **{"attention": "dot", "epochs": 1, **TINY, **changed}, checkpoint=path)
    other = [Pair(["x"], ["y"])] * len(PAIRS)
    with pytest.raises(ValueError, match="source_words"):
        train(other, "dot", epochs=1, **TINY, checkpoint=path)


def test_a_file_that_is_no_checkpoint(tmp_path):
    path = tmp_path / "text.pt"
    path.write_text("hello")
    with pytest.raises(ValueError, match="is not a checkpoint"):
        Translator.load(path)
    torch.save({"weights": torch.ones(2)}, path)
    with pytest.raises(ValueError, match="is not a checkpoint of this version"):
        Translator.load(path)


@pytest.mark.parametrize("attention", ["none", "additive", "local-p"])
def test_saved_and_loaded(tmp_path, attention):
    translator = train(PAIRS, attention, epochs=1, **TINY)
    translator.save(tmp_path / "translator.pt")
    loaded = Translator.load(tmp_path / "translator.pt")
    assert same(translator, loaded) and loaded.settings == translator.settings
    sources = [p.source for p in PAIRS[:3]]
    for a, b in zip(translator.translate(sources), loaded.translate(sources), strict=True):
        assert a.words == b.words and np.array_equal(a.weights, b.weights)


def test_early_stopping_returns_the_best_epoch():
    translator = train(
        PAIRS, "dot", valid=PAIRS[:8], epochs=30, patience=1, **(TINY | {"learning_rate": 0.5})
    )
    losses = translator.history["valid_loss"]
    assert len(losses) < 30 and losses[-1] > min(losses)
    from course_lib.translation import make_batches
    from course_lib.translation.training import mean_loss

    batches = make_batches(PAIRS[:8], translator.source, translator.target, 256)
    assert mean_loss(translator.model, batches) == pytest.approx(min(losses), rel=1e-6)


def test_nan_stops_and_names_the_step(monkeypatch):
    from course_lib.translation import training

    real, calls = training._loss, []

    def spoil(logits, labels, reduction="mean"):
        calls.append(1)
        loss = real(logits, labels, reduction)
        return loss * float("nan") if len(calls) == 5 else loss

    monkeypatch.setattr(training, "_loss", spoil)
    with pytest.raises(FloatingPointError, match=r"loss became nan at step 5 \(epoch 2\)"):
        train(PAIRS, "dot", epochs=3, **TINY)


def test_gradients_are_clipped_and_their_norm_recorded(monkeypatch):
    seen = []
    real = torch.nn.utils.clip_grad_norm_

    def spy(parameters, limit):
        parameters = list(parameters)
        norm = real(parameters, limit)
        after = torch.stack([p.grad.norm() for p in parameters if p.grad is not None]).norm()
        seen.append((norm.item(), after.item()))
        return norm

    monkeypatch.setattr(torch.nn.utils, "clip_grad_norm_", spy)
    translator = train(PAIRS, "dot", epochs=1, clip=0.05, **TINY)
    assert all(after <= 0.05 * 1.001 for _, after in seen)
    assert translator.history["grad_norm"] == [norm for norm, _ in seen]


def test_nothing_to_train_on():
    with pytest.raises(ValueError, match="no pairs"):
        train([], "dot")
    with pytest.raises(ValueError, match="pair 1 has an empty source"):
        train([PAIRS[0], Pair([], ["le"])], "dot")


@pytest.fixture(scope="module")
def translator():
    return train(PAIRS, "dot", epochs=1, **TINY)


def test_translate_gives_words_and_weights_in_the_order_asked(translator):
    sources = [p.source for p in PAIRS[:5]]
    for beam in (1, 3):
        results = translator.translate(sources, beam=beam, max_length=9, batch_size=2)
        for source, result in zip(sources, results, strict=True):
            assert isinstance(result, Translation) and len(result.words) <= 9
            assert result.weights.shape == (len(result.words), len(source))
            assert (abs(result.weights.sum(1) - 1) < 1e-5).all()  # <end> took its share before
        alone = translator.translate([sources[2]], beam=beam, max_length=9)[0]
        assert alone.words == results[2].words


def test_bad_sources(translator):
    with pytest.raises(ValueError, match="sentence 1 has no words"):
        translator.translate([["the"], []])
    with pytest.raises(TypeError, match="list of sentences"):
        translator.translate("the cat sat")
    with pytest.raises(ValueError, match="beam must be at least 1"):
        translator.translate([["the"]], beam=0)
    assert translator.translate([]) == []


def test_without_attention_there_are_no_weights():
    translator = train(PAIRS, "none", epochs=1, **TINY)
    assert translator.translate([PAIRS[0].source])[0].weights is None
    with pytest.raises(ValueError, match="without attention"):
        translator.align(PAIRS)


def test_align_has_one_row_for_each_target_word(translator):
    for pair, weights in zip(PAIRS, translator.align(PAIRS, batch_size=7), strict=True):
        assert weights.shape == (len(pair.target), len(pair.source))
