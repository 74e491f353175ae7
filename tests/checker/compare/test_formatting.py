"""Values as a person reads them."""

from itertools import permutations

import pytest

from course_lib.checker.compare.formatting import brief


@pytest.mark.parametrize("items", [["et", "un", "tapis", "était"], [("a", 2), ("b", 1)], [3, "x"]])
def test_a_set_is_shown_in_one_order(items):
    """Its own order hangs on the process: a class would read another report than the notebook."""
    shown = {brief({*order}) for order in permutations(items)}
    assert shown == {"{" + ", ".join(sorted(map(brief, items))) + "}"}
