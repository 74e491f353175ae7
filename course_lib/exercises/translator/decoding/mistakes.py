"""What goes wrong in `greedy_decode`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.translator.decoding.task import greedy_decode

MISTAKES = Mistakes(greedy_decode, globals())
MISTAKES.change("said-before-the-end", "said.append(tokens)", "said.append(words)").says("""
    You keep the words before you overwrite those of ended sentences: these go on talking in the
    result. Put END in their place first, then append.
""")
MISTAKES.change("stops-at-first-end", "ended.all()", "ended.any()").says("""
    You stop when the first sentence has ended and cut the others off. Go on until all have ended.
""")
MISTAKES.change("words-after-end", "torch.where(ended, end_id, words)", "words").says("""
    Finished sentences go on talking. Once a sentence has said END, all its later words are END.
""")
MISTAKES.change("never-stops", " and not ended.all()", "").says("""
    Your result always has max_length columns. It ends with the END of the longest sentence: stop
    there.
""")
MISTAKES.change(
    "start-kept", "said, dim", "[torch.full_like(tokens, start_id), *said], dim"
).says("""
    Your result begins with START. It begins with the first word that was said.
""")
MISTAKES.change("end-dropped", ", dim=1)", ", dim=1)[:, :-1]").says("""
    You drop the last column, the END of the longest sentence. It counts.
""")
MISTAKES.change(
    "start-heard-again", "step(tokens,", "step(torch.full_like(tokens, start_id),"
).says("""
    The decoder hears START at every step. Give it the word it has just said.
""")
MISTAKES.change("state-not-passed-on", "logits, state = ", "logits, _ = ").says("""
    You give the first state to every step. Keep the state that step returns and give it to the
    next.
""")
MISTAKES.change("unlikeliest", "logits.argmax", "logits.argmin").says(
    "You take the smallest logit. Take the largest: argmax."
)
family(
    MISTAKES,
    """You change the logits before `argmax`, so that another word can be the largest, or several
    are equal: by a bound, `abs`, `exp`, a sigmoid or rounding. Take `argmax` of the logits as they
    are.""",
    largest_size=("logits.argmax", "logits.abs().argmax"),
    negative_is_zero=("logits.argmax", "logits.clamp(min=0).argmax"),
    sigmoids=("logits.argmax", "logits.sigmoid().argmax"),
    rounded_to_hundredths=("logits.argmax", "logits.softmax(-1).round(decimals=2).argmax"),
)
MISTAKES.change("end-is-two", "tokens == end_id", "tokens == 2").says("""
    You write a number for END into your code. Use `end_id`, whichever number it is.
""")
MISTAKES.change("second-best", "logits.argmax(-1)", "logits.topk(2).indices[:, 1]").says("""
    You do not take the likeliest word. Greedy means the largest logit of each row.
""")
MISTAKES.change(
    "same-word-for-all", "logits.argmax(-1)", "logits[:1].argmax(-1).expand(len(logits))"
).says("""
    Every sentence says the word of the first. Take argmax for each row: dim=-1.
""")
MISTAKES.change("one-step-too-few", "< max_length", "< max_length - 1").says(
    "You stop one step early: max_length words are allowed."
)
MISTAKES.change(
    "one-column-more", "ended.all()", "(len(said) > 1 and (said[-2] == end_id).all())"
).says("""
    You ask whether all have ended before you count the words just said, so one column too many is
    written.
""")
MISTAKES.change("one-step-too-many", "< max_length", "< max_length + 1").says("""
    You take one step too many: at most max_length words are allowed.
""")


@MISTAKES.says("""
    `.item()` works for a single sentence only. Keep the words of the batch in a tensor of shape
    (B,).
""")
def item(step, state, start_id, end_id, max_length):
    # Written for a batch of one: .item() of several words raises.
    words, token = [], start_id
    while len(words) < max_length and token != end_id:
        logits, state = step(torch.full((len(state),), token), state)
        token = logits.argmax(-1).item()
        words.append(token)
    return torch.tensor([words])


MISTAKES.change("zeros-after-end", "where(ended, end_id", "where(ended, 0").says(
    "You fill up with zeros after END. Fill with END itself."
)
MISTAKES.change("transposed", ", dim=1", "").says("""
    Your result has a row for each step. It has a row for each sentence: stack with dim=1.
