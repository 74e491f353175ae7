"""What a figure says: labels, numbers, orientation. How it looks, a person must judge."""

import warnings
from io import BytesIO
from itertools import pairwise

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb
from PIL import Image

from course_lib.figures import (
    Diagram,
    alignment,
    bars,
    heatmap,
    lines,
    style,
)
from course_lib.figures.seeds import seed_strip

WEIGHTS = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
TARGETS, SOURCES = ["le", "assis"], ["the", "cat", "sat"]


@pytest.fixture(autouse=True)
def closed():
    """No figure outlives its test."""
    yield
    plt.close("all")


def words(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def printed(ax):
    return [text.get_text() for text in ax.texts]


def test_heatmap_rows_are_queries_and_columns_are_keys():
    ax = heatmap(torch.tensor(WEIGHTS, requires_grad=True), TARGETS, SOURCES)
    assert words(ax.yaxis) == TARGETS and words(ax.xaxis) == SOURCES
    assert "query" in ax.get_ylabel() and "target" in ax.get_ylabel()
    assert "key" in ax.get_xlabel() and "source" in ax.get_xlabel()
    assert printed(ax) == ["0.60", "0.30", "0.10", "0.10", "0.20", "0.70"]
    top, bottom = ax.get_yticks()
    assert ax.transData.transform((0, top))[1] > ax.transData.transform((0, bottom))[1]


def test_heatmap_hatches_what_the_mask_hides_and_prints_no_number_there():
    mask = np.array([[True, True, False], [True, True, True]])
    ax = heatmap(WEIGHTS, TARGETS, SOURCES, mask=mask)
    assert printed(ax) == ["0.60", "0.30", "0.10", "0.20", "0.70"]
    assert [patch.get_xy() for patch in ax.patches if patch.get_hatch()] == [(2, 0)]


def test_large_heatmap_has_a_colour_bar_in_place_of_numbers():
    ax = heatmap(np.full((4, 20), 0.05), list("abcd"), [f"s{i}" for i in range(20)])
    assert not printed(ax) and len(ax.get_figure().axes) == 2


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: heatmap(WEIGHTS[None], TARGETS, SOURCES), r"2 axes, got shape \(1, 2, 3\)"),
        (lambda: heatmap(WEIGHTS, SOURCES, TARGETS), r"3 query labels .* \(2, 3\)"),
        (lambda: heatmap(WEIGHTS, TARGETS, SOURCES, mask=WEIGHTS.T), r"\(3, 2\) .* \(2, 3\)"),
        (lambda: alignment(WEIGHTS, TARGETS, ["the"]), r"1 source words .* \(2, 3\)"),
        (lambda: bars(["a"], [1.0, 2.0]), r"1 labels .* \(2,\), which needs 2"),
        (lambda: bars(["a"], 1.0), r"1 axis, got shape \(\)"),
        (lambda: lines([0, 1], {"c": [1]}, xlabel="x", ylabel="y"), "'c' has 1 values for 2"),
    ],
)
def test_what_does_not_fit_is_refused_with_both_shapes(make, said):
    with pytest.raises(ValueError, match=said):
        make()


def test_bars_print_their_values_in_the_order_given_from_the_top():
    ax = bars(["a", "b"], [2.3, -0.2])
    assert printed(ax) == ["2.300", "−0.200"]
    assert [bar.get_width() for bar in ax.patches] == [2.3, -0.2]
    assert ax.yaxis_inverted() and words(ax.yaxis) == ["a", "b"]


def test_lines_differ_without_colour_and_carry_their_names():
    curves = {str(k): np.linspace(0, k, 9) for k in range(5)}
    ax = lines(np.arange(9), curves, xlabel="x", ylabel="y")
    drawn = ax.get_lines()
    assert len({line.get_marker() for line in drawn}) == 5
    assert len({str(line._dash_pattern) for line in drawn}) == 5
    assert sorted(printed(ax)) == sorted(curves)


PHONE, EDGES = 375, 26  # px: its width, and what a page and a fold around a plot take of it


@pytest.mark.parametrize(
    "make",
    [
        lambda: bars(["a right word", "one word late"], [2.3, -0.2]),
        lambda: lines([0, 1], {"cold": [0, 1]}, xlabel="score", ylabel="weight", title="one"),
        lambda: seed_strip({"from the left": [91.0, 87.0]}, {}, xlabel="right (%)"),
    ],
)
def test_letters_of_a_plot_alone_are_9_px_on_a_phone(make):
    figure = make().get_figure()
    data, shown = style.as_png(figure)
    smallest = float(Image.open(BytesIO(data)).text["letters"])
    assert smallest == pytest.approx(style.smallest_letters(figure), abs=0.05)
    assert smallest * min(1, (PHONE - EDGES) / shown["width"]) >= 9


