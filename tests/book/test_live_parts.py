"""What a page brings besides the exercises: figures computed anew, a word of the reader's own."""

import json

import nbformat
import numpy as np
from live import pages, parts

from book.helpers.pronouncers import load_pronouncer
from course_lib.figures.moving import encoder_decoder_figure, online_softmax_figure
from tests.book.test_live import ROOT, in_a_page


def test_two_figures_are_computed_as_the_library_computes_them(tmp_path):
    scores, W = np.array([-0.2, 0.1, 0.5, 0.8, 2.3]), np.array([[0.6, 0.4], [0.1, 0.9]])
    drawn = [
        online_softmax_figure(scores),
        encoder_decoder_figure("map", ["the", "cat"], ["le", "chat"], weights=W),
    ]
    source = """
import numpy as np
from course_lib.figures.moving import encoder_decoder_figure, online_softmax_figure
from course_lib.figures.style import ACCENT
W = np.array([[.6, .4], [.1, .9]])
print(online_softmax_figure(np.array([-.2, .1, .5, .8, 2.3])).page)
print(encoder_decoder_figure("map", ["the", "cat"], ["le", "chat"], weights=W).page)"""
    for line, figure in zip(in_a_page(tmp_path, source).splitlines(), drawn, strict=True):
        page = json.loads(line)
        assert page["tag"] == f"attn-{figure.name}"
        assert page["held"] == {"data": figure.data, "state": figure.state}
        assert (page["wide"], page["narrow"]) == tuple(
            figure.data["height"] + below for below in figure.below
        )


WORDS = ["giraffe", "blorough", "colonel", "x", "o'clock", "supercalifragilistic"]


def test_a_readers_word_gets_the_librarys_answer(tmp_path):
    answers = load_pronouncer().translate([list(word) for word in WORDS], beam=4)
    asked = [*WORDS, "", "Zürich", "two words", "ﬀ\u202e", "a" * 60]
    path = ROOT / "book" / "helpers" / "models" / "spelling.npz"
    source = f"""
import live_pronouncer
live_pronouncer.MODEL = {str(path)!r}
for word in {asked!r}: print(live_pronouncer.answer(word))"""
    printed = in_a_page(tmp_path, source).splitlines()
    for word, line, expected in zip(WORDS, printed, answers, strict=False):
        assert line == f"{word}  →  {' '.join(expected.words)}"
    empty, letter, several, strange, long = printed[len(WORDS) :]
    assert "field is empty" in empty and "not ü" in letter and "more than one word" in several
    assert "knows the letters a to z" in strange and "→" in long


def test_cells_with_a_tag_take_part_alone():
    tagged = nbformat.read(ROOT / "book" / "flash_attention.ipynb", as_version=4)
    found = pages.cells(tagged)
    assert len(found) == 3 and [cell["shown"] for cell in found] == [False, True, True]
    namespace = {}
    for cell in found:
        exec(cell["source"], namespace)  # needs no other cell of the page
    whole = nbformat.read(ROOT / "book" / "softmax.ipynb", as_version=4)
    codes = [cell for cell in whole.cells if cell.cell_type == "code"]
    assert len(pages.cells(whole)) == len(codes)


def test_the_size_that_a_button_tells_is_that_of_its_page(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "FETCHED", tmp_path / "fetched")
    parts.FETCHED.mkdir()
    for name in (*parts.RUNTIME, "LICENCES.txt"):
        (parts.FETCHED / name).write_bytes(b"x")
    parts.write(tmp_path / "live")
    (page,) = parts.BESIDES
    extra = parts.weight(tmp_path / "live", page) - parts.weight(tmp_path / "live", "book/softmax")
    assert extra == (tmp_path / "live" / "spelling.npz.gz").stat().st_size > 10**6
    script = (tmp_path / "live" / "spelling.npz.js").read_text(encoding="utf-8")
    assert script.startswith("(window.attn.live.parts ??= {})[")
