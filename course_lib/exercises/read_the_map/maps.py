"""The eight maps of lab 4: what a trained translator recorded, and what became of it."""

import numpy as np

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
LETTERS = {
    "A": "untrained",
    "B": "shifted",
    "C": "unmasked",
    "D": "stretched",
    "E": "trained",
    "F": "copied",
    "G": "transposed",
    "H": "averaged",
}


def attention_map(letter: str) -> np.ndarray:
    """A map, "A" to "H": (10, 10) float64, a row for each of `TARGET`, a column for each of
    `SOURCE`.

    Raises:
        ValueError: for another letter.
    """
    if letter not in LETTERS:
        raise ValueError(f"there is no map {letter!r}; the maps are {', '.join(LETTERS)}.")
    return MAPS[LETTERS[letter]].copy()
