"""What goes wrong in `top_p`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.generation.nucleus.task import top_p


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


MISTAKES = Mistakes(top_p, globals())
MISTAKES.change("each-word-against-p", "before < p", "ranked >= p").says("""
    You compare each word with p. It is their *sum* that counts: add the words up from the likeliest
    on, until p is reached.
""")
MISTAKES.change("each-word-against-the-rest", "before < p", "ranked >= 1 - p").says("""
    You keep the words with at least 1 − p. It is their *sum* that counts: add the words up from the
    likeliest on, until p is reached.
""")
MISTAKES.change(
    "each-word-against-the-rest-but-the-first", "before < p", "(ranked >= 1 - p) | (before == 0)"
).says("""
    You keep the words with at least 1 − p. It is their *sum* that counts: add the words up from the
    likeliest on, until p is reached.
""")
MISTAKES.change("mask-rolled", "before < p", "~(ranked.cumsum(-1) >= p).roll(1, -1)").says("""
    You shift the mask of what is left out by one place, and leave the first place to what comes
    round from the end (`roll`). The likeliest word is always kept: set the first place to False.
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
MISTAKES.change(
    "softmax-after-the-division",
    "kept / kept.sum(-1, keepdim=True)",
    "(kept / kept.sum(-1, keepdim=True)).masked_fill(kept == 0, -torch.inf).softmax(-1)",
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


@MISTAKES.says("""
    Your sum goes on from row to row: the first row is right, and the others begin with what the
    rows before have added up. Set the running total back to 0 at the start of each row.
""")
def total_not_set_back(probabilities, p):
    total, out = 0.0, torch.zeros_like(probabilities)
    for row, kept in zip(probabilities, out, strict=True):
        for place in row.argsort(descending=True, stable=True):
            if total >= p:
                break
            kept[place] = row[place]
            total += row[place].item()
    return out / out.sum(-1, keepdim=True)


@MISTAKES.says("""
    You choose the words of the first row and keep the same ones in all rows. Each row has its own
    set: rank, add up and cut along the last axis.
""")
def words_of_the_first_row(probabilities, p):
    kept = probabilities * (top_p(probabilities[:1], p) > 0)
    return kept / kept.sum(-1, keepdim=True)


@MISTAKES.says("""
    You add the sorted words up over the rows, one text after the other. The sum runs along a row:
    `cumsum(-1)`.
""")
def added_over_the_rows(probabilities, p):
    order = probabilities.argsort(dim=-1, descending=True, stable=True)
    ranked = probabilities.gather(-1, order)
    kept = ranked * (ranked.cumsum(0) - ranked < p)
    kept = torch.zeros_like(probabilities).scatter(-1, order, kept)
    return kept / kept.sum(-1, keepdim=True)


for _small in (1e-3, 1e-2, 1e-4, 1e-6):
    MISTAKES.change(
        f"{_small}-added",
        "return kept / kept.sum(-1, keepdim=True)",
        f"kept = kept + {_small}\n    return kept / kept.sum(-1, keepdim=True)",
    ).says("""
        You add a small number to every word, so that those left out can still be drawn. They get
        exactly 0; the sum that you divide by is never 0, since a word is always kept.
    """)


@MISTAKES.says("""
    You drop the word that crosses p, and of a row whose likeliest word alone reaches p nothing is
    left. The word that crosses is kept: ask whether the sum *before* a word is below p.
""")
def nothing_left(probabilities, p):
    order = probabilities.argsort(dim=-1, descending=True, stable=True)
    ranked = probabilities.gather(-1, order)
    kept = torch.zeros_like(probabilities).scatter(-1, order, ranked * (ranked.cumsum(-1) < p))
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-9)


MISTAKES.change("kept-alike", "ranked * (before < p)", "(before < p).to(probabilities)").says("""
    You give every kept word the same. They keep their proportions: divide what is kept by its sum.
""")
MISTAKES.change("complement", "before < p", "before < 1 - p").says("""
    You add up to 1 − p. Add up to p: the likeliest words stay, until their sum reaches p.
""")
MISTAKES.change("one-word-alone", "before < p", "before <= 0").says("""
    You keep the likeliest word alone. Keep the next ones too, until the sum reaches p.
""")
MISTAKES.change(
    "two-words-at-least", "before < p", "(before < p) | (torch.arange(before.shape[-1]) < 2)"
).says("""
    You keep two words at least. One is enough where its probability alone reaches p.
""")
for _small in (1e-2, 1e-3):
    MISTAKES.change(f"{_small}-before", "before < p", f"before < p - {_small}").says("""
        You stop a little before the sum has reached p: where it is just below, one more word is
        needed. Compare with p itself.
    """)
