"""The reference, the cases and the hints of `align`."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import called_twice, stored

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


ELSEWHERE = (
    "Perhaps another than the left one of equal weights is taken, or the largest is looked for in "
    "all rows at once, where another row may hold the same number: `row.argmax()` looks in its own "
    "row, and takes the left one."
)
case = Cases()
case.example((np.array([[0.2, 0.8], [0.5, 0.5]]), ["big", "cat"], ["chat", "gros"]))


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


@case("of equal weights the left one counts", perhaps=ELSEWHERE)
def ties(s):
    t, n = s.dims(2, low=3)
    matrix = s.weights(t, n)
    matrix[:, 0] = 0.1 * matrix[:, 0]
    matrix[:, -1] = matrix[:, 1] = matrix.max(axis=1)  # the left of the two is in the middle
    matrix[1] = np.roll(matrix[0], -1)
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
NEARLY = (
    "Perhaps weights are rounded, or nearly equal ones are taken for equal (`isclose`). The "
    "largest is the largest by however little; only of equal ones the left one counts."
)


@case.hidden("weights that are nearly equal", perhaps=NEARLY)
def nearly(s):
    """The last is the largest, by a thousandth or by a ten-millionth."""
    t, n = s.dims(2, low=3)
    matrix = 0.25 * s.weights(t, n)
    matrix[:, 0] = 0.301
    matrix[:, -1] = 0.302
    matrix[0, [0, -1]] = 0.3, 0.3 + 2e-7
    return matrix, words(s, SOURCE, n), words(s, TARGET, t)


HINTS = (
    "Of each row, do you want the largest weight or the place where it stands?",
    "`attention_matrix.argmax(axis=1)` gives one source position for each target word, and the "
    "left one of equals.",
    "Go through target_words and those positions together with zip, and collect (target word, "
    "source_words[position]).",
)
