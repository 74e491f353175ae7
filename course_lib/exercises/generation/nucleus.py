"""Task `top_p`: the smallest set of likely words whose sum reaches p."""

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import always_float64, changes_input


def top_p(probabilities, p):
    """Rank the words, add up from the top, and stop when p is reached. Whether a word is kept
    depends on the sum *before* it: while that is below p the word is needed, so the one that
    crosses is in. Keep the order of the ranking to send what is left back to its places, and divide
    by its sum.

    Cost: A sort of each row, O(V log V)."""
    order = probabilities.argsort(dim=-1, descending=True, stable=True)  # ties to the left
    ranked = probabilities.gather(-1, order)
    before = ranked.cumsum(-1) - ranked  # the sum of all that are likelier
    kept = torch.zeros_like(probabilities).scatter(-1, order, ranked * (before < p))
    return kept / kept.sum(-1, keepdim=True)


def apart(s: Sampler, batch: int | None = None, low: float = 0.1, high: float = 0.95) -> Inputs:
    """p keeps away from every sum, so that rounding cannot decide which word crosses it; where it
    can, it needs more words of one row than of another."""
    rows, words = s.dims(2, low=3)
    probabilities = s.weights(batch or rows, words)
    sums = np.sort(probabilities, axis=-1)[:, ::-1].cumsum(-1)
    candidates = s.rng.uniform(low, high, 50)
    room = np.abs(sums[..., None] - candidates).min((0, 1))
    before = (sums[..., None] < candidates).sum(1)  # words before the one that crosses
    best = np.lexsort((room, np.ptp(before, axis=0) > 0))[-1]
    return Inputs((probabilities, round(float(candidates[best]), 6)))


def sixteenths(s: Sampler) -> np.ndarray:
    """Rows of sixteenths, none of them zero: their sums are exact, and many are equal."""
    rows, words = s.dims(2, low=4)
    counts = 1 + s.rng.multinomial(16 - words, np.ones(words) / words, size=rows)
    return (counts / 16).astype(s.dtype)


case = Cases()
case("one row", lambda s: apart(s, batch=1))
case("several rows, each with its own set", apart)


@case("equal words: ties to the left")
def ties(s):
    rows, words = s.dims(2, low=4)
    words = 4 if words < 6 else 8
    return np.full((rows, words), 1 / words, s.dtype), s.turn(0.4, 0.55, 0.7)


case(
    "128 equal words, still to the left",
    lambda s: (np.full((s.size, 128), 1 / 128, s.dtype), s.turn(0.4, 0.55, 0.7)),
)


@case("a sum that is exactly p")
def exactly_p(s):
    probabilities = sixteenths(s)
    sums = np.sort(probabilities[0])[::-1].cumsum()
    return probabilities, float(sums[s.rng.integers(len(sums) - 1)])


case.hidden("p = 1 keeps every word", lambda s: (sixteenths(s), 1.0))
case.hidden("a small p keeps one word", lambda s: apart(s, low=0.01, high=0.05))
case.hidden("a large p", lambda s: apart(s, low=0.8, high=0.98))


def _at_least_the_first(ranked, p):
    kept = ranked.cumsum(-1) <= p
    kept[..., 0] = True
    return kept


def _likelier(ranked):
    """The probability of the word one rank above; 0 for the first."""
    return torch.nn.functional.pad(ranked[..., :-1], (1, 0))


def _ties_to_the_right(x):
    return x.shape[-1] - 1 - x.flip(-1).argsort(dim=-1, descending=True, stable=True)


def _as_likely_as_the_last(ranked, p):
    inside = ranked.cumsum(-1) - ranked < p
    return ranked >= ranked.masked_fill(~inside, 2.0).amin(-1, keepdim=True)


