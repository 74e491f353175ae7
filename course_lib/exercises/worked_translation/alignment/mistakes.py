"""What goes wrong in `align`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import changes_input
from course_lib.exercises.worked_translation.alignment.task import align

MISTAKES = Mistakes(align, globals())
MISTAKES.change("source-first", "(word, source_words[s])", "(source_words[s], word)").says("""
    Your tuples are (source, target). The target word comes first.
""")
MISTAKES.by(
    "by-column",
    lambda matrix, source, target: [
        (target[t], word) for word, t in zip(source, matrix.argmax(axis=0), strict=True)
    ],
).says("""
    You look for the largest weight in each column. Rows are target words: take the largest weight
    of each row, axis=1.
""")
MISTAKES.by(
    "ties-to-the-right", lambda matrix, source, target: align(matrix[:, ::-1], source[::-1], target)
).says("""
    Of two equal weights you take the right one. Take the left one, as argmax does.
""")
MISTAKES.by(
    "every-tie",
    lambda matrix, source, target: [
        (target[t], source[s]) for t, s in np.argwhere(matrix == matrix.max(axis=1, keepdims=True))
    ],
).says("""
    You list every source word that has the largest weight. Each target word gets one tuple; of
    equal weights take the left one.
""")
MISTAKES.by("dictionary", lambda *args: list(dict(align(*args)).items())).says("""
    A dictionary keeps a repeated word only once. Build a list of tuples.
""")
MISTAKES.by("as-dictionary", lambda *args: dict(align(*args))).says("""
    You return a dictionary, which keeps a repeated word only once. Return a list of tuples.
""")
MISTAKES.by(
    "by-word",
    lambda matrix, source, target: [
        (word, source[int(matrix[target.index(word)].argmax())]) for word in target
    ],
).says("""
    You look a word up by its text, which finds the first of repeated words. Keep to positions until
    the end.
""")

sentence = """
    You use each source word only once. Several target words may come from the same one.
"""


@MISTAKES.says(sentence)
def used_once(matrix, source, target):
    pairs, left = [], matrix.copy()
    for t, word in enumerate(target):
        s = int(left[t].argmax())
        pairs.append((word, source[s]))
        left[:, s] = -1
    return pairs


@MISTAKES.says(sentence)
def best_first(matrix, source, target):
    pairs, left = {}, matrix.copy()
    for _ in range(min(left.shape)):
        t, s = np.unravel_index(left.argmax(), left.shape)
        pairs[t] = target[t], source[s]
        left[t] = left[:, s] = -1
    return [pairs[t] for t in sorted(pairs)]


@MISTAKES.says(sentence)
def later_ones_dropped(matrix, source, target):
    places = matrix.argmax(axis=1).tolist()
    pairs = align(matrix, source, target)
    return [pair for t, pair in enumerate(pairs) if places[t] not in places[:t]]


MISTAKES.by(
    "used-up", lambda matrix, source, target: used_once(matrix, source, target)[: len(source)]
).says(sentence)
MISTAKES.by(
    "indices", lambda matrix, source, target: [(t, int(s)) for t, s in enumerate(matrix.argmax(1))]
).says("You return positions. Look the words up: source_words[s].")
MISTAKES.change("index-of-source", "source_words[s])", "int(s))").says("""
    Your second entry is a position. Look the word up: source_words[s].
""")
MISTAKES.change("smallest", "attention_matrix.argmax", "attention_matrix.argmin").says(
    "You take the smallest weight of each row. Take the largest."
)
MISTAKES.by(
    "threshold",
    lambda matrix, source, target: [(target[t], source[s]) for t, s in np.argwhere(matrix > 0.5)],
).says("""
    You keep the pairs whose weight is above one half, but the largest weight of a row may be
    smaller. Take argmax of each row.
""")
sentence = """
    You take nearly equal weights for equal (`isclose`, rounding), and the left one of them. Only
    equal ones are a tie: `argmax` of the weights as they are.
"""
MISTAKES.by(
    "nearly-equal",
    lambda matrix, source, target: align(
        np.isclose(matrix, matrix.max(1, keepdims=True), atol=1e-2), source, target
    ),
).says(sentence)
MISTAKES.change("rounded", "attention_matrix.argmax", "attention_matrix.round(2).argmax").says(
    sentence
)
MISTAKES.by(
    "first-above-half",
    lambda matrix, source, target: [
        (target[t], source[int((row >= 0.5).argmax())])
        for t, row in enumerate(matrix)
        if (row >= 0.5).any()
    ],
).says("""
    You take the first weight of one half or more, and leave a word out that has none. The largest
    weight of a row may be smaller: `argmax` of each row.
""")


@MISTAKES.says("""
    Your search for the largest weight begins at 0, so a row of zeros finds no place. Begin with the
    row's first weight.
""")
def begins_at_zero(matrix, source, target):
    best = [int(row.argmax()) if (row > 0).any() else -1 for row in matrix]
    return [(word, source[s]) for word, s in zip(target, best, strict=True)]


MISTAKES.by(
    "diagonal", lambda matrix, source, target: list(zip(target, source, strict=False))
).says("""
    You pair the words in order. Word order differs between languages: take the largest weight of
    each row.
