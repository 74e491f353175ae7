"""Four tasks of lab 2: loss, padding, heads, and a window."""

from course_lib.checker.tasks import Mistakes, Sampler
from course_lib.exercises.common import family
from course_lib.exercises.find_the_bug.planted import bug
from course_lib.exercises.find_the_bug.programs import (
    attend_in_heads,
    attend_to_words,
    next_token_loss,
    recent_keys,
)


def _texts(s: Sampler, length: int = 0, scale: float = 1.0) -> tuple:
    batch, n, words = s.dims(3, low=3)
    n = length or n
    return s.floats(batch, n, words, scale=scale), s.integers(0, words, batch, n)


def _padded(s: Sampler, keep: float = 0.5, scale: float = 1.0) -> tuple:
    batch, t, n, d, d_v = s.dims(5)
    arrays = (s.floats(batch, t, d, scale=scale), s.floats(batch, n, d), s.floats(batch, n, d_v))
    return (*arrays, s.mask(batch, 1, n, keep=keep))


def _heads(s: Sampler, heads: int, width: int = 3) -> tuple:
    batch, t, n = s.dims(3)
    return (*(s.floats(batch, length, heads * width) for length in (t, n, n)), heads)


def _lengths(low: int, more: int, window: int):
    return lambda s: (low + s.size, low + s.size + more, window)


LOSS_BUG = ("logits[:, :-1]", "logits[:, :-2]", "tokens[:, 1:]", "tokens[:, 2:]")
MISTAKES = Mistakes(next_token_loss)
MISTAKES.change("as-it-was", *LOSS_BUG).says("""
    The labels still lie two tokens ahead of what was read. After token t the next one is token t +
    1: shift by one.
""")
MISTAKES.change("not-shifted", "logits[:, :-1]", "logits", "tokens[:, 1:]", "tokens").says("""
    Nothing is shifted now: the model is asked for the token that it has just read, and learns to
    copy.
""")
MISTAKES.change(
    "shifted-back", "logits[:, :-1]", "logits[:, 1:]", "tokens[:, 1:]", "tokens[:, :-1]"
).says("""
    You shift the other way: the model is asked for the token before.
""")
MISTAKES.change(
    "last-left-out", "logits[:, :-1]", "logits[:, :-2]", "tokens[:, 1:]", "tokens[:, 1:-1]"
).says("""
    Each token is asked for the next one now, but the last prediction is left out: all rows but the
    last, all tokens but the first.
""")
family(
    MISTAKES,
    """The labels are the tokens that were read, one row shorter: the model learns to copy. After
    token t it is asked for token t + 1, `tokens[:, 1:]`.""",
    same_token=("tokens[:, 1:]", "tokens[:, :-1]"),
    wrapped=("logits[:, :-1]", "logits", "tokens[:, 1:]", "tokens.roll(-1, 1)"),
)
sentence = """
    You have repaired one of two lines: logits and labels no longer have one length.
"""
MISTAKES.change("half", "logits[:, :-1]", "logits[:, :-2]").says(sentence)
MISTAKES.change("other-half", "tokens[:, 1:]", "tokens[:, 2:]").says(sentence)
LOSS = bug(
    MISTAKES,
    LOSS_BUG,
    (
        ("some texts", _texts),
        ("a text of two tokens", lambda s: _texts(s, 2)),
        ("large logits", lambda s: _texts(s, scale=30.0)),
    ),
    (
        "Write down a text of four tokens, and under each what the model is asked for.",
        "Somebody shifted, and somebody else shifted again. How far is the label from what was "
        "read?",
        "`logits[:, :-1]` and `tokens[:, 1:]`: all rows but the last, all tokens but the first.",
    ),
)

