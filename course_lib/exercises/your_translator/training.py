"""Task `train_step`: one step of training, on a model and an optimizer of the checker's own."""

import torch
from torch import nn

from course_lib.checker.tasks import Case, Inputs, Mistakes, Sampler, Task
from course_lib.exercises.translator.loss import sequence_loss
from course_lib.exercises.translator.teacher_forcing import teacher_forcing_pair
from course_lib.exercises.your_translator.examiners import END, PAD, START, examiner
from course_lib.exercises.your_translator.model import FIRST_WORD, ids


def train_step(model, optimizer, source, target, clip):
    model.train()
    inputs, labels = teacher_forcing_pair(target, START, END, PAD)
    logits, _weights = model(source, inputs)
    loss = sequence_loss(logits, labels, PAD)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()


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


def _to_length(model, clip):
    length = sum((one.grad**2).sum() for one in model.parameters()) ** 0.5
    for one in model.parameters():
        one.grad *= clip / length


def _mean_of_means(logits, labels, pad):
    rows = [sequence_loss(a[None], b[None], pad) for a, b in zip(logits, labels, strict=True)]
    return torch.stack(rows).mean()


MISTAKES = Mistakes(train_step)
MISTAKES.change("not-forgotten", "optimizer.zero_grad()", "pass").says("""
    The gradients of earlier batches are still there, and are added up. `optimizer.zero_grad()`
    belongs before `loss.backward()`.
""")
MISTAKES.change("no-step", "optimizer.step()", "pass").says("""
    Nothing changes: no step is taken, or the gradient is forgotten before the step. The order is
    `zero_grad`, `backward`, clip, `step`.
""")
MISTAKES.change(
    "not-clipped", "nn.utils.clip_grad_norm_(model.parameters(), clip)", "pass"
).says("""
    The gradient is not shortened. `nn.utils.clip_grad_norm_(model.parameters(), clip)` belongs
    between `backward` and `step`.
""")
MISTAKES.change(
    "always-shortened",
    "nn.utils.clip_grad_norm_(model.parameters(), clip)",
    "_to_length(model, clip)",
).says("""
    You bring each gradient to the length `clip`, also a short one, which then becomes longer.
    Shorten it only where it is longer.
""")
MISTAKES.change("clipped-by-value", "clip_grad_norm_", "clip_grad_value_").says("""
    You clip each number of the gradient, which turns it into another direction. Shorten the whole:
    `clip_grad_norm_`.
""")
MISTAKES.change(
    "clipped-one-by-one",
    "nn.utils.clip_grad_norm_(model.parameters(), clip)",
    "[nn.utils.clip_grad_norm_(one, clip) for one in model.parameters()]",
).says("""
    You shorten the gradient of each parameter on its own. It is one gradient: give
    `clip_grad_norm_` all parameters at once.
""")
MISTAKES.change("evaluation-mode", "model.train()", "pass").says("""
    The model stays in evaluation mode, so its dropout sleeps. `model.train()` first: whoever
    translated in between has switched it off.
""")
MISTAKES.change("labels-read", "model(source, inputs)", "model(source, labels)").says("""
    The decoder reads the words that it must say, so it learns to copy. It reads START and the words
    before.
""")
MISTAKES.change(
    "shifted-twice",
    "model(source, inputs)",
    "model(source, torch.cat([inputs[:, :1], inputs[:, :-1]], 1))",
).says("""
    The decoder reads words that are one place too old: somebody shifted, and somebody shifted
    again.
""")
MISTAKES.change(
    "target-twice", "teacher_forcing_pair(target, START, END, PAD)", "target, target"
).says("""
    The decoder reads the target and must say the same target, word for word: it learns to copy.
    `teacher_forcing_pair` makes what is read and what is said.
""")
MISTAKES.change(
    "begins-with-end",
    "model(source, inputs)",
    "model(source, inputs.masked_fill(inputs == START, END))",
).says("The decoder begins with END. It begins with START.")
MISTAKES.change(
    "end-behind-padding",
    "(logits, labels, PAD)",
    "(logits, nn.functional.pad(target, (0, 1), value=END), PAD)",
).says("""
    END stands behind the padding, so short sentences never learn to stop. It comes right after the
    last word.
""")
MISTAKES.change(
    "softmax-first", "(logits, labels, PAD)", "(logits.softmax(-1), labels, PAD)"
).says("""
    The softmax is taken twice: `sequence_loss` wants logits and takes it itself.
""")
MISTAKES.change(
    "divided-by-all-places",
    "sequence_loss(logits, labels, PAD)",
    "sequence_loss(logits, labels, PAD) * (labels != PAD).double().mean()",
).says("""
    Padding is set to zero and still counted: you divide by all places. Divide by the number of
    words.
""")
MISTAKES.change(
    "end-not-taught",
    "(logits, labels, PAD)",
    "(logits, labels.masked_fill(labels == END, PAD), PAD)",
).says("END is no label here, so the model never learns to stop.")
MISTAKES.change(
    "padding-counted",
    "sequence_loss(logits, labels, PAD)",
    "nn.functional.cross_entropy(logits.mT, labels)",
).says("""
    Padding counts in the loss: the model learns to say it. Leave labels of PAD out.
""")
MISTAKES.change(
    "sum",
    "sequence_loss(logits, labels, PAD)",
    "sequence_loss(logits, labels, PAD) * (labels != PAD).sum()",
).says("""
    Your loss is a sum. Take the mean over the words, or long batches take longer steps.
""")
MISTAKES.change(
    "mean-of-means", "sequence_loss(logits, labels, PAD)", "_mean_of_means(logits, labels, PAD)"
).says("""
    You take the mean over the sentences of their means. Each word of the batch counts the same.
""")
MISTAKES.change(
    "loss-afterwards", "return loss", "return sequence_loss(model(source, inputs)[0], labels, PAD)"
).says("""
    You return the loss after the step. Return the one that the step was made from: it costs nothing
    more.
""")
MISTAKES.change("tensor", "loss.item()", "loss").says("""
    You return a tensor, which holds on to everything that made it. Return a number: `loss.item()`.
""")
MISTAKES.change("nothing-returned", "return loss.item()", "return None").says(
    "You return nothing. Return the loss: `return loss.item()`."
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