""")
MISTAKES.change("lists", "(word, source_words[s])", "[word, source_words[s]]").says("""
    Your pairs are lists. Make each one a tuple: (target word, source word).
""")
MISTAKES.change("source-words-only", "(word, source_words[s])", "source_words[s]").says("""
    You return the source words alone. Pair each with its target word.
""")
MISTAKES.by("tuple-of-tuples", lambda *args: tuple(align(*args))).says(
    "You return a tuple. Return a list of tuples."
)
sentence = """
    You take the largest weight of each column, and there may be more columns than target words,
    or fewer. Rows are target words: `argmax(axis=1)`.
"""
MISTAKES.change("columns-for-rows", "argmax(axis=1)", "argmax(axis=0)", ", strict=True", "").says(
    sentence
)
MISTAKES.by(
    "columns-with-target-words",
    lambda matrix, source, target: [
        (target[t], source[s]) for t, s in enumerate(matrix.argmax(axis=0))
    ],
).says(sentence)
MISTAKES.by(
    "target-words-of-columns",
    lambda matrix, source, target: [
        (target[t], source[matrix.argmax(axis=0)[t]]) for t in range(len(target))
    ],
).says(sentence)
sentence = """
    `argmax()` without an axis finds one place in the whole matrix, counted row by row. Each row
    has its own: `argmax(axis=1)`, or `row.argmax()` of each row.
"""
MISTAKES.by(
    "each-in-the-other-list",
    lambda matrix, source, target: [
        (target[s], source[t]) for t, s in enumerate(matrix.argmax(axis=1))
    ],
).says("""
    You look each place up in the other list. What `argmax` gives is a place among the source
    words; the row's own number is the target word's: `(target_words[t], source_words[s])`.
""")
MISTAKES.by(
    "one-place-for-all",
    lambda matrix, source, target: [(word, source[matrix.argmax()]) for word in target],
).says(sentence)
MISTAKES.by(
    "place-of-the-largest",
    lambda matrix, source, target: [
        (word, source[matrix.argmax() % len(source)]) for word in target
    ],
).says("""
    You give every target word the source word of the largest weight of all. Each row has its
    own: `argmax(axis=1)`.
""")
MISTAKES.by(
    "weight-for-place",
    lambda matrix, source, target: [
        (word, source[int(w)]) for word, w in zip(target, matrix.max(axis=1), strict=True)
    ],
).says("""
    `max` gives the largest weight, and you use it as a place (cut to a whole number it is
    mostly 0). The place is what `argmax` gives.
""")
MISTAKES.by(
    "weights",
    lambda matrix, source, target: [
        (word, float(w)) for word, w in zip(target, matrix.max(axis=1), strict=True)
    ],
).says("""
    Your second entry is the largest weight. It must be the source word at its place: `argmax`
    gives the place, and `source_words[…]` the word.
""")
MISTAKES.by(
    "in-source-order",
    lambda matrix, source, target: [
        (target[t], source[s])
        for s in range(len(source))
        for t in range(len(target))
        if matrix[t].argmax() == s
    ],
).says("""
    Your pairs are in the order of the source words. They must be in target order: go through
    the target words, one after the other.
""")
MISTAKES.by("list-of-strings", lambda *args: [f"{a} {b}" for a, b in align(*args)]).says("""
    Your entries are texts. Each must be a tuple of two words: `(target word, source word)`.
""")
MISTAKES.by("array", lambda *args: np.array(align(*args))).says("""
    You return a NumPy array. Return a list of tuples.
""")
MISTAKES.by("flat", lambda *args: [word for pair in align(*args) for word in pair]).says("""
    Your list holds single words, one after the other. Append one tuple for each target word:
    `pairs.append((target_word, source_word))`, with two pairs of brackets.
""")
MISTAKES.by(
    "two-lists",
    lambda matrix, source, target: (target, [b for _, b in align(matrix, source, target)]),
).says("""
    You return two lists. Return one, with a tuple for each target word: `list(zip(first,
    second))`.
""")
MISTAKES.by("target-words-only", lambda matrix, source, target: list(target)).says("""
    You return the target words alone. Pair each with its source word.
""")
MISTAKES.by("first-alone", lambda *args: align(*args)[:1]).says("""
    You return after the first target word. `return` must stand below the loop, not inside it.
""")
MISTAKES.by("last-alone", lambda *args: align(*args)[-1:]).says("""
    You return the last pair alone. Make the list before the loop, and append to it in each
    round.
""")
MISTAKES.by("one-tuple", lambda *args: align(*args)[0]).says("""
    You return the first tuple. Collect one for each target word in a list, and return that
    after the loop.
""")
MISTAKES.by("last-tuple", lambda *args: align(*args)[-1]).says("""
    You return the last tuple. Collect one for each target word in a list, and return that.
""")
MISTAKES.by("first-left-out", lambda *args: align(*args)[1:]).says("""
    The first target word is missing. Count from 0.