PADDING_BUG = (
    '    scores = scores.masked_fill(~mask, float("-inf"))\n',
    "",
    "dim=-1)\n",
    "dim=-1)\n    weights = weights.masked_fill(~mask, 0.0)\n",
)
MISTAKES = Mistakes(attend_to_words)
MISTAKES.change("as-it-was", *PADDING_BUG).says("""
    The mask still comes after the softmax, which has already given weight to padding: what is left
    no longer sums to one.
""")
MISTAKES.change(
    "divided-afterwards",
    *PADDING_BUG[:3],
    "dim=-1)\n    weights = weights * mask / (weights * mask).sum(-1, keepdim=True)\n",
).says("""
    You divide by the sum that the mask has left, and that sum can be 0. Mask the scores before the
    softmax.
""")
MISTAKES.change("no-mask", "~mask", "mask & ~mask").says("Padding is not masked at all.")
MISTAKES.change("zero-scores", 'float("-inf")', "0.0").says(
    "A score of 0 is no score of −∞: padding still gets weight."
)
MISTAKES.change("inverted", "~mask", "mask").says(
    "You hide the words and show the padding. True = may attend."
)
MISTAKES.change("over-queries", "dim=-1", "dim=-2").says("""
    The sum now runs over the queries. Rows are queries: dim=-1.
""")
family(
    MISTAKES,
    """You put −∞ among the *weights*, and −∞ times a value is no number. It is the scores that
    become −∞, before the softmax.""",
    infinite_weights=(*PADDING_BUG[:3], PADDING_BUG[3].replace("0.0", 'float("-inf")')),
)
family(
    MISTAKES,
    """Your number is not low enough: padding keeps some weight. Fill with −∞.""",
    minus_one=('float("-inf")', "-1.0"),
    minus_ten=('float("-inf")', "-10.0"),
)
PADDING = bug(
    MISTAKES,
    PADDING_BUG,
    (
        ("some padding", _padded),
        ("much padding", lambda s: _padded(s, 0.1)),
        ("all that is unpadded", lambda s: (*_padded(s)[:3], s.mask(1, 1, 1) | True)),
        ("large scores", lambda s: _padded(s, scale=200.0)),
    ),
    (
        "Add up the weights of one query in a padded text. What should the sum be?",
        "After the softmax it is too late to forbid something: the sum has been taken.",
        'Before the softmax: `scores = scores.masked_fill(~mask, float("-inf"))`, and no mask '
        "after it.",
    ),
)

HEADS_BUG = ("output.transpose(1, 2).reshape", "output.reshape")
MISTAKES = Mistakes(attend_in_heads)
MISTAKES.change("as-it-was", *HEADS_BUG).says("""
    The heads' axis still stands before the positions' when the features are put together, so each
    row mixes several positions.
""")
MISTAKES.change("features-mixed", "output.transpose(1, 2)", "output.permute(0, 2, 3, 1)").says("""
    Positions are right now, and the features of the heads lie crosswise: head after head, as they
    were split.
""")
MISTAKES.change("all-swapped", "output.transpose(1, 2)", "output.transpose(2, 3)").says(
    "You swap positions with features instead of with heads."
)
MISTAKES.change("scale-of-all", "math.sqrt(q.shape[-1])", "math.sqrt(query.shape[-1])").says(
    "The scale is no longer that of one head."
)
MISTAKES.change("over-queries", "dim=-1", "dim=-2").says(
    "The softmax no longer runs over the keys."
)
HEADS = bug(
    MISTAKES,
    HEADS_BUG,
    (
        ("two heads", lambda s: _heads(s, 2)),
        ("three heads", lambda s: _heads(s, 3)),
        ("one head", lambda s: _heads(s, 1, 4)),
        ("heads of one feature", lambda s: _heads(s, 4, 1)),
    ),
    (
        "Change one query and look which rows of the output change.",
        "`reshape` reads numbers in the order of the axes. Which axis does it take for the "
        "positions?",
        "`output.transpose(1, 2)` has the shape (B, T, H, d); only then may H and d become one.",
    ),
)

WINDOW_BUG = ("back < window", "back <= window")
MISTAKES = Mistakes(recent_keys)
MISTAKES.change("as-it-was", *WINDOW_BUG).says("""
    The window still holds one key too many: distances 0 to window − 1 are `window` keys.
""")
MISTAKES.change("too-short", "back < window", "back < window - 1").says(
    "Now the window is one key too short."
)
MISTAKES.change("without-itself", "back >= 0", "back > 0", "back < window", "back <= window").says(
    "Now a query does not see its own position."
)
MISTAKES.change("without-itself-and-short", "back >= 0", "back > 0").says("""
    The window is right now, but a query no longer sees its own position: `back >= 0`.
""")
sentence = "Now a query sees keys ahead of it."
MISTAKES.change("sees-some-ahead", "(back >= 0) & (back < window)", "back.abs() < window").says(
    sentence
)
MISTAKES.change("sees-all-ahead", "(back >= 0) & ", "").says(sentence)
MISTAKES.change("top-left", " + n_keys - n_queries", "").says("""
    You have moved the queries: the last stands beside the last key.
""")
MISTAKES.change("all", "& (back < window)", "").says("Nothing is left of the window.")
WINDOW = bug(
    MISTAKES,
    WINDOW_BUG,
    (
        ("a window of two", _lengths(4, 0, 2)),
        ("a window of one", _lengths(3, 0, 1)),
        ("more keys than queries", _lengths(2, 4, 3)),
        ("a long window", _lengths(3, 2, 50)),
    ),
    (
        "Print the mask for a window of 1. How many keys should a row have?",
        "The distances back run from 0. How many numbers are there from 0 to w?",
        "`back < window`.",
    ),
    dtypes=("float32",),
)
