"""Task `align`: read an attention matrix as "this word comes from that word"."""

import numpy as np

from course_lib.exercises.common import changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed

SOURCE = ("the", "cat", "sat", "on", "a", "red", "mat", "and", "slept", "well")
TARGET = ("le", "chat", "était", "assis", "sur", "un", "tapis", "rouge", "et", "dormait")


def align(attention_matrix, source_words, target_words):
    places = attention_matrix.argmax(axis=1)
    return [(word, source_words[s]) for word, s in zip(target_words, places, strict=True)]


def words(s: Sampler, pool: tuple, count: int) -> list:
    return [pool[i] for i in s.rng.permutation(len(pool))[:count]]


def draw(s: Sampler, t: int, n: int) -> Inputs:
    return Inputs((s.weights(t, n), words(s, SOURCE, n), words(s, TARGET, t)))


def repeated(s: Sampler) -> Inputs:
    """“the cat … the …”: the same word at several places, on both sides."""
    t, n = s.dims(2, low=3)
    source, target = words(s, SOURCE, n), words(s, TARGET, t)
    source[-1], target[-1] = source[0], target[0]
    return Inputs((s.weights(t, n), source, target))


def ties(s: Sampler) -> Inputs:
    t, n = s.dims(2, low=3)
    matrix = s.weights(t, n)
    matrix[:, 0] = 0.1 * matrix[:, 0]
    matrix[:, -1] = matrix[:, 1] = matrix.max(axis=1)  # the left of the two is in the middle
    return Inputs((matrix, words(s, SOURCE, n), words(s, TARGET, t)))


def one_source_for_all(s: Sampler) -> Inputs:
    inputs = draw(s, *s.dims(2))
    inputs.args[0][:, 1] = 2
    return inputs


def zeros(s: Sampler) -> Inputs:
    t, n = s.dims(2)
    matrix = s.weights(t, n)
    matrix[0] = 0
    return Inputs((matrix, words(s, SOURCE, n), words(s, TARGET, t)))


def strided(s: Sampler) -> Inputs:
    t, n = s.dims(2)
    matrix = Transposed(s.weights(t, n), (0, 1))
    return Inputs((matrix, words(s, SOURCE, n), words(s, TARGET, t)))


def _by_column(matrix, source, target):
    return [(target[t], word) for word, t in zip(source, matrix.argmax(axis=0), strict=True)]


def _rightmost(matrix, source, target):
    return align(matrix[:, ::-1], source[::-1], target)


def _used_once(matrix, source, target):
    pairs, left = [], matrix.copy()
    for t, word in enumerate(target):
        s = int(left[t].argmax())
        pairs.append((word, source[s]))
        left[:, s] = -1
    return pairs


def _all_above_half(matrix, source, target):
    return [(target[t], source[s]) for t, s in np.argwhere(matrix > 0.5)]


def _every_tie(matrix, source, target):
    best = matrix == matrix.max(axis=1, keepdims=True)
    return [(target[t], source[s]) for t, s in np.argwhere(best)]


def _pairs(change):
    return lambda *args: [change(*pair) for pair in align(*args)]


ALIGN = Task(
    name="align",
    points=3,
    reference=align,
    library="numpy",
    idea=(
        "A row of weights says how much a target word looks at each source word, and its "
        "largest weight is the simplest reading of that. Work with positions and turn them "
        "into words at the end: a word may occur twice, a position cannot. argmax takes the "
        "left one of equals, as the task asks."
    ),
    cost="T·S comparisons.",
    cases=(
        Case("each target word with its source word", lambda s: draw(s, *s.dims(2))),
        Case("words that repeat", repeated),
        Case("of equal weights the left one counts", ties),
        Case("as many target words as source words", lambda s: draw(s, s.size + 1, s.size + 1)),
        Case("one source word for every target word", one_source_for_all, hidden=True),
        Case("a single source word", lambda s: draw(s, s.size + 1, 1), hidden=True),
        Case("a row of zeros", zeros, hidden=True),
        Case("a matrix stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "source-first",
            "Your tuples are (source, target). The target word comes first.",
            _pairs(lambda target, source: (source, target)),
        ),
        Mistake(
            "by-column",
            "You look for the largest weight in each column. Rows are target words: take the "
            "largest weight of each row, axis=1.",
            _by_column,
        ),
        Mistake(
            "ties-to-the-right",
            "Of two equal weights you take the right one. Take the left one, as argmax does.",
            _rightmost,
        ),
        Mistake(
            "every-tie",
            "You list every source word that has the largest weight. Each target word gets one "
            "tuple; of equal weights take the left one.",
            _every_tie,
        ),
        Mistake(
            "dictionary",
            "A dictionary keeps a repeated word only once. Build a list of tuples.",
            lambda *args: list(dict(align(*args)).items()),
        ),
        Mistake(
            "as-dictionary",
            "You return a dictionary, which keeps a repeated word only once. Return a list of "
            "tuples.",
            lambda *args: dict(align(*args)),
        ),
        Mistake(
            "by-word",
            "You look a word up by its text, which finds the first of repeated words. Keep to "
            "positions until the end.",
            lambda matrix, source, target: [
                (word, source[int(matrix[target.index(word)].argmax())]) for word in target
            ],
        ),
        Mistake(
            "used-once",
            "You use each source word only once. Several target words may come from the same one.",
            _used_once,
        ),
        Mistake(
            "indices",
            "You return positions. Look the words up: source_words[s].",
            lambda matrix, source, target: [(t, int(s)) for t, s in enumerate(matrix.argmax(1))],
        ),
        Mistake(
            "index-of-source",
            "Your second entry is a position. Look the word up: source_words[s].",
            lambda matrix, source, target: [
                (word, int(s)) for word, s in zip(target, matrix.argmax(1), strict=True)
            ],
        ),
        Mistake(
            "smallest",
            "You take the smallest weight of each row. Take the largest.",
            lambda matrix, source, target: align(-matrix, source, target),
        ),
        Mistake(
            "threshold",
            "You keep the pairs whose weight is above one half, but the largest weight of a row "
            "may be smaller. Take argmax of each row.",
            _all_above_half,
        ),
        Mistake(
            "diagonal",
            "You pair the words in order. Word order differs between languages: take the largest "
            "weight of each row.",
            lambda matrix, source, target: list(zip(target, source, strict=False)),
        ),
        Mistake(
            "lists",
            "Your pairs are lists. Make each one a tuple: (target word, source word).",
            _pairs(lambda target, source: [target, source]),
        ),
        Mistake(
            "source-words-only",
            "You return the source words alone. Pair each with its target word.",
            _pairs(lambda target, source: source),
        ),
        Mistake(
            "tuple-of-tuples",
            "You return a tuple. Return a list of tuples.",
            lambda *args: tuple(align(*args)),
        ),
        changes_input(align, 0, "attention_matrix"),
    ),
    hints=(
        "Of each row, do you want the largest weight or the place where it stands?",
        "`attention_matrix.argmax(axis=1)` gives one source position for each target word, and the "
        "left one of equals.",
        "Go through target_words and those positions together with zip, and collect "
        "(target word, source_words[position]).",
    ),
)
