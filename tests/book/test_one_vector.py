"""The stored translator of the page on the bottleneck: it is the run that its table says."""

import torch

from benchmarks.bottleneck import EPOCHS, PAIRS, SETTINGS, TRAINED
from book.helpers.one_vector import load_one_vector, save_one_vector
from course_lib.figures.results import benchmark_rows
from course_lib.translation import ParallelCorpus, train


def test_a_saved_translator_is_the_same_one(tmp_path):
    pairs = ParallelCorpus().pairs(8, (1, 1))
    model = train(pairs, "none", epochs=1, hidden_dim=4, embedding_dim=2, progress=False)
    model.model.half().float()
    save_one_vector(model, tmp_path / "model.npz")
    again = load_one_vector(tmp_path / "model.npz")
    assert again.history["epoch_loss"] == model.history["epoch_loss"]
    assert again.settings == model.settings and "epoch_loss" not in model.settings
    for name, value in model.model.state_dict().items():
        assert torch.equal(value, again.model.state_dict()[name])


def test_the_stored_one_has_the_settings_of_the_benchmark_and_lies_in_the_middle():
    stored = load_one_vector()
    assert {name: stored.settings[name] for name in SETTINGS} == SETTINGS
    assert stored.settings["epochs"] == EPOCHS["none"] and stored.settings["pairs"] == PAIRS
    first = train(ParallelCorpus().pairs(PAIRS, TRAINED), "none", epochs=0, progress=False)
    assert (stored.source.words, stored.target.words) == (first.source.words, first.target.words)
    rows = [r for r in benchmark_rows("bottleneck") if r["attention"] == "none"]
    ranked = sorted((float(r["bleu"]), int(r["seed"])) for r in rows if r["clauses"] == "2")
    assert ranked[len(ranked) // 2][1] == stored.settings["seed"]
    (loss,) = {r["loss"] for r in rows if int(r["seed"]) == stored.settings["seed"]}
    assert round(stored.history["epoch_loss"][-1], 3) == float(loss)
