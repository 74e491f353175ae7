"""Figures that move: what they hold is what the library computes, and each form says so."""

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from moving_examples import (
    FIGURES,
    PLANE,
    SCORES,
    WORDS,
    A,
    coordinate_figure,
    heads_figure,
    heatmap_figure,
    online_figure,
    scaling_figure,
    scores_figure,
    softmax_figure,
)

from course_lib import softmax
from course_lib.figures import moving
from course_lib.figures.moving.figure import SCRIPTS

EXTENSION = Path(__file__).parents[2] / "book" / "_ext" / "study" / "figures.py"
each = pytest.mark.parametrize("make", FIGURES, ids=lambda make: make.__name__)


@pytest.fixture(scope="module")
def extension():
    spec = importlib.util.spec_from_file_location("figures", EXTENSION)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@each
def test_the_page_holds_the_numbers_and_a_picture_that_speaks(make):
    figure = make()
    bundle, _ = figure._repr_mimebundle_()
    assert bundle["text/plain"] == repr(figure) == repr(make()), "the same words each time"
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == figure.model_id
    element = ElementTree.fromstring(bundle["text/html"])  # so an EPUB may hold it too
    assert element.tag == f"attn-{figure.name}"
    held = json.loads(element.find("script").text)
    assert held == {"data": figure.data, "state": figure.state}
    still = element.find("{http://www.w3.org/2000/svg}svg")
    assert int(still.get("height")) == held["data"]["height"]
    assert still.find("{http://www.w3.org/2000/svg}title").text == held["data"]["label"]
    assert len(still.find("{http://www.w3.org/2000/svg}desc").text) > 20


@each
def test_the_page_and_the_kernel_run_the_same_module(make, extension):
    figure = make()
    assert figure.name in extension.names()
    assert "export default" in figure._esm
    script = extension.classic(figure.name)
    assert not re.search(r"^(export|import)\b", script, re.MULTILINE)
    assert f'define("attn-{figure.name}"' in script


def test_every_module_has_a_figure(extension):
    assert extension.names() == sorted(make().name for make in FIGURES)


