"""What a page brings besides the exercises: figures that Python computes anew."""

import json

import nbformat
import numpy as np
from live import pages, parts

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


def test_the_size_that_a_button_tells_is_that_of_all_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "FETCHED", tmp_path / "fetched")
    parts.FETCHED.mkdir()
    for name in (*parts.RUNTIME, "LICENCES.txt"):
        (parts.FETCHED / name).write_bytes(b"x")
    parts.write(tmp_path / "live")
    sizes = [len(path.read_bytes()) for path in (tmp_path / "live").glob("*.gz")]
    assert parts.weight(tmp_path / "live") == sum(sizes) > 10**4
    assert not (tmp_path / "live" / "codemirror.js").exists()
    for name in ("codemirror.js", "codemirror.txt"):
        (parts.FETCHED / name).write_bytes(name.encode())
    parts.write(tmp_path / "live")
    assert parts.weight(tmp_path / "live") == sum(sizes), "the editor is no part of a first click"
    script = (tmp_path / "live" / "codemirror.js").read_text(encoding="utf-8")
    assert script.startswith("codemirror.js\n") and "live.colour = " in script
    licences = (tmp_path / "live" / "LICENCES.txt").read_text(encoding="utf-8")
    assert licences == "x\ncodemirror.txt"
