"""Task `train_step`: one step of training, on a model and an optimizer of the checker's own."""

from course_lib.checker.tasks import Task
from course_lib.exercises.your_translator.training.mistakes import MISTAKES
from course_lib.exercises.your_translator.training.task import (
    SHORTENED,
    WITHOUT,
    case,
    in_which_mode,
    of_first_loss,
    three_steps,
    train_step,
    what_is_read,
)

TRAIN_STEP = Task(
    name="train_step",
    points=3,
    reference=train_step,
    idea=(
        "Five lines whose order is the whole task: predict, measure, forget the last gradient, "
        "find the new one, shorten it, take the step. What stands for the loss outside is a "
        "number: a tensor would hold on to the graph of every step that was ever taken."
    ),
    cost="Forward and backward, about three times the work of the forward alone.",
    cases=(
        case("what the decoder reads", what_is_read),
        case("loss and parameters after three steps", three_steps),
        case("a gradient that is too long is shortened", three_steps, clip=0.1, perhaps=SHORTENED),
        case("a model in evaluation mode is trained all the same", in_which_mode),
        case("a batch that is mostly padding", three_steps, hidden=True, lengths=[1, 1, 2, 9]),
        case("one sentence", three_steps, hidden=True, lengths=[4]),
    ),
    mistakes=MISTAKES.all,
    hints=(
        "What must happen before the gradient can be found, and what must be forgotten first?",
        "`teacher_forcing_pair` gives what is read and what must be said; `sequence_loss` "
        "compares. Then `zero_grad`, `backward`, clip, `step`, in this order.",
        "`model.train()`; inputs, labels; `logits, _ = model(source, inputs)`; loss; "
        "`optimizer.zero_grad()`; `loss.backward()`; "
        "`nn.utils.clip_grad_norm_(model.parameters(), clip)`; `optimizer.step()`; "
        "`return loss.item()`.",
    ),
    relate=of_first_loss,
    without=WITHOUT,
)