""")
MISTAKES.change("list-of-lists", ", dim=1)", ", dim=1).tolist()").says(
    "You return a list. Return a tensor of int64, (B, L)."
)
MISTAKES.change("floats", ", dim=1)", ", dim=1).double()").says(
    "Your words are floats. Ids stay int64."
)
family(
    MISTAKES,
    """You ask whether all sentences say END in the same step, but they end at different ones,
    and go on talking. Remember which have ended, `ended = ended | (tokens == end_id)`, and let
    these say END.""",
    end_not_remembered=(
        "torch.where(ended, end_id, words)",
        "words",
        "ended | (tokens == end_id)",
        "tokens == end_id",
    ),
)
MISTAKES.change("batch-by-the-last-axis", "len(state),)", "state.shape[-1],)").says("""
    You read the size of the batch from the last axis of the state. The batch is its first:
    `len(state)`; behind it a network may have axes of its own.
""")
family(
    MISTAKES,
    """You draw a word at random. Greedy means the likeliest: `logits.argmax(-1)`.""",
    sampled=("logits.argmax(-1)", "torch.multinomial(logits.softmax(-1), 1)[:, 0]"),
)
family(
    MISTAKES,
    """You return the words of the last step alone. Keep those of each step in a list and stack
    them: `torch.stack(said, dim=1)`.""",
    last_words_alone=("torch.stack(said, dim=1)", "said[-1]"),
)
family(
    MISTAKES,
    """`torch.cat` joins the steps end to end. Each step is a new column: `torch.stack(said,
    dim=1)`.""",
    joined_end_to_end=("torch.stack(said, dim=1)", "torch.cat(said)"),
)
family(
    MISTAKES,
    """You take the largest logit over the sentences. Each sentence chooses among the words,
    along the last axis: `argmax(-1)`.""",
    over_the_batch=("logits.argmax(-1)", "logits.argmax(0)"),
    over_everything=("logits.argmax(-1)", "logits.argmax()"),
)
family(
    MISTAKES,
    """Finished sentences say START in place of END. Fill with END itself.""",
    start_after_end=("where(ended, end_id", "where(ended, start_id"),
)
family(
    MISTAKES,
    """You keep the number of the sentence's word among the likeliest, or the logit, in place of
    the word. `argmax` tells the word; `max` gives the value first.""",
    values=("logits.argmax(-1)", "logits.max(-1).values.long()"),
)
family(
    MISTAKES,
    """You exchange what `step` returns. It gives the logits first, then the state.""",
    exchanged=("logits, state = step", "state, logits = step"),
)
family(
    MISTAKES,
    """Words and END stand one step too early or too late: what you write down is what was
    heard, not what was said. Write down the new words.""",
    heard_written_down=(
        "        logits, state = step(tokens, state)\n",
        "        said.append(tokens)\n        logits, state = step(tokens, state)\n",
        "        said.append(tokens)\n    return",
        "    return",
    ),
)
MISTAKES.change(
    "start-never-said",
    "logits.argmax(-1)",
    "logits.index_fill(-1, tokens.new_tensor([start_id]), -torch.inf).argmax(-1)",
).says("""
    You keep START from being said. Greedy means the largest logit of each row, whichever word it
    is.
""")
family(
    MISTAKES,
    """You stop when one sentence has ended, the first or the last of the batch. Go on until all
    have: `ended.all()`.""",
    first_has_ended=("ended.all()", "ended[0]"),
    last_has_ended=("ended.all()", "ended[-1]"),
)
MISTAKES.change(
    "all-in-one-step", "not ended.all()", "not (said and (words == end_id).all())"
).says("""
    You stop only if all sentences say END in the same step. Remember which have ended, and stop
    when all have.
""")
MISTAKES.change(
    "stopped-before-kept",
    "        said.append(tokens)",
    "        if ended.all():\n            break\n        said.append(tokens)",
).says("""
    You leave the loop before you keep the words of the step in which the last sentence ends. Its
    END belongs to the result: keep the words first, then ask whether to stop.
""")
MISTAKES.change(
    "end-forced",
    "torch.stack(said, dim=1)",
    "torch.stack([*said[: max_length - 1], *[torch.full_like(tokens, end_id)] "
    "* (len(said) == max_length)], dim=1)",
).says("""
    Where `max_length` is reached, you write END over the last word. A sentence that is cut off has
    no END: leave the word as it was said.
""")
