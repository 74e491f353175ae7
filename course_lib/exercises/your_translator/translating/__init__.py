"""Task `translate`: greedy decoding with a model, judged on a model that is a table."""

from course_lib.checker.tasks import Task
from course_lib.exercises.your_translator.translating.mistakes import MISTAKES
from course_lib.exercises.your_translator.translating.task import (
    AT_ONCE,
    NO_WORD,
    WITHOUT,
    case,
    cut_off,
    draw,
    how_it_is_called,
    how_often_it_is_called,
    not_only_words,
    ragged,
    translate,
    what_is_written,
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
        case("a model that says PAD and START", not_only_words, hidden=True, perhaps=NO_WORD),
        case(
            "sentences that end at once",
            lambda s: draw(s, what_is_written, [1, s.size, 1], s.size + 2),
            hidden=True,
            perhaps=AT_ONCE,
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
    without=WITHOUT,
)
