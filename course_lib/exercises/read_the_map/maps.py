"""The eight maps of lab 4: what a trained translator recorded, and what became of it."""

import numpy as np

from course_lib.exercises.drawn import number_of, why_no_name
from course_lib.exercises.read_the_map import recorded

SOURCE = ("a", "happy", "dog", "sat", "near", "the", "house", "<pad>", "<pad>", "<pad>")
TARGET = ("un", "chien", "heureux", "était", "assis", "près", "de", "la", "maison", "<end>")
N_WORDS = 7  # of the source, without padding
TRAINED = np.array(recorded.TRAINED)
MAPS = {
    "trained": TRAINED,
    "untrained": np.array(recorded.UNTRAINED),
    "transposed": TRAINED.T,
    "unmasked": np.array(recorded.PADDING_READ),
    "averaged": np.array(recorded.MEAN),
    "stretched": TRAINED / TRAINED.max(axis=1, keepdims=True),
    "shifted": np.roll(TRAINED, 1, axis=0),  # the last row comes first
    "copied": np.array(recorded.ANOTHER),
}
LETTERS = "ABCDEFGH"
EXAMPLE = "A"  # the map that the notebook names, the same for everybody


def kinds_of(me: str) -> dict[str, str]:
    """{letter: kind}: A is untrained, and a student's name draws the order of the others."""
    others = sorted(MAPS.keys() - {"untrained"}, key=lambda kind: number_of(me, "map", kind))
    return dict(zip(LETTERS, ["untrained", *others], strict=True))


def attention_map(letter: str, me: str) -> np.ndarray:
    """A map, "A" to "H", of those that your name draws: (10, 10) float64, a row for each of
    `TARGET`, a column for each of `SOURCE`.

    Raises:
        ValueError: for another letter, and for a name that is empty.
    """
    if letter not in tuple(LETTERS):
        raise ValueError(f"there is no map {letter!r}; the maps are {', '.join(LETTERS)}.")
    if problem := why_no_name(me):
        raise ValueError(problem)
    return MAPS[kinds_of(me)[letter]].copy()
