"""Annotations are checked where checker and library are tested. What is proved here is judged as a
student and a class see it: with annotations a proof would spend its time on wrapping functions."""

import pytest


@pytest.fixture(autouse=True)
def without_annotations(as_a_user):
    """Every test of this folder."""
