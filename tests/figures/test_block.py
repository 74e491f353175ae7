"""A sentence through a block: the figure shows the matrices that it was given, row by row."""

import numpy as np

from course_lib.figures.moving import block_figure

WORDS = ["the", "cat"]
X = np.array([[1.0, -0.004, 2.0], [0.0, 0.5, -1.0]])


def test_every_step_holds_its_matrices_and_says_its_result():
    figure = block_figure(
        WORDS, [("Norm", "One size.", {"x": X}), ("Sum", "Both.", {"2 x": 2 * X})]
    )
    assert [stage["title"] for stage in figure.data["stages"]] == ["Norm", "Sum"]
    assert figure.data["stages"][1]["matrices"][0]["values"] == [[2, -0.01, 4], [0, 1, -2]]
    assert "2. Sum: Both. Result, first row: 2.00 -0.01 4.00" in repr(figure)
    assert figure.still.count("<rect") == 2 * X.size, "what goes in and what comes out"