""")
MISTAKES.by("last-left-out", lambda *args: align(*args)[:-1]).says("""
    The last target word is missing. `range(len(target_words))` goes up to the last one.
""")
MISTAKES.by("sorted", lambda *args: sorted(align(*args))).says("""
    You sort the pairs. They must stay in target order.
""")
MISTAKES.by("without-doubles", lambda *args: list(dict.fromkeys(align(*args)))).says("""
    You drop pairs that occur twice. Each target word gets its tuple, also where the words are
    the same.
""")
for shift, side in ((1, "right"), (-1, "left")):
    MISTAKES.by(
        f"one-to-the-{side}",
        lambda matrix, source, target, n=shift: [
            (word, source[(s + n) % len(source)])
            for word, s in zip(target, matrix.argmax(axis=1), strict=True)
        ],
    ).says(f"""
        You take the source word one place to the {side} of the largest weight. Places count
        from 0, in `argmax` as in lists.
    """)
MISTAKES.by(
    "one-too-far",
    lambda matrix, source, target: [
        (word, source[s + 1]) for word, s in zip(target, matrix.argmax(axis=1), strict=True)
    ],
).says("""
    You take the source word one place to the right of the largest weight, and the last one has
    none. Places count from 0, in `argmax` as in lists.
""")
MISTAKES.by(
    "list-with-an-array-as-index",
    lambda matrix, source, target: list(zip(target, source[matrix.argmax(axis=1)], strict=True)),
).says("""
    `source_words` is a list: its index is one whole number, and you give it an array. Go
    through the places one by one: `[source_words[s] for s in places]`.
""")
MISTAKES.by("zip", lambda *args: zip(*zip(*align(*args), strict=True), strict=True)).says("""
    You return a `zip`, which is no list yet: `list(zip(…))`.
""")
MISTAKES.by("set", lambda *args: set(align(*args))).says("""
    You return a set, which has no order and keeps equal pairs once. Return a list.
""")
MISTAKES.by(
    "pair-of-lists", lambda *args: list(map(list, zip(*align(*args), strict=True)))
).says("""
    You return two lists in a list. Return one list with a tuple for each target word:
    `list(zip(first, second))`.
""")
MISTAKES.by("source-to-targets", lambda *args: {b: a for a, b in align(*args)}).says("""
    You return a dictionary from source to target. Return a list of tuples, (target word, source
    word): several target words may come from the same source word.
""")
MISTAKES.by(
    "above-the-mean",
    lambda matrix, source, target: [
        (target[t], source[s]) for t, s in np.argwhere(matrix > matrix.mean(1, keepdims=True))
    ],
).says("""
    You keep every pair whose weight is above a threshold. Each target word gets one tuple: its
    largest weight.
""")
MISTAKES.by(
    "every-pair",
    lambda matrix, source, target: [(a, b) for a in target for b in source],
).says("""
    You pair every target word with every source word. Each target word gets one tuple: its
    largest weight.
""")
MISTAKES.by(
    "sources-as-lists",
    lambda *args: [(a, [b]) for a, b in align(*args)],
).says("""
    Your second entry is a list. It must be one word: of equal weights the left one.
""")
MISTAKES.by(
    "second-largest",
    lambda matrix, source, target: [
        (word, source[s]) for word, s in zip(target, matrix.argsort(axis=1)[:, -2], strict=True)
    ],
).says("You take the second largest weight of each row. The largest is the last of `argsort`.")
MISTAKES.by(
    "ties-through-half",
    lambda matrix, source, target: [
        (word, source[s])
        for word, s in zip(target, np.argmax(matrix.round(1), axis=1), strict=True)
    ],
).says("You round the weights first, and then several are equal. Compare them as they are.")
MISTAKES.by(
    "largest-with-start-at-zero",
    lambda matrix, source, target: [
        (word, source[int(row[1:].argmax()) if len(row) > 1 else 0])
        for word, row in zip(target, matrix, strict=True)
    ],
).says("""
    Your place is counted from the second source word on. Count from the first, which is 0.
""")


@MISTAKES.says("""
    You set the best weight back once, before the first row, and not for each row: a later row
    finds nothing larger. Set it back where each row begins.
""")
def best_not_set_back(matrix, source, target):
    best, place, pairs = -1.0, 0, []
    for t, word in enumerate(target):
        for s in range(len(source)):
            if matrix[t, s] > best:
                best, place = matrix[t, s], s
        pairs.append((word, source[place]))
    return pairs


changes_input(MISTAKES, "attention_matrix")


def _each_once(matrix, source, target, last):
    """A word that finds no source word left gets its best, or its last."""
    used, pairs = set(), []
    for t, word in enumerate(target):
        order = np.argsort(-matrix[t], kind="stable")
        place = next((s for s in order if s not in used), order[last])
        used.add(place)
        pairs.append((word, source[place]))
    return pairs


for _name, _last in {"each-source-word-once": 0, "each-source-word-once-to-the-last": -1}.items():
    MISTAKES.by(_name, lambda *args, last=_last: _each_once(*args, last)).says("""
        You give each source word to one target word at most. Several may come from the same one:
        take the largest weight of each row, whatever other rows have taken.
    """)
