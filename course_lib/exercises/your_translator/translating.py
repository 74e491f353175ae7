"""Task `translate`: greedy decoding with a model, judged on a model that is a table."""

import numpy as np
import torch

from course_lib.checker.tasks import Case, Inputs, Mistakes, Sampler, Task
from course_lib.exercises.common import family
from course_lib.exercises.your_translator.examiners import END, PAD, START, examiner
from course_lib.exercises.your_translator.model import FIRST_WORD


def translate(model, source, max_length):
    model.eval()
    said = torch.full((len(source), 1), START)
    ended = torch.zeros(len(source), dtype=torch.bool)
    with torch.no_grad():
        for _ in range(max_length):
            logits, _weights = model(source, said)
            words = logits[:, -1].argmax(-1).masked_fill(ended, END)
            said = torch.cat([said, words[:, None]], dim=1)
            ended = ended | (words == END)
            if ended.all():
                break
    return said[:, 1:]


class Table(torch.nn.Module):
    """The logits after each word that was heard, by the place where it stands; the first word of
    the source says where to begin."""

    def __init__(self, table, most):
        super().__init__()
        self.table = torch.nn.Parameter(table)
        self.calls, self.most, self.seen = 0, most, set()
        self.train()

    def forward(self, source, inputs):
        self.calls += 1
        if self.calls > self.most:
            raise RuntimeError(f"the model was called more than max_length = {self.most} times")
        self.seen.add("training" if self.training else "evaluation")
        self.seen.add("with gradients" if torch.is_grad_enabled() else "without gradients")
        place = source[:, :1] + torch.arange(inputs.shape[1])
        logits = self.table[place % len(self.table), inputs]
        return logits, torch.ones(*inputs.shape, source.shape[1]) / source.shape[1]


def what_is_written(translate, source, max_length, table):
    return translate(Table(table, max_length), source, max_length)


def how_it_is_called(translate, source, max_length, table):
    model = Table(table, max_length)
    translate(model, source, max_length)
    return ", ".join(sorted(model.seen))


def how_often_it_is_called(translate, source, max_length, table):
    model = Table(table, max_length)
    translate(model, source, max_length)
    return model.calls


def draw(s: Sampler, function, lengths, max_length: int) -> Inputs:
    """Sentence b says END as its word number `lengths[b]`: only the table's last place favours
    END, and the sentence begins so many places before it."""
    size, places = FIRST_WORD + 4 + s.size, FIRST_WORD + 2 + int(max(*lengths, max_length))
    table = s.floats(places, size, size, scale=2.0)
    table[:, :, [PAD, START]] -= 50
    table[:, :, END] -= 50
    table[-1, :, END] += 150
    source = s.integers(FIRST_WORD, size, len(lengths), 3)
    source[:, 0] = places - np.asarray(lengths)
    code = examiner(function, Table)
    given = {"source": source, "max_length": int(max_length), "table": table}
    return Inputs(kwargs=given, examiner=code)


def ragged(s: Sampler, function) -> Inputs:
    """The longest sentence is neither the first nor the last, the shortest is the last."""
    first, *others = s.rng.permutation(range(3, s.size + 4)).tolist()
    return draw(s, function, [first, s.size + 5, *others, 2], s.size + 7)


def cut_off(s: Sampler) -> Inputs:
    return draw(s, what_is_written, [2, s.size + 7, s.size + 5], s.size + 3)


def case(name: str, draws, hidden: bool = False) -> Case:
    return Case(name, draws, hidden, sizes=(1, 3), dtypes=("float32",))


MISTAKES = Mistakes(translate)
MISTAKES.change("training-mode", "model.eval()", "pass").says("""
    The model translates in training mode, so its dropout throws dice. `model.eval()` first.
""")
MISTAKES.change("gradients-kept", "no_grad", "enable_grad").says("""
    You keep what a gradient would need, and nobody asks for one. Wrap the loop in `with
    torch.no_grad():`.
""")
MISTAKES.change("first-row", "logits[:, -1]", "logits[:, 0]").says("""
    You take the logits of the first place again and again. The new ones are the last: `logits[:,
    -1]`.
""")
MISTAKES.change("last-word-alone", "model(source, said)", "model(source, said[:, -1:])").says("""
    The model hears the last word alone, and takes it for the first. It wants all words so far, from
    START on.
""")
MISTAKES.change(
    "start-not-heard",
    "model(source, said)",
    "model(source, said[:, 1:] if said.shape[1] > 1 else said)",
).says("""
    START falls out of what the model hears as soon as there are words. It stays in front of them.
""")
MISTAKES.change(
    "start-twice", "model(source, said)", "model(source, torch.cat([said[:, :1], said], dim=1))"
).says("""
    The model hears START twice. `greedy_decode` gives it to your first step already, so the words
    so far begin with none: `source[:, :0]`; in a loop of your own put it in front once.
""")
MISTAKES.change("start-kept", "said[:, 1:]", "said").says("""
    Your result begins with START. It begins with the first word that was written.
""")
MISTAKES.change("begins-with-end", "(len(source), 1), START", "(len(source), 1), END").says(
    "The model hears END first. It hears START, as in training."
)
MISTAKES.change("stops-at-first-end", "ended.all()", "ended.any()").says("""
    You stop when the first sentence has ended. Go on until all have.
""")
MISTAKES.change("never-stops", "ended.all()", "False").says("""
    You always write max_length words. Stop when all sentences have said END.
""")
MISTAKES.change("one-too-few", "range(max_length)", "range(max_length - 1)").says("""
    You write at most max_length − 1 words. START does not count in `max_length`.
""")
MISTAKES.change("one-too-many", "range(max_length)", "range(max_length + 1)").says("""
    You write one word more than max_length. START does not count in it, END does.
""")


