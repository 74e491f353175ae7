"""The course's exercises, and `check` and `hint` over all of them.

An exercise is a module with an `EXERCISE`: its reference answers, its cases and the mistakes we
know. An exercise whose tasks do not fit into one file is a folder with one file for each task.
"""

from course_lib.exercises import (
    bahdanau,
    causal,
    context_vectors,
    flash,
    luong,
    multi_head,
    scaled_dot_product,
    softmax,
    translator,
    worked_translation,
)
from course_lib.grading.catalogue import Catalogue

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
)
CATALOGUE = Catalogue([module.EXERCISE for module in MODULES])

check = CATALOGUE.check
hint = CATALOGUE.hint
