"""Task `align`: read an attention matrix as "this word comes from that word"."""

import numpy as np

from course_lib.exercises.common import NUMPY, changes_input, stored
from course_lib.grading.tasks import Cases, Inputs, Sampler, task

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
case("each target word with its source word", lambda s: draw(s, *s.dims(2)))


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


class Mistakes:
    def source_first(*args):
        """Your tuples are (source, target). The target word comes first."""
        return [(source, target) for target, source in align(*args)]

    def by_column(matrix, source, target):
        """You look for the largest weight in each column. Rows are target words: take the largest
        weight of each row, axis=1."""
        return [(target[t], word) for word, t in zip(source, matrix.argmax(axis=0), strict=True)]

    def ties_to_the_right(matrix, source, target):
        """Of two equal weights you take the right one. Take the left one, as argmax does."""
        return align(matrix[:, ::-1], source[::-1], target)

    def every_tie(matrix, source, target):
        """You list every source word that has the largest weight. Each target word gets one tuple;
        of equal weights take the left one."""
        best = matrix == matrix.max(axis=1, keepdims=True)
        return [(target[t], source[s]) for t, s in np.argwhere(best)]

    def dictionary(*args):
        """A dictionary keeps a repeated word only once. Build a list of tuples."""
        return list(dict(align(*args)).items())

    def as_dictionary(*args):
        """You return a dictionary, which keeps a repeated word only once. Return a list of
        tuples."""
        return dict(align(*args))

    def by_word(matrix, source, target):
        """You look a word up by its text, which finds the first of repeated words. Keep to
        positions until the end."""
        return [(word, source[int(matrix[target.index(word)].argmax())]) for word in target]

    def used_once(matrix, source, target):
        """You use each source word only once. Several target words may come from the same one."""
        pairs, left = [], matrix.copy()
        for t, word in enumerate(target):
            s = int(left[t].argmax())
            pairs.append((word, source[s]))
            left[:, s] = -1
        return pairs

    def indices(matrix, source, target):
        """You return positions. Look the words up: source_words[s]."""
        return [(t, int(s)) for t, s in enumerate(matrix.argmax(1))]

    def index_of_source(matrix, source, target):
        """Your second entry is a position. Look the word up: source_words[s]."""
        return [(word, int(s)) for word, s in zip(target, matrix.argmax(1), strict=True)]

    def smallest(matrix, source, target):
        """You take the smallest weight of each row. Take the largest."""
        return align(-matrix, source, target)

    def threshold(matrix, source, target):
        """You keep the pairs whose weight is above one half, but the largest weight of a row may be
        smaller. Take argmax of each row."""
        return [(target[t], source[s]) for t, s in np.argwhere(matrix > 0.5)]

    def diagonal(matrix, source, target):
        """You pair the words in order. Word order differs between languages: take the largest
        weight of each row."""
        return list(zip(target, source, strict=False))

    def lists(*args):
        """Your pairs are lists. Make each one a tuple: (target word, source word)."""
        return [[target, source] for target, source in align(*args)]

    def source_words_only(*args):
        """You return the source words alone. Pair each with its target word."""
        return [source for _target, source in align(*args)]

    def tuple_of_tuples(*args):
        """You return a tuple. Return a list of tuples."""
        return tuple(align(*args))

    changes_attention_matrix = changes_input(align, 0, "attention_matrix")


HINTS = (
    "Of each row, do you want the largest weight or the place where it stands?",
    "`attention_matrix.argmax(axis=1)` gives one source position for each target word, and the "
    "left one of equals.",
    "Go through target_words and those positions together with zip, and collect (target word, "
    "source_words[position]).",
)
ALIGN = task(align, 3, case.all, Mistakes, HINTS, **NUMPY)
