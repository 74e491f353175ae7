"""Task `attention_backward`: the gradients of attention, derived by hand."""

from course_lib.checker import tasks
from course_lib.checker.tasks import Rule
from course_lib.exercises.flash.backward.mistakes import MISTAKES
from course_lib.exercises.flash.backward.task import HINTS, by_hand, case

BACKWARD = tasks.task(
    MISTAKES,
    5,
    case.all,
    HINTS,
    returns=("grad_query", "grad_key", "grad_value"),
    rule=Rule("the rule of this task", by_hand),
)
