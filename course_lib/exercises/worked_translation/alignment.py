"""Task `align`: read an attention matrix as "this word comes from that word"."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import NUMPY, called_twice, changes_input, stored
from course_lib.exercises.worked_translation.alignment_mistakes import slips

SOURCE = ("the", "cat", "sat", "on", "a", "red", "mat", "and", "slept", "well")
TARGET = ("le", "chat", "était", "assis", "sur", "un", "tapis", "rouge", "et", "dormait")


def align(attention_matrix, source_words, target_words):
    """A row of weights says how much a target word looks at each source word, and its largest
    weight is the simplest reading of that. Work with positions and turn them into words at the end:
    a word may occur twice, a position cannot. argmax takes the left one of equals, as the task
    asks.

    Cost: T·S comparisons."""
    places = attention_matrix.argmax(axis=1)
    return [(word, source_words[s]) for word, s in zip(target_words, places, strict=True)]


def words(s: Sampler, pool: tuple, count: int) -> list:
    return [pool[i] for i in s.rng.permutation(len(pool))[:count]]


def draw(s: Sampler, t: int, n: int) -> Inputs:
    return Inputs((s.weights(t, n), words(s, SOURCE, n), words(s, TARGET, t)))


case = Cases()


@case("each target word with its source word")
def with_a_close_second(s, t, n):
    """The last weight of the first row is its largest, and rounded the first is equal to it."""
    inputs = draw(s, t, n)
    row = inputs.args[0][0]
    best = row.argmax()
    row[[best, -1]] = row[[-1, best]]
    row[0] = row[-1] - min(0.01, (row[-1] + 0.05) % 0.1 / 2)
    return inputs


@case("words that repeat")
def repeated(s):
    """“the cat … the …”: the same word at several places, on both sides."""
    t, n = s.dims(2, low=3)
    source, target = words(s, SOURCE, n), words(s, TARGET, t)
    source[-1], target[-1] = source[0], target[0]
    return s.weights(t, n), source, target


@case("of equal weights the left one counts")
def ties(s):
    t, n = s.dims(2, low=3)
    matrix = s.weights(t, n)
    matrix[:, 0] = 0.1 * matrix[:, 0]
    matrix[:, -1] = matrix[:, 1] = matrix.max(axis=1)  # the left of the two is in the middle
    return matrix, words(s, SOURCE, n), words(s, TARGET, t)


case("as many target words as source words", lambda s: draw(s, s.size + 1, s.size + 1))


@case.hidden("one source word for every target word")
def one_source_for_all(s, t, n):
    inputs = draw(s, t, n)
    inputs.args[0][:, 1] = 2
    return inputs


case.hidden("a single source word", lambda s: draw(s, s.size + 1, 1))


@case.hidden("a row of zeros")
def zeros(s, t, n):
    inputs = draw(s, t, n)
    inputs.args[0][0] = 0
    return inputs


case.hidden(
    "a matrix stored in another order",
    lambda s: stored(draw(s, *s.dims(2)).args, (0, 1), None, None),
)
called_twice(
    case,
    ["attention_matrix", "source_words", "target_words"],
    lambda s: draw(s, 3, 4).args,
)


MISTAKES = Mistakes(align)
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
slips(MISTAKES)
changes_input(MISTAKES, "attention_matrix")


HINTS = (
    "Of each row, do you want the largest weight or the place where it stands?",
    "`attention_matrix.argmax(axis=1)` gives one source position for each target word, and the "
    "left one of equals.",
    "Go through target_words and those positions together with zip, and collect (target word, "
    "source_words[position]).",
)
ALIGN = task(MISTAKES, 2, case.all, HINTS, **NUMPY)