def _one_by_one(model, source, max_length):
    rows = [translate(model, row[None], max_length)[0].tolist() for row in source]
    longest = max(map(len, rows))
    return torch.tensor([row + [END] * (longest - len(row)) for row in rows])


family(
    MISTAKES,
    """You do not take the likeliest word of the last row. Greedy means the largest logit:
    `logits[:, -1].argmax(-1)`.""",
    least_likely=("argmax(-1)", "argmin(-1)"),
    mean_of_rows=("logits[:, -1]", "logits.mean(1)"),
    largest_of_all_rows=("logits[:, -1]", "logits.amax(1)"),
)
family(
    MISTAKES,
    """The model hears something else than START first. It begins with START, as in training.""",
    begins_with_padding=("(len(source), 1), START", "(len(source), 1), PAD"),
)
family(
    MISTAKES,
    """Your result has not the length that is asked for: that of the longest sentence with its END,
    without START, and at most max_length.""",
    end_taken_away=("said[:, 1:]", "said[:, 1:-1]"),
    always_max_length=(
        "said[:, 1:]",
        "torch.nn.functional.pad(said[:, 1:], (0, max_length + 1 - said.shape[1]), value=END)",
    ),
)
family(
    MISTAKES,
    """You stop when one particular sentence has ended. Go on until all have: `ended.all()`.""",
    first_sentence_decides=("ended.all()", "ended[0]"),
    last_sentence_decides=("ended.all()", "ended[-1]"),
)
MISTAKES.by("one-by-one", _one_by_one).says("""
    You translate one sentence after the other. Write them all in one batch: one call of the model
    for each place, at most max_length.
""")
MISTAKES.change("words-after-end", ".masked_fill(ended, END)", "").says("""
    Finished sentences go on talking. After its END a row holds END.
""")
MISTAKES.change("padded-after-end", "(ended, END)", "(ended, PAD)").says("""
    You fill finished rows with PAD. After its END a row holds END.
""")
MISTAKES.change("second-best", "argmax(-1)", "topk(2).indices[:, 1]").says("""
    You do not take the likeliest word. Greedy means the largest logit.
""")
MISTAKES.change("list", "said[:, 1:]", "said[:, 1:].tolist()").says(
    "You return a list. Return an int64 tensor (B, L)."
)
TRANSLATE = Task(
    name="translate",
    points=2,
    reference=translate,
    idea=(
        "The model wants all words that the decoder has heard, so what goes from step to step "
        "is the sentence as it stands: it begins with START and grows by a word. That makes it "
        "the state of your `greedy_decode`. Of the logits only the last row is new."
    ),
    cost=(
        "L calls on growing prefixes, O(L²) steps of the decoder where L would do; a state kept "
        "between calls, or a cache, saves the rest."
    ),
    cases=(
        case("sentences that end at different steps", lambda s: ragged(s, what_is_written)),
        case("sentences cut off at max_length", cut_off),
        case("in evaluation mode and without gradients", lambda s: ragged(s, how_it_is_called)),
        case(
            "no more calls than words are needed",
            lambda s: ragged(s, how_often_it_is_called),
            hidden=True,
        ),
        case(
            "one sentence",
            lambda s: draw(s, what_is_written, [s.size + 2], s.size + 4),
            hidden=True,
        ),
    ),
    mistakes=MISTAKES.all,
    hints=(
        "Your `greedy_decode` wants a `step(tokens, state)`. What must the model be told at each "
        "step that could be carried in `state`?",
        "Let the state be the words so far, (B, t): it begins with none, `source[:, :0]`, and "
        "step appends the tokens that it is given, calls the model and returns the last row of "
        "its logits.",
        "In `step`: `said = torch.cat([said, tokens[:, None]], dim=1)`; `logits, _ = "
        "model(source, said)`; `return logits[:, -1], said`. Around it: `model.eval()` and "
        "`torch.no_grad()`.",
    ),
)
