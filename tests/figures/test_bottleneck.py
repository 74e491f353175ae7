"""The bottleneck filling: the figure holds what was measured, and looks at no word not yet read."""

import numpy as np

from course_lib.figures.moving import bottleneck_figure

WORDS = ["the", "cat", "sat"]
SHARES = np.array([[0.9, 0.7, 0.7], [0.5, 0.8, 0.7], [0.2, 0.4, 0.6]])
CHANCE = [0.3, 0.1, 0.2]


def test_the_last_row_is_said_and_words_not_yet_read_are_not_looked_at():
    figure = bottleneck_figure(WORDS, {"trained": SHARES}, CHANCE, size=8)
    assert "trained, after 3 words: the 0.20, cat 0.40, sat 0.60" in repr(figure)
    assert figure.data["shares"][0][0] == [0.9, 0.0, 0.0]
    assert "8 numbers" in figure.data["label"]
