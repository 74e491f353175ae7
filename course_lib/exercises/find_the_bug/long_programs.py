"""The two long tasks of lab 2, with three bugs each: a training loop and a beam search.

Each case shows one bug and is blind to the others, so that each repair earns its point.
"""

from course_lib.checker.tasks import Sampler
from course_lib.exercises.find_the_bug.planted import Program, bugs
from course_lib.exercises.find_the_bug.search_program import END, beam_search
from course_lib.exercises.find_the_bug.training_program import PADDING, train_language_model

VOCABULARY = 9


def _matrices(s: Sampler, width: int, **shapes: tuple[int, ...]) -> dict:
    return {name: s.floats(*shape, scale=width**-0.5) for name, shape in shapes.items()}


def _training(length: int, texts: int, *, padded: bool = False, epochs: int = 1, batches: int = 1):
    """A run on texts that are drawn; every other one may have padding at its end."""

    def draw(s: Sampler) -> tuple:
        d = 4 + s.size
        tokens = s.integers(1, VOCABULARY, texts, length)
        if padded:
            tokens[::2, -1] = PADDING
        square = {name: (d, d) for name in ("query", "key", "value")}
        weights = _matrices(s, d, tokens=(VOCABULARY, d), positions=(length, d), **square)
        weights |= _matrices(s, d, wide=(d, 2 * d), narrow=(2 * d, d))
        return tokens, weights, epochs, texts // batches, 0.5

    return draw


def _search(beams: int, length: int, *, padded: bool = False, ends: float = -30.0):
    """`ends` is what END's logit is raised by: at −30 no text ends by itself."""

    def draw(s: Sampler) -> tuple:
        d, n = 4 + s.size, 5
        square = {name: (d, d) for name in ("query", "key", "value", "ask_source")}
        weights = _matrices(s, d, words=(VOCABULARY, d), positions=(length, d), **square)
        bias = s.floats(VOCABULARY)
        bias[END] += ends
        mask = s.mask(n) if padded else s.mask(n) | True
        return 2 * s.floats(n, d), mask, weights | {"bias": bias}, beams, length

    return draw


AHEAD = ("square.tril()", "square.tril(1)")
GRADIENTS = (
    "        for batch in batches(texts, size):\n            optimizer.zero_grad()\n",
    "        optimizer.zero_grad()\n        for batch in batches(texts, size):\n",
)
COUNTED = ("(each * real).sum() / real.sum()", "(each * real).mean()")
MISTAKES = Program(train_language_model)
MISTAKES.change("as-it-was", *AHEAD, *GRADIENTS, *COUNTED).says("""
    All three bugs are still there. Take one symptom, and make the run so small that the other two
    cannot show in it.
""")
sentence = """
    Two symptoms are left: the loss falls below ln 2, and many batches an epoch end higher than one.
"""
MISTAKES.change("loss-alone", *AHEAD, *GRADIENTS).says(sentence)
sentence = """
    Two symptoms are left: the loss falls below ln 2, and columns of padding make it smaller.
"""
MISTAKES.change("gradients-alone", *AHEAD, *COUNTED).says(sentence)
sentence = """
    Two symptoms are left: many batches an epoch end higher than one, and columns of padding make
    the loss smaller.
"""
MISTAKES.change("mask-alone", *GRADIENTS, *COUNTED).says(sentence)
MISTAKES.change("sees-ahead", *AHEAD).says("""
    One bug is left: the model sees a token that it is to predict. Change the last token alone and
    look at the logits before it.
""")
MISTAKES.change("gradients-kept", *GRADIENTS).says("""
    One bug is left: a step moves along the gradients of earlier batches, too. Print the gradient's
    length before each step.
""")
MISTAKES.change("padding-counted", *COUNTED).says("""
    One bug is left: a column of padding more makes the loss smaller. Print what each of the two
    numbers of a mean is.
""")
MISTAKES.change("sees-too-little", "square.tril()", "square.tril(-1)").says("""
    Now a token does not see itself, and the first sees nothing.
""")
MISTAKES.change(
    "cleared-too-late",
    "            optimizer.zero_grad()\n",
    "",
    "            optimizer.step()\n",
    "            optimizer.zero_grad()\n            optimizer.step()\n",
).says("""
    The gradients are cleared between `backward` and `step`, so nothing is learned.
""")
MISTAKES.change("changes-weights", "w.clone()", "w").says("""
    You train the weights that you were given, which belong to the caller. Take copies, as the
    program did.
""")
MISTAKES.change("a-sum", "(each * real).sum() / real.sum()", "(each * real).sum()").says("""
    The loss is a sum now: divide it by the number of labels that are no padding.
""")
MISTAKES.change("padding-predicted", "(each * real).sum() / real.sum()", "each.mean()").says("""
    Padding is predicted, too, now: its losses belong in neither number of the mean.
""")
TRAINING = bugs(
    MISTAKES,
    (*AHEAD, *GRADIENTS, *COUNTED),
    _training(2, 3, epochs=14),  # the rate rises for 10 steps
    (
        _training(5, 2),
        _training(2, 7, epochs=4, batches=2),  # the third batch is a shorter one
        _training(2, 4, padded=True),
    ),
    (
        "Three symptoms, three bugs. With texts of two tokens the model reads one token: which "
        "bug can no longer show? With one batch? With no padding?",
        "What can a row of the mask see? When was the gradient last zero? What is the mean taken "
        "over?",
        "`square.tril()`; `optimizer.zero_grad()` in the inner loop, before `backward`; "
        "`(each * real).sum() / real.sum()`.",
    ),
)

