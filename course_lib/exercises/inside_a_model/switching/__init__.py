"""Task `switch_off` of lab 6: a model without some of its heads, judged on small drawn models."""

from course_lib.checker import tasks
from course_lib.exercises.inside_a_model.switching.mistakes import MISTAKES
from course_lib.exercises.inside_a_model.switching.task import WITHOUT, case

SWITCH_OFF = tasks.task(
    MISTAKES,
    3,
    case.all,
    (
        "Through which matrix must everything go that the heads of a layer found?",
        "`attention.W_o.register_forward_pre_hook(function)` calls `function(module, inputs)` "
        "before W_o and takes what it returns for the inputs; head h has the features from "
        "h · d to (h + 1) · d.",
        "A hook for each (layer, head): clone the input, zero its part, return it. Then "
        "`logits, _ = model(tokens)`, all inside `try`, and in `finally` remove every hook.",
    ),
    without=WITHOUT,
)