def test_scripts_stay_small_and_have_no_inline_handlers():
    for path in SCRIPTS.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 250, path.name
        assert not re.search(r"\bon[a-z]+=|innerHTML|https?://(?!www\.w3\.org)", text), path.name


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to parse the scripts with")
@each
def test_the_script_parses(make, extension, tmp_path):
    path = tmp_path / "figure.js"
    path.write_text(extension.classic(make().name), encoding="utf-8")
    told = subprocess.run(["node", "--check", path], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


def test_an_odd_word_cannot_leave_the_page():
    figure = moving.softmax_figure(["</script>", "a & b", '"'], SCORES)
    element = ElementTree.fromstring(figure._repr_html_())
    assert json.loads(element.find("script").text)["data"]["words"][0] == "</script>"


def test_softmax_shows_the_librarys_weights():
    text = repr(softmax_figure())
    for word, weight in zip(WORDS, softmax(SCORES / 0.5), strict=True):
        assert re.search(rf"{word}: score .*, weight {weight:.3f}", text)


@pytest.mark.parametrize(
    ("words", "scores", "temperature", "told"),
    [
        (["a"], [1.0, 2.0], 1.0, "1 words given"),
        (["a"], [np.nan], 1.0, "finite"),
        (["a"], [[1.0]], 1.0, "1 axis"),
        (["a"], [1.0], 0.0, "temperature must lie"),
    ],
)
def test_softmax_refuses_in_a_sentence(words, scores, temperature, told):
    with pytest.raises(ValueError, match=told):
        moving.softmax_figure(words, scores, temperature)


def test_maps_hold_the_weights_row_by_row():
    data = heatmap_figure().data
    assert data["weights"] == A.tolist()
    assert (data["rows"], data["columns"]) == (["le", "chat"], WORDS)
    assert np.allclose(np.sum(heads_figure().data["weights"], axis=-1), 1, atol=2e-3)


def test_score_functions_are_the_librarys():
    t = {name: torch.tensor(values, dtype=torch.float64) for name, values in PLANE.items()}
    q = t["query"][None]
    scores = {
        "dot": q @ t["keys"].T,
        "scaled": q @ t["keys"].T / 2**0.5,
        "general": q @ t["W"] @ t["keys"].T,
        "additive": torch.tanh(q @ t["W_a"].T + t["keys"] @ t["U_a"].T) @ t["v_a"][:, None],
    }
    text = repr(scores_figure())
    for name, found in scores.items():
        weights = " ".join(f"{w:.3f}" for w in softmax(found.flatten()))
        assert f"{name}: {weights}" in text


def test_one_coordinate_answers_with_a_tanh_and_weighs_by_softmax():
    answers = np.tanh(np.array([0.5, 1.0, -1.0]))
    text = repr(coordinate_figure())
    for word, answer, weight in zip(WORDS, answers, softmax(2.0 * answers), strict=True):
        assert f"{word}: answer {answer:.2f}, weight {weight:.2f}".replace("-", "−") in text


def test_scaling_shows_the_mean_of_sorted_weights():
    draw = torch.Generator().manual_seed(0)
    scores = torch.randn(64, 8, generator=draw).double() * 2
    data = scaling_figure().data
    for kind, scale in [("unscaled", 1.0), ("scaled", 0.5)]:
        weights = torch.softmax(scores * scale, dim=-1)
        expected = weights.sort(dim=-1, descending=True).values.mean(0)
        assert np.allclose(data[kind]["weights"][0], expected, atol=1e-4)
        entropy = -(weights * weights.log()).sum(-1).mean().item()
        assert data[kind]["entropies"][0] == pytest.approx(entropy, abs=1e-4)


def test_online_softmax_mends_the_sum_by_the_factor():
    data = online_figure().data
    assert np.allclose(data["weights"], softmax(np.array(data["scores"])), atol=1e-4)
    for run in data["runs"]:
        before = [0.0, *run["sums"][:-1]]
        mended = np.array(before) * run["factors"] + run["added"]
        assert np.allclose(mended, run["sums"], atol=1e-3)
    assert [len(run["sums"]) for run in data["runs"]] == [3, 2]
    assert data["runs"][0]["factors"][0] == 0, "nothing was there before the first block"


@pytest.mark.parametrize(
    "make",
    [
        lambda: moving.online_softmax_figure([-1.0] * 4),
        lambda: moving.cost_figure([100], {"a": [5.0]}, {"a": [5.0]}),
        lambda: moving.cost_figure([100, 1000], {"a": [5.0, 5.0]}, {"a": [5.0, 5.0]}),
    ],
)
def test_numbers_that_do_not_differ_can_be_drawn(make):
    assert "nan" not in make().still


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: moving.heatmap_figure(A, ["le"], WORDS), "1 row labels given"),
        (lambda: moving.causal_figure(WORDS, np.full((3, 3), 1 / 3)), "look ahead"),
        (lambda: moving.score_functions_figure(**{**PLANE, "query": [1.0]}), "is a plane"),
        (lambda: moving.additive_coordinate_figure(["le"], [[1.0]], [1, 0]), "is a plane"),
        (
            lambda: moving.additive_coordinate_figure(["le"], [[1.0, 0.0]], [0, 0]),
            "must not be zero",
        ),
        (lambda: moving.decoder_orders_figure(WORDS, ["le"], A), "1 target words given"),
        (lambda: moving.cost_figure([1, 2], {"a": [1, 0]}, {"a": [1, 2]}), "above zero"),
        (
            lambda: moving.encoder_decoder_figure("map", WORDS, ["le"], weights=A),
            "1 words for weights given",
        ),
        (
            lambda: moving.encoder_decoder_figure("read", WORDS, ["le"]),
            "stage must be one of word, hand-over",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(make, told):
    with pytest.raises(ValueError, match=told):
        make()
