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

from course_lib import softmax
from course_lib.figures import moving
from course_lib.figures.moving.figure import SCRIPTS

EXTENSION = Path(__file__).parents[2] / "book" / "_ext" / "figures.py"
WORDS, SCORES = ["cats", "love", "warm"], np.array([2.3, 0.1, -0.2])


def softmax_figure():
    return moving.softmax_figure(WORDS, SCORES, 0.5)


FIGURES = [softmax_figure]
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
        assert len(text.splitlines()) <= 250
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
