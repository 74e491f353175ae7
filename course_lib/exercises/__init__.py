"""The course's exercises, and `check` and `hint` over all of them.

An exercise is a module with an `EXERCISE`: its reference answers, its cases and the mistakes we
know. An exercise whose tasks do not fit into one file is a folder with one file for each task.
"""

from typing import Any

from course_lib.exercises import (
    bahdanau,
    causal,
    context_vectors,
    find_the_bug,
    flash,
    generation,
    luong,
    multi_head,
    positions,
    read_the_map,
    scaled_dot_product,
    size_a_model,
    softmax,
    translator,
    worked_translation,
    write_the_test,
    your_translator,
)
from course_lib.grading.judging.check import check_answer
from course_lib.grading.judging.report import Report
from course_lib.grading.tasks import Catalogue

MODULES = (
    softmax,
    context_vectors,
    worked_translation,
    bahdanau,
    luong,
    translator,
    scaled_dot_product,
    multi_head,
    causal,
    flash,
    positions,
    generation,
    your_translator,
    find_the_bug,
    write_the_test,
    read_the_map,
    size_a_model,
)
CATALOGUE = Catalogue([module.EXERCISE for module in MODULES])
hint = CATALOGUE.hint


def check(answer: Any, seed: int | None = None) -> Report:
    """Check your answer against the task that carries its name.

    Args:
        answer: the function or class that you wrote.
        seed: draws the same inputs again; without it they are new at each call.

    Returns:
        The report. It never raises, and what cannot be checked gets a report that says why.
    """
    return check_answer(CATALOGUE, answer, seed)
