"""The shape checking that every other test relies on is really on."""

import pytest
import torch
from jaxtyping import TypeCheckError

import course_lib


def test_annotations_are_enforced():
    with pytest.raises(TypeCheckError):
        course_lib.scaled_dot_product_attention(*torch.ones(3, 2, 3, dtype=torch.int64))


def test_annotations_are_silent_for_a_user(as_a_user):
    with pytest.raises(TypeError, match="floating-point"):
        course_lib.scaled_dot_product_attention(*torch.ones(3, 2, 3, dtype=torch.int64))
