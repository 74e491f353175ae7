"""What shows the kind of a map: a number at a place that a student points at.

Each question is asked of the map's own numbers, so its answer gives no secret away; and no place of
a map shows another kind than its own.
"""

import numpy as np

from course_lib.exercises.read_the_map.maps import MAPS, N_WORDS

ROUNDING = 0.021  # of a sum of weights that are rounded to hundredths
LARGE, ON_PADDING = 0.5, 0.05
BELONGS = {(int(t), int(s)) for t, s in np.argwhere(MAPS["trained"] >= LARGE)}

SHOWS = {
    "trained": "a weight of 0.50 or more on the word that it comes from, in a map that is sound "
    "and whose other rows look where they belong",
    "untrained": "a weight in a row that gives each of the seven words between 0.10 and 0.20",
    "transposed": "a place in a row whose sum is above 1, or 0, while its column sums to 1",
    "unmasked": "a weight of 0.05 or more on padding, in a row that sums to 1",
    "averaged": "a weight in a row whose sum is below 0.9, and whose column does not sum to 1",
    "stretched": "a 1.00 in a row whose sum is above 1",
    "shifted": "a weight of 0.50 or more that is wrong for its word and right for the word one row "
    "above (above the first stands the last), in a map that is sound and whose other rows are as "
    "far off",
    "copied": "a weight of 0.50 or more on a word that it does not come from, in a map that is "
    "sound and that no shift by a row repairs",
}


def shows(kind: str, weights: np.ndarray, row: int, column: int) -> bool:
    """Whether a place of a map shows that the map is of a kind."""
    weight, total = float(weights[row, column]), float(weights[row].sum())
    is_one = np.abs(weights.sum(axis=1) - 1) < ROUNDING
    column_is_one = abs(float(weights[:, column].sum()) - 1) < ROUNDING
    sound = is_one.all() and weights[:, N_WORDS:].max() < ON_PADDING
    large = sound and weight >= LARGE
    here, above = (row, column) in BELONGS, ((row - 1) % len(weights), column) in BELONGS
    most = weights.argmax(axis=1).tolist()
    fits = all(place in BELONGS for place in enumerate(most))
    moved = all(place in BELONGS for place in enumerate(most[1:]))
    words = weights[row, :N_WORDS]
    answers = {
        "trained": large and fits and here,
        "untrained": words.min() > 0.1 and words.max() < 0.2,
        "transposed": ((total > 1 + ROUNDING and weight > 0) or total == 0) and column_is_one,
        "unmasked": is_one[row] and column >= N_WORDS and weight >= ON_PADDING,
        "averaged": total < 0.9 and not column_is_one and weight > 0,
        "stretched": total > 1 + ROUNDING and weight == 1,
        "shifted": large and moved and above and not here,
        "copied": large and not (fits or moved) and not here,
    }
    return bool(answers[kind])
