"""Task `train_step`: one step of training, on a model and an optimizer of the checker's own."""

import torch

from course_lib.checker.tasks import Case, Inputs, Sampler, Task
from course_lib.exercises.your_translator.examiners import examiner
from course_lib.exercises.your_translator.model import FIRST_WORD, ids
from course_lib.exercises.your_translator.training_mistakes import MISTAKES, train_step


class Toy(torch.nn.Module):
    """A model of two tables: one row of logits for each word that was read, one for each source."""

    def __init__(self, heard, seen):
        super().__init__()
        self.heard, self.seen = torch.nn.Parameter(heard), torch.nn.Parameter(seen)
        self.read, self.modes = [], []
        self.eval()

    def forward(self, source, inputs):
        self.read.append(inputs)
        self.modes.append("training" if self.training else "evaluation")
        logits = self.heard[inputs] + self.seen[source].mean(1)[:, None]
        return logits, torch.ones(*inputs.shape, source.shape[1]) / source.shape[1]


class Downhill:
    """The plainest optimizer: each parameter a little against its gradient."""

    def __init__(self, parameters):
        self.parameters = list(parameters)

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters:
            parameter.grad = None

    def step(self):
        for parameter in self.parameters:
            if parameter.grad is not None:
                parameter.data = parameter.data - 0.5 * parameter.grad


def three_steps(train_step, source, target, clip, heard, seen):
    model = Toy(heard, seen)
    optimizer = Downhill(model.parameters())
    losses = [train_step(model, optimizer, source, target, clip) for _ in range(3)]
    return losses, model.heard.detach()


def what_is_read(train_step, source, target, clip, heard, seen):
    model = Toy(heard, seen)
    train_step(model, Downhill(model.parameters()), source, target, clip)
    return model.read[0]


def in_which_mode(train_step, source, target, clip, heard, seen):
    model = Toy(heard, seen)
    train_step(model, Downhill(model.parameters()), source, target, clip)
    return model.modes[0]


STEPS = {
    f"[0][{i}]": f"The loss of your {n} step" for i, n in enumerate(("first", "second", "third"))
}
PARTS = {
    three_steps: STEPS | {"[1]": "A parameter after three steps"},
    what_is_read: {},
    in_which_mode: {},
}


def draw(s: Sampler, function, lengths: list[int] | None = None, clip: float = 1e3) -> Inputs:
    """A ragged batch, and the numbers of the toy."""
    size = FIRST_WORD + 3 + s.size
    rows = s.rng.permutation(lengths or [2, 3, 3 + s.size]).tolist()
    words = {"source": ids(s, rows[::-1], size), "target": ids(s, rows, size)}
    tables = {"heard": s.floats(size, size), "seen": s.floats(size, size)}
    code = examiner(function, Toy, Downhill)
    return Inputs(kwargs={**words, "clip": clip, **tables}, examiner=code)


def case(name: str, function, hidden: bool = False, **how) -> Case:
    draws = lambda s: draw(s, function, **how)  # noqa: E731
    # clip_grad_norm_ adds 1e-6 to the length that it divides by: exact shortening is right, too
    return Case(
        name, draws, hidden, sizes=(1, 3), dtypes=("float64",), atol=1e-6, parts=PARTS[function]
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
        case("a gradient that is too long is shortened", three_steps, clip=0.1),
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
)
