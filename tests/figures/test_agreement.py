"""A dot product as agreement: the figure says the product, and length times shadow."""

import numpy as np
import pytest

from course_lib.figures.moving import agreement_figure


@pytest.mark.parametrize("b", [[1.0, 1.5], [-1.0, 1.0], [-1.0, 2.0]])
def test_agreement_is_the_dot_product_and_length_times_shadow(b):
    text = repr(agreement_figure([2.0, 1.0], b, ("cat", "query")))
    dot, length = np.dot([2.0, 1.0], b), np.hypot(2.0, 1.0)
    assert f"2 · {b[0]:g} + 1 · {b[1]:g} = {dot:.2f}" in text
    assert f"length of cat {length:.2f}, times shadow of query {dot / length:.2f}" in text
