"""The shape checking that every other test relies on is really on."""

import pytest
import torch
from jaxtyping import TypeCheckError

import course_lib
from tests.tables import MANY, TOGETHER, in_tables


def test_annotations_are_enforced():
    with pytest.raises(TypeCheckError):
        course_lib.scaled_dot_product_attention(*torch.ones(3, 2, 3, dtype=torch.int64))


def test_annotations_are_silent_for_a_user(as_a_user):
    with pytest.raises(TypeError, match="floating-point"):
        course_lib.scaled_dot_product_attention(*torch.ones(3, 2, 3, dtype=torch.int64))


def test_the_tests_of_a_table_go_to_a_worker_by_twenties_and_others_alone():
    names = [f"a.py::test[{number}]" for number in range(MANY + 1)]
    found = in_tables([*names, "b.py::test"])
    assert [*found] == names
    groups = [[*found.values()].count(group) for group in dict.fromkeys(found.values())]
    assert groups == [TOGETHER] * 5 + [1]
