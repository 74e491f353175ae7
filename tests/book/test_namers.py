"""The stored models of the page on what an answer depends on."""

import numpy as np
import torch
from torch import nn

from book.helpers.namers import HERE, load_namers, save_namers


def test_saved_models_are_the_same_ones(tmp_path):
    models = [nn.Linear(3, 2).half().float() for _ in range(2)]
    save_namers(models, tmp_path / "models.npz")
    again = load_namers(lambda: nn.Linear(3, 2), tmp_path / "models.npz")
    assert len(again) == 2 and not any(model.training for model in again)
    for model, same in zip(models, again, strict=True):
        assert torch.equal(model.weight, same.weight) and torch.equal(model.bias, same.bias)


def test_there_are_five_and_they_differ():
    name = "bert.embeddings.word_embeddings.weight"
    with np.load(HERE) as file:
        first, *others = (file[f"{i}/{name}"] for i in range(5))
        assert {key.split("/")[0] for key in file.files} == set("01234")
    assert not any(np.array_equal(first, other) for other in others)
