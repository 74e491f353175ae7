"""Task `bytes_per_step` of lab 6: what a model reads to write one token."""

from course_lib.checker import tasks
from course_lib.exercises.inside_a_model.step.mistakes import MISTAKES
from course_lib.exercises.inside_a_model.step.task import case

STEP = tasks.task(
    MISTAKES,
    2,
    case.all,
    (
        "What must be read from memory before a step can write its token?",
        "All weights, once; and in each layer, for each head of keys and each token, a key and a "
        "value of `head_dim` numbers.",
        "(parameters + 2 · layers · kv_heads · head_dim · length) · bytes_per_number.",
    ),
)
