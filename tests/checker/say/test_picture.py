"""A wrong matrix is drawn beside the right one, in a notebook and in the grader's report."""

import base64
import re

import numpy as np
import pytest

from course_lib.checker.compare.formatting import matrices
from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.run.inputs import Array, Observation
from course_lib.checker.say.picture import Matrices, heat_maps
from course_lib.checker.tasks import Cases, Mistakes, task

RIGHT = np.arange(24.0).reshape(2, 3, 4)


def seen(*arrays):
    values = tuple(Array("numpy", str(one.dtype), one) for one in arrays)
    return Observation(values if len(values) > 1 else values[0])


def test_the_first_wrong_matrix_is_drawn():
    wrong = RIGHT.copy()
    wrong[1, 2, 0] = 0.5
    found = matrices(seen(RIGHT, RIGHT), seen(RIGHT, wrong))
    assert found.part == "Output 1 [1]"
    assert found.right == RIGHT[1].tolist() and found.yours == wrong[1].tolist()
    assert found.difference[2] == [-19.5, 0, 0, 0]
    assert found.words.endswith(
        "They are furthest apart in row 2, column 0: 0.5 where 20 is right."
    )


LARGE = np.zeros((2, 13))


@pytest.mark.parametrize(
    ("right", "got"),
    [
        (seen(RIGHT), seen(RIGHT)),
        (seen(RIGHT), seen(RIGHT[:, :, :2])),
        (seen(RIGHT), seen(RIGHT.astype(complex) + 1)),
        (seen(LARGE), seen(LARGE + 1)),
        (seen(LARGE[0]), seen(LARGE[0] + 1)),
        (seen(RIGHT), Observation(error="ValueError")),
    ],
    ids=["right", "shape", "complex", "large", "a row", "an error"],
)
def test_what_is_right_or_no_small_matrix_of_that_shape_is_not_drawn(right, got):
    assert matrices(right, got) is None


def drawn(page):
    """The picture in a page, as SVG. JupyterLab's sanitizer keeps an image of data, and no svg."""
    assert "<svg" not in page
    (data,) = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]*)" alt="', page)
    return base64.b64decode(data).decode()


def test_the_picture_says_in_words_what_it_shows():
    page = heat_maps(Matrices("The <result>", [[1.0, None]], [[1.0, -2.0]]))
    image = drawn(page)
    assert image.count("<rect") == 1 + 3 * 2 and ">nan<" in image and "<result>" not in page
    assert page.count("furthest apart in row 0, column 1: nan where -2 is right.") == 2
    assert all(f">{title}</text>" in image for title in ("yours", "right", "difference"))


def test_without_tags_nothing_of_the_picture_is_left_but_its_words():
    found = Matrices("The result", [[1.5]], [[2.5]])
    assert re.sub(r"<[^>]*>", "", heat_maps(found)) == found.words


def mean(values):
    return values - values.mean(axis=-1, keepdims=True)


def report_on(hidden):
    case = Cases(dtypes=("float64",))
    (case.hidden if hidden else case)("rows", lambda s, n, m: (s.floats(n, m),))
    one = task(Mistakes(mean), 1, case.all, ("Think.",), library="numpy")
    trials = draw_trials(one, 0)
    return judge(one, trials, observe(lambda values: values, trials))


def test_a_public_case_is_drawn_and_a_hidden_one_never():
    assert "<svg" in drawn(report_on(hidden=False)._repr_html_())
    assert "as expected" not in report_on(hidden=False)._repr_html_()
    assert report_on(hidden=True).matrices is None
    assert "<figure" not in report_on(hidden=True)._repr_html_()
