"""A reader's functions inside SmolLM2: right ones write what ours write, wrong ones do not."""

import sys

import pytest
import torch

from course_lib.exercises import CATALOGUE, yours
from course_lib.exercises.yours import in_place_of_ours
from course_lib.modules import multi_head
from course_lib.transformer.language_model import LanguageModel

TASKS = {name: CATALOGUE.tasks[name].reference for name in ("split_heads", "merge_heads", "rotate")}
TASKS["attention"] = CATALOGUE.tasks["scaled_dot_product_attention"].reference
TASKS["attend_with_cache"] = CATALOGUE.tasks["attend_with_cache"].reference


@pytest.fixture
def model():
    torch.manual_seed(0)
    shape = {"d_model": 24, "num_heads": 6, "num_kv_heads": 2, "num_layers": 3, "d_hidden": 20}
    return LanguageModel(30, positions="rotary", rotary_base=100_000.0, **shape).eval()


def logits(model, tokens):
    """In two pieces, so that the cache is read."""
    caches = model.new_caches()
    pieces = [tokens[:, :-1], tokens[:, -1:]]
    return torch.cat([model(piece, caches=caches)[0] for piece in pieces], 1).detach()


def wrong(name, *args):
    """The reader's function with a mistake that leaves the shapes."""
    if name == "attention":
        return TASKS[name](3 * args[0], *args[1:])
    if name == "attend_with_cache":
        return TASKS[name](*args[:3], None)
    if name == "rotate":
        return TASKS[name](args[0], 0 * args[1], args[2])
    return TASKS[name](*args).flip(-1)


@pytest.mark.parametrize("name", TASKS)
def test_right_functions_change_nothing_and_wrong_ones_do(name, model):
    tokens = torch.randint(30, (1, 7))
    with torch.no_grad():
        wanted = logits(model, tokens)
        with in_place_of_ours(model, **{name: TASKS[name]}):
            torch.testing.assert_close(logits(model, tokens), wanted)
        with in_place_of_ours(model, **{name: lambda *args: wrong(name, *args)}):
            assert not torch.allclose(logits(model, tokens), wanted, atol=1e-3)
        torch.testing.assert_close(logits(model, tokens), wanted)


def test_ours_are_back_after_an_error(model):
    before = multi_head.scaled_dot_product_attention
    with pytest.raises(NotImplementedError), in_place_of_ours(model, attention=None):
        assert multi_head.scaled_dot_product_attention is not before
        raise NotImplementedError
    assert multi_head.scaled_dot_product_attention is before


def test_without_the_file_one_sentence_is_printed(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("COURSE_MODELS", str(tmp_path))
    yours.loaded.cache_clear()
    yours.smollm2_writes()
    said = capsys.readouterr().out
    assert said.endswith("python -m course_lib.published\n") and said.count("\n") == 1


def test_without_the_packages_a_sentence_is_printed(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "course_lib.published", None)
    yours.loaded.cache_clear()
    yours.smollm2_writes()
    assert "is missing here: python -m pip install" in capsys.readouterr().out
