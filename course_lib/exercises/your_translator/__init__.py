"""Lab 1: the student's own translator, put together, trained, measured and explained."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.your_translator.capstone import CAPSTONE, measure_capstone
from course_lib.exercises.your_translator.model import TRANSLATOR
from course_lib.exercises.your_translator.training import TRAIN_STEP
from course_lib.exercises.your_translator.translating import TRANSLATE

__all__ = ["EXERCISE", "measure_capstone"]

WRITTEN = (
    Written(
        "the_numbers",
        3,
        "What did you train, on what, and how well does it translate? Give BLEU for each number "
        "of clauses, also for more than were trained, and the alignment error rate, each with its "
        "spread over at least two seeds.",
        (
            "1: data, sizes, epochs and seeds, so that somebody else could run it",
            "1: both tables, on held-out sentences, with the spread",
            "1: says what the numbers allow to be said, and what they do not: one claim each",
        ),
    ),
    Written(
        "five_maps",
        3,
        "Choose five maps, among them one of a sentence that was translated wrongly and one that "
        "is longer than all in training. What does each show, and where is its heaviest weight "
        "not on the word that is translated? Is that a mistake?",
        (
            "1: five maps, the two kinds among them, each with what one sees in it",
            "1: names a place where the heaviest weight lies elsewhere, with its two words",
            "1: says for the wrong translation whether it looked wrong or said wrong, and how one "
            "can tell",
        ),
    ),
    Written(
        "one_change",
        4,
        "Change one thing, in the model or in its training. Write down first what you expect. "
        "Then measure, with the same seeds and everything else as before: what happened, and why?",
        (
            "1: one change alone, and an expectation that could have been wrong",
            "1: measured with the same seeds, with numbers beside those from before",
            "1: claims no more than the spread over the seeds allows",
            "1: a reason, and what one would have to see if it were wrong",
        ),
    ),
)
EXERCISE = Exercise(
    "lab_1_your_translator",
    "Your translator",
    (TRANSLATOR, TRAIN_STEP, TRANSLATE),
    WRITTEN,
    CAPSTONE,
)
