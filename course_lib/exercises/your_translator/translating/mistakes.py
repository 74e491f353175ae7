"""What goes wrong in `translate`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.your_translator.examiners import END
from course_lib.exercises.your_translator.translating.task import translate

MISTAKES = Mistakes(translate, globals())
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
family(
    MISTAKES,
    """Before START the model hears words of the source. It begins with START. `greedy_decode`
    gives it to your first step, where no word has been said: `source[:, :0]`.""",
    one_word_of_the_source=(
        "model(source, said)",
        "model(source, torch.cat([source[:, :1], said], dim=1))",
    ),
    whole_source=("model(source, said)", "model(source, torch.cat([source, said], dim=1))"),
)
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
MISTAKES.change(
    "drawn",
    "words = logits[:, -1].argmax(-1)",
    "words = logits[:, -1].softmax(-1).multinomial(1)[:, 0]",
).says("""
    You draw a word at random. Greedy means the likeliest: `logits[:, -1].argmax(-1)`.
""")
APPENDED = "            said = torch.cat([said, words[:, None]], dim=1)\n"
LEFT = "                break\n"
MISTAKES.change("left-before-the-last-words", APPENDED, "", LEFT, f"{LEFT}{APPENDED}").says("""
    You leave the loop before the last words are written down, so the longest sentence lacks its
    END. Append first, then ask whether all have ended.
""")
MISTAKES.change(
    "start-and-end-exchanged",
    "(len(source), 1), START",
    "(len(source), 1), END",
    "(ended, END)",
    "(ended, START)",
    "words == END",
    "words == START",
).says("""
    START and END are exchanged: the model hears END first, and a sentence ends at START. It is
    START = 2 that begins, and END = 3 that ends.
""")
MISTAKES.change("arguments-exchanged", "model(source, said)", "model(said, source)").says("""
    You hand the model what was written in the place of the sentence that it reads. The order is
    `model(source, inputs)`.
""")
MISTAKES.change("number-for-start", "(len(source), 1), START", "(len(source), 1), 1").says("""
    The model hears the number 1 first, which is the word that nobody knows. It begins with START.
""")
MISTAKES.change(
    "end-forced",
    "return said[:, 1:]",
    "return torch.cat([said[:, 1:max_length], torch.full_like(said[:, max_length:], END)], dim=1)",
).says("""
    Where `max_length` is reached, you write END over the last word. A sentence that is cut off has
    no END: leave the word as it was said.
""")
family(
    MISTAKES,
    """You take PAD for the end of a sentence. Only END, which is 3 here, ends it.""",
    padding_is_the_end=("words == END", "words == PAD"),
    padding_ends_as_well=("words == END", "(words == END) | (words == PAD)"),
)
MISTAKES.change(
    "numbers-of-exercise-06",
    "(len(source), 1), START",
    "(len(source), 1), 1",
    "masked_fill(ended, END)",
    "masked_fill(ended, 2)",
    "words == END",
    "words == 2",
).says("""
    You take 1 for START and 2 for END, as in exercise 06. In this vocabulary PAD is 0, START is 2
    and END is 3.
""")
MISTAKES.change(
    "all-words-at-once", "model(source, said)", "model(source, torch.full_like(said, START))"
).says("""
    The model hears START at every place. From the second word on it has to hear what it has said
    itself.
""")
