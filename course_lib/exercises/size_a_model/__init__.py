"""Lab 5: from a configuration to parameters, memory, and the time of prefill and decode."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.size_a_model.sizes import PARAMETERS
from course_lib.exercises.size_a_model.texts import TEXTS
from course_lib.exercises.size_a_model.times import DECODE, PREFILL

WRITTEN = (
    Written(
        "a_service",
        5,
        "Choose a model and a machine, and say where their numbers come from. How many texts of "
        "8,192 tokens fit, how long does a reader wait for the first token and how long between "
        "two tokens? Show each number with the function that gave it.",
        (
            "1: configuration and machine with their sources",
            "2: the four numbers, each by the lab's functions, in sensible units",
            "1: says for each time whether reading or computing sets it",
            "1: names one thing that the estimate leaves out, and in which direction it errs",
        ),
    ),
    Written(
        "which_change",
        5,
        "Three changes are offered to your service: weights in 1 byte in place of 2, one head of "
        "keys for four of today's, a chip with twice the operations a second. Which helps a chat "
        "with long texts most, which a service that reads long prompts and answers with one word? "
        "Compute all six cases, the chat with as many texts as fit today.",
        (
            "2: all six cases computed",
            "1: the chat: what decides is bytes, and which bytes are most of them",
            "1: the prompts: what decides is operations",
            "1: says what each change costs, or when the answer would turn round",
        ),
    ),
)
EXERCISE = Exercise(
    "lab_5_size_a_model", "Size a model", (PARAMETERS, TEXTS, PREFILL, DECODE), WRITTEN
)
