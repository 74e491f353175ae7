"""One sentence on its way through a block: matrices with their numbers, a part at a time."""

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import check_labels, plain
from course_lib.figures.style import ACCENT, LINE

ROW, CELL, HEAD = 22, 52, 30  # pixels: height and width of a cell, room for a matrix's name


def block_figure(words, stages) -> Figure:
    """Step through what a block computes, from one matrix with a row per word to the next.

    Args:
        words: the T words, one for each row of every matrix.
        stages: the steps in their order, each (title, sentence, {name: matrix}) with one to three
            matrices of T rows: what the step reads, what it makes on the way, and last its result.

    Raises:
        ValueError: for no stage, and for a matrix that has not a row for each word.
    """
    if not stages:
        raise ValueError("stages is empty; give at least one (title, sentence, {name: matrix}).")
    held = []
    for title, sentence, matrices in stages:
        shown = [{"name": name, "values": plain(m, name, 2, 2)} for name, m in matrices.items()]
        for matrix in shown:
            rows = len(matrix["values"])
            words = check_labels("words", words, rows, (rows, len(matrix["values"][0])))
        held.append({"title": title, "says": sentence, "matrices": shown})
    most = max(len(stage["matrices"]) for stage in held)
    height = most * (HEAD + ROW * len(words)) + 4
    label = f"“{' '.join(words)}” on its way through a block, {len(held)} steps"
    lines = [
        f"{i}. {stage['title']}: {stage['says']} Result, first row: "
        + " ".join(f"{value:.2f}" for value in stage["matrices"][-1]["values"][0])
        for i, stage in enumerate(held, 1)
    ]
    ends = [held[0]["matrices"][0], held[-1]["matrices"][-1]]
    return Figure(
        "block",
        label,
        lines,
        height=height,
        data={"words": words, "stages": held},
        state={"step": 0},
        described=" ".join(lines),
        drawn=_still(words, ends),
        below=(100, 160),
    )


def _still(words, matrices) -> str:
    """The first matrix and the last, with their numbers."""
    drawn, left = [], 10 + 7.5 * max(map(len, words))
    for m, matrix in enumerate(matrices):
        top = m * (HEAD + ROW * len(words)) + HEAD
        drawn.append(svg.words(0, top - 10, matrix["name"]))
        for t, (word, row) in enumerate(zip(words, matrix["values"], strict=True)):
            y = top + ROW * t
            drawn.append(svg.words(left - 8, y + 15, word, anchor="end"))
            for i, value in enumerate(row):
                drawn += [
                    f'<rect x="{left + CELL * i:.1f}" y="{y}" width="{CELL}" height="{ROW}" '
                    f'fill="{ACCENT}" fill-opacity="0.08" stroke="{LINE}"/>',
                    svg.words(
                        left + CELL * (i + 0.5),
                        y + 15,
                        f"{value:.2f}".replace("-", "−"),
                        anchor="middle",
                    ),
                ]
    return "".join(drawn)
