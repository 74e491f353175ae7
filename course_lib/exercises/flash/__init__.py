"""Exercise 10: attention block by block with a running softmax, and its gradient by hand."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.flash.backward import BACKWARD
from course_lib.exercises.flash.stranger import STRANGER
from course_lib.exercises.flash.streaming import STREAMING

WRITTEN = (
    Written(
        "what_stays",
        2,
        (
            "Twice as many tokens: by how much do the memory of your function and the "
            "number of its multiplications grow? Which of the two does flash attention "
            "save, and why is it faster all the same?"
        ),
        (
            (
                "1: the memory doubles, the multiplications become four times as many; only "
                "the memory is saved, and each score is still computed"
            ),
            (
                "1: faster because writing a T by S matrix to memory and reading it again "
                "takes longer than computing with it"
            ),
        ),
    ),
)
EXERCISE = Exercise("10_flash", "Flash attention", (STREAMING, BACKWARD, STRANGER), WRITTEN)
