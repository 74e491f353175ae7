"""A strip of seeds: each dot where its value is, the ring at the live run, words for both."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.figures import results, seeds

VALUES = {"general": [91.0, 87.0, 95.0], "additive": [80.0, 82.0]}


def test_each_seed_has_a_dot_and_the_live_run_a_ring():
    ax = seeds.seed_strip(VALUES, {"general": 93.0}, xlabel="right (%)", decimals=1)
    drawn = [(line.get_xdata(), line.get_ydata(), line) for line in ax.lines]
    dots = [x for x, _, line in drawn if line.get_marker() == "o" and line.get_mfc() != "none"]
    assert [sorted(x) for x in dots] == [sorted(values) for values in VALUES.values()]
    rings = [(*x, *y) for x, y, line in drawn if line.get_markerfacecolor() == "none"]
    assert rings == [(93.0, 0)]
    said = [text.get_text() for text in ax.texts]
    assert said == ["91.0 (87.0–95.0)", "81.0 (80.0–82.0)"]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(VALUES)
    plt.close(ax.figure)


@pytest.mark.parametrize(
    ("values", "live", "told"),
    [
        ({"a": []}, {}, "'a' needs at least one value"),
        ({"a": [np.nan]}, {}, "all finite"),
        ({"a": [1.0]}, {"b": 1.0}, "no seeds of 'b'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(values, live, told):
    with pytest.raises(ValueError, match=told):
        seeds.seed_strip(values, live, xlabel="x")


def test_a_place_is_counted_from_the_lowest():
    assert seeds.seed_place([1.0, 2.0, 4.0, 5.0], 4.0) == "≈ 3 of 4"
    assert seeds.seed_place([1.0, 2.0], 0.5) == "≈ 1 of 2"
    assert seeds.seed_place([1.0, 2.0], 9.0) == "≈ 2 of 2", "outside of what was seen"
    assert seeds.seed_place([70.2, 70.3587, 71.0], 70.35874) == "≈ 2 of 3", "rounded in the file"


def test_values_come_by_page_and_measure(monkeypatch, tmp_path):
    rows = "page,run,seed,measure,value\nluong,general,0,right,0.9\nluong,general,1,right,0.8\n"
    (tmp_path / "seeds.csv").write_text(rows + "luong,general,0,bleu,95\n", encoding="utf-8")
    monkeypatch.setattr(results, "course_file", lambda name: tmp_path / Path(name).name)
    assert seeds.seed_values("luong", "right") == {"general": [0.9, 0.8]}
    with pytest.raises(ValueError, match=r"no 'aer' of 'luong'"):
        seeds.seed_values("luong", "aer")