MISTAKES = Mistakes(top_p)
MISTAKES.change("each-word-against-p", "before < p", "ranked >= p").says("""
    You compare each word with p. It is their *sum* that counts: add the words up from the likeliest
    on, until p is reached.
""")
MISTAKES.change("each-word-against-the-rest", "before < p", "ranked >= 1 - p").says("""
    You keep the words with at least 1 − p. It is their *sum* that counts: add the words up from the
    likeliest on, until p is reached.
""")
sentence = """
    You compare each word with a share of the likeliest, p or 1 − p of it; that is another method,
    min-p. Add the words up from the likeliest on, until p is reached.
"""
MISTAKES.change("min-p", "before < p", "ranked >= p * ranked[..., :1]").says(sentence)
MISTAKES.change("min-p-of-the-rest", "before < p", "ranked >= (1 - p) * ranked[..., :1]").says(
    sentence
)
MISTAKES.change(
    "top-k", "before < p", "torch.arange(ranked.shape[-1]) < p * ranked.shape[-1]"
).says("""
    You keep a share p of the *words*, as many in each row. Keep a share p of the probability: a
    sure row keeps few words, an unsure one many.
""")
MISTAKES.change(
    "zeros-and-ones", "kept / kept.sum(-1, keepdim=True)", "(kept > 0).to(kept)"
).says("""
    You return 1 for each word that is kept. Its probability is asked, divided by the sum of those
    that are kept.
""")
MISTAKES.change(
    "share-of-words-rounded-down",
    "before < p",
    "torch.arange(ranked.shape[-1]) < max(1, int(p * ranked.shape[-1]))",
).says("""
    You keep a share p of the *words*, as many in each row. Keep a share p of the probability: a
    sure row keeps few words, an unsure one many.
""")
sentence = """
    You drop the word that crosses p. The sum of the kept words has to reach p, so that word is
    kept: ask whether the sum *before* a word is below p.
"""
MISTAKES.change("crossing-word-dropped", "before < p", "ranked.cumsum(-1) <= p").says(sentence)
MISTAKES.change("crossing-word-dropped-below", "before < p", "ranked.cumsum(-1) < p").says(sentence)
MISTAKES.change(
    "crossing-word-dropped-unless-first", "before < p", "_at_least_the_first(ranked, p)"
).says(sentence)
MISTAKES.change("one-more-at-exactly-p", "before < p", "before <= p").says("""
    When the sum is exactly p, you take one word more. It has reached p: stop there.
""")
MISTAKES.change("one-word-too-many", "before < p", "before - _likelier(ranked) < p").says("""
    You keep one word after the one that crosses p. The set is the smallest whose sum reaches p.
""")
MISTAKES.change("not-renormalised", "kept / kept.sum(-1, keepdim=True)", "kept").says("""
    Your rows do not sum to one. What is kept shares the whole probability: divide each row by its
    sum.
""")
MISTAKES.change("divided-by-p", "kept.sum(-1, keepdim=True)", "p").says("""
    You divide by p. The kept words sum to p or a little more: divide each row by its own sum.
""")
sentence = """
    You take a softmax of probabilities, which makes them nearly equal. They are weights already:
    divide each row by its sum.
"""
MISTAKES.change(
    "softmax-again",
    "kept / kept.sum(-1, keepdim=True)",
    "kept.masked_fill(kept == 0, -torch.inf).softmax(-1)",
).says(sentence)
MISTAKES.change("softmax-of-all", "kept / kept.sum(-1, keepdim=True)", "kept.softmax(-1)").says(
    sentence
)
MISTAKES.change(
    "in-vocabulary-order",
    "probabilities.argsort(dim=-1, descending=True, stable=True)",
    "torch.arange(probabilities.shape[-1]).expand_as(probabilities)",
).says("""
    You add the words up in the order of the vocabulary. Sort them first, the likeliest in front.
""")
MISTAKES.change("least-likely-first", "descending=True, ", "").says("""
    You start with the least likely word: `sort` goes upwards unless it is told `descending=True`.
""")
MISTAKES.change(
    "left-in-order-of-rank", "torch.zeros_like(probabilities).scatter(-1, order, ", "("
).says("""
    Your words stand in the order of their rank. Put each probability back to its own word's column.
""")
sentence = """
    You put what is sorted back with `gather`, or `[order]`, which sorts it once more. `scatter`
    along the order undoes it: `torch.zeros_like(x).scatter(-1, order, sorted)`.
"""
PUT_BACK = "torch.zeros_like(probabilities).scatter(-1, order, ranked * (before < p))"
MISTAKES.change(
    "put-back-the-wrong-way", PUT_BACK, "(ranked * (before < p)).gather(-1, order)"
).says(sentence)
MISTAKES.change(
    "mask-put-back-the-wrong-way", PUT_BACK, "probabilities * (before < p).gather(-1, order)"
).says(sentence)
MISTAKES.change("mask-not-put-back", PUT_BACK, "probabilities * (before < p)").says("""
    What you keep is in the order of rank, and the probabilities are in the order of the vocabulary.
    Put it back to its words with `scatter` along the order, before the two meet.
""")
MISTAKES.change(
    "ties-to-the-right",
    "probabilities.argsort(dim=-1, descending=True, stable=True)",
    "_ties_to_the_right(probabilities)",
).says("""
    Of equally likely words you keep those on the right. Ties go to the left: sort with
    `stable=True`, downwards, without a flip.
""")
MISTAKES.change("all-ties-kept", "before < p", "_as_likely_as_the_last(ranked, p)").says("""
    You keep every word that is as likely as the last one kept. The set is the smallest one: of
    equal words the left ones, until p is reached.
""")
MISTAKES.change("unstable-sort", ", stable=True", "").says("""
    Your sort is not stable: in a long row it may put equally likely words in any order. Ties go to
    the left: sort with `stable=True`.
""")
sentence = """
    You keep the same number of words in all rows. Each row has its own set: look for the word that
    crosses p in every row by itself.
"""
MISTAKES.change("as-many-as-the-first-row", "before < p", "(before < p)[:1]").says(sentence)
MISTAKES.change("as-many-as-the-longest-row", "before < p", "(before < p).any(0)").says(sentence)
MISTAKES.change("as-many-as-the-shortest-row", "before < p", "(before < p).all(0)").says(sentence)
MISTAKES.by("mask-returned", lambda probabilities, p: top_p(probabilities, p) > 0).says("""
    You return which words are kept. Return their probabilities, renormalised, and 0 for the others.
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "probabilities")


HINTS = (
    "Sort a row by hand, the likeliest word first, and write the running sum below it. Which "
    "words do you need to reach p?",
    "`torch.sort(…, descending=True, stable=True)` gives the ranking and where each word came "
    "from; `cumsum` gives the running sum. A word is kept if the sum *before* it is below p.",
    "`ranked, order = probabilities.sort(dim=-1, descending=True, stable=True)`; kept: "
    "`ranked.cumsum(-1) - ranked < p`. Put `ranked * kept` back into zeros with `.scatter(-1, "
    "order, …)` and divide each row by its sum.",
)
TOP_P = task(MISTAKES, 2, case.all, HINTS)