PADDED = ("source, source, mask)", "source, source)")
LOST = (
    '    scores[ended] = float("-inf")\n    scores[ended, END] = 0.0\n',
    '    scores[ended, END] = 0.0\n    scores[ended] = float("-inf")\n',
)
CACHE = ("part[origin] for", "part[: len(origin)] for")
MISTAKES = Program(beam_search)
MISTAKES.change("as-it-was", *PADDED, *LOST, *CACHE).says("""
    All three bugs are still there. One beam, one word, no padding: ask of each symptom which of
    these makes it go away.
""")
sentence = """
    Two symptoms are left: padding beside the source changes the words, and texts do not end where
    END is likeliest.
"""
MISTAKES.change("cache-alone", *PADDED, *LOST).says(sentence)
sentence = """
    Two symptoms are left: padding beside the source changes the words, and with several beams
    search and model do not agree on a text.
"""
MISTAKES.change("ending-alone", *PADDED, *CACHE).says(sentence)
sentence = """
    Two symptoms are left: texts do not end where END is likeliest, and with several beams search
    and model do not agree on a text.
"""
MISTAKES.change("source-alone", *LOST, *CACHE).says(sentence)
MISTAKES.change("padding-seen", *PADDED).says("""
    One bug is left: every word depends on the source's padding.
""")
MISTAKES.change("ended-lost", *LOST).says("""
    One bug is left: a text that has ended is thrown away at the next step. Print the row of scores
    of such a text.
""")
MISTAKES.change("cache-left-behind", *CACHE).says("""
    One bug is left: after a step a beam has the words of one text and the cache of another.
""")
MISTAKES.change("goes-on", '    scores[ended] = float("-inf")\n', "").says("""
    Now a text that has ended goes on with other words, at their price.
""")
MISTAKES.change(
    "half-the-cache", "cache = follow(cache, origin)", "cache = (cache[0][origin], cache[1])"
).says("""
    The keys follow the beams now, and the values do not, or the other way round. Both belong to the
    text.
""")
MISTAKES.change("mask-inverted", "source, source, mask)", "source, source, ~mask)").says("""
    You read the mask the wrong way round. True means that a state of the source may be seen.
""")
SEARCH = bugs(
    MISTAKES,
    (*PADDED, *LOST, *CACHE),
    _search(1, 1),
    (
        _search(2, 1, padded=True),
        _search(8, 2, ends=12.0),
        _search(3, 5),
    ),
    (
        "A search for one word shows only what the model computes. With one beam there is nothing "
        "to reorder. Where no text ends, nothing can be lost.",
        "Which arguments are never used? What does the second of two assignments do to the first? "
        "Whose cache is it after a step?",
        "`attend_once(…, source, source, mask)`; first −∞ for all words, then 0 for END; "
        "`part[origin] for part in parts`.",
    ),
)
