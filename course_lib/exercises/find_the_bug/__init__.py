"""Lab 2: ten programs that run and are wrong; find the bugs, show them, and change nothing else."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.find_the_bug import evidence_reading, evidence_writing
from course_lib.exercises.find_the_bug.long_programs import SEARCH, TRAINING
from course_lib.exercises.find_the_bug.reading import HEADS, LOSS, PADDING, WINDOW
from course_lib.exercises.find_the_bug.remembering import PAST
from course_lib.exercises.find_the_bug.writing import DROPOUT, NORM, POSITIONS

SHORT = (LOSS, PADDING, HEADS, WINDOW, POSITIONS, NORM, DROPOUT, PAST)
EVIDENCE = evidence_reading.TASKS + evidence_writing.TASKS
PAIRS = zip(SHORT, EVIDENCE, strict=True)
TASKS = (*(task for pair in PAIRS for task in pair), TRAINING, SEARCH)
WRITTEN = (
    Written(
        "from_bug_to_symptom",
        6,
        "Choose three bugs, one of them from a long program. For each, say how the symptom follows "
        "from it, step by step, with numbers from an example of your own.",
        (
            "2: the first bug: each step from the wrong line to what one sees, with numbers",
            "2: the second",
            "2: the third; a symptom that is merely repeated earns nothing",
        ),
    ),
    Written(
        "the_test_that_was_missing",
        4,
        "All of these programs give results of the right shape, and models trained with most of "
        "them learn something. Choose two, and give for each the shortest test that would have "
        "shown the bug on the day it was written.",
        (
            "2: a test that fails on the first program and passes on its repair",
            "2: the same for the second; half of it where the test would take a training run",
        ),
    ),
)
EXERCISE = Exercise("lab_2_find_the_bug", "Find the bug", TASKS, WRITTEN)