def test_a_plot_says_how_high_its_smallest_letters_are():
    ax = bars(["one"], [1.0])
    ax.text(0, 0, "small", fontsize=7.2)
    hidden = ax.text(0, 0, "hidden", fontsize=3)
    hidden.set_visible(False)
    ax.text(0, 0, " ", fontsize=3)
    figure = ax.get_figure()
    assert style.smallest_letters(figure) == pytest.approx(7.2 * 100 / 72)
    for text in figure.findobj(matplotlib.text.Text):
        text.set_visible(False)
    assert style.smallest_letters(figure) == 0


def test_names_at_the_ends_of_lines_do_not_overlap():
    curves = {name: [0.0, 1.0 + i / 1000] for i, name in enumerate("abcd")}
    ax = lines([0, 1], curves, xlabel="x", ylabel="y")
    ax.get_figure().canvas.draw()
    boxes = sorted((text.get_window_extent() for text in ax.texts), key=lambda box: box.y0)
    assert all(low.y1 <= high.y0 + 1 for low, high in pairwise(boxes))


def test_alignment_joins_target_below_to_source_above_and_prints_the_largest():
    ax = alignment(WEIGHTS, TARGETS, SOURCES, threshold=0.15)
    assert len(ax.get_lines()) == 4  # 0.6, 0.3, 0.2, 0.7
    heaviest = max(ax.get_lines(), key=lambda line: line.get_linewidth())
    place = {text.get_text(): text.get_position() for text in ax.texts}
    (x0, x1), (y0, y1) = heaviest.get_data()
    assert (x0, x1) == (place["assis"][0], place["sat"][0]) and y0 < y1
    assert place["assis"][1] < place["sat"][1]
    assert "0.70" in place and "0.60" in place and "0.30" not in place


def test_diagram_arrow_runs_from_edge_to_edge():
    diagram = Diagram(2.0)
    a, b = diagram.box(1, 1, "a", width=1), diagram.box(4, 1, "b", width=1)
    diagram.arrow(a, b)
    arrow = next(text for text in diagram.ax.texts if getattr(text, "arrow_patch", None))
    assert tuple(arrow.xyann) == (1.5, 1.0) and tuple(arrow.xy) == (3.5, 1.0)


def test_the_font_has_every_letter_the_book_draws():
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # "Glyph … missing from font"
        ax = bars(["était", "wǒ ài jīqì xuéxí", "α s̃ √d ∂ Σ − → ≤"], [1.0, -2.0, 3.0])
        ax.get_figure().canvas.draw()


def luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


@pytest.mark.parametrize("color", [style.INK, style.MUTED, *style.SERIES])
@pytest.mark.parametrize("ground", ["white", style.PANEL])
def test_ink_is_readable_on_its_ground(color, ground):
    assert (luminance(ground) + 0.05) / (luminance(color) + 0.05) >= 4.5


def test_a_darker_cell_is_a_larger_weight_in_greyscale_too():
    shades = [luminance(c[:3]) for c in plt.get_cmap(style.HEAT)(np.linspace(0, 1, 64))]
    assert all(np.diff(shades) < 0)


@pytest.mark.parametrize("scale", [1.0, 8.0])
def test_each_number_in_a_cell_can_be_read_on_its_blue(scale):
    weights = scale * np.linspace(0, 1, 12)[None]
    axes = heatmap(weights, ["q"], list("abcdefghijkl"))
    cells = axes.collections[0].get_facecolors()[:, :3]
    for text, cell in zip(axes.texts, cells, strict=True):
        light, dark = sorted((luminance(text.get_color()), luminance(cell)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 3.7


def test_a_figure_without_a_ground_lets_the_page_through_and_keeps_its_colours():
    figure = heatmap(WEIGHTS, TARGETS, SOURCES).get_figure()
    figure.set_facecolor("none")
    image = Image.open(BytesIO(style.as_png(figure)[0]))
    assert image.getpixel((0, 0))[3] == 0


def test_in_a_notebook_a_figure_is_sharp_small_and_knows_its_size():
    figure = heatmap(WEIGHTS, TARGETS, SOURCES).get_figure()
    data, size = style.as_png(figure)
    image = Image.open(BytesIO(data))
    assert (image.width // 2, image.height // 2) == (size["width"], size["height"])
    assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    assert len(data) < 60_000


def test_a_users_own_figures_are_shown_as_they_always_were():
    from IPython.core.formatters import PNGFormatter

    png = PNGFormatter()
    png.for_type(style.Figure, style.as_png)
    own, ours = plt.figure(), style.panels().get_figure()
    with pytest.raises(KeyError):
        png.lookup(own)
    assert png.lookup(ours) is style.as_png
