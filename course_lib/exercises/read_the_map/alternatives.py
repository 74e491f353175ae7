"""Right answers to lab 4, each written in another way than the reference."""

import numpy as np


def measured_row_by_row(weights, n_words):
    """Row by row, in plain Python."""
    off, padding, peaks = [], [], []
    for row in weights.tolist():
        off.append(abs(sum(row) - 1))
        padding.append(sum(row[n_words:]))
        peaks.append(max(row))
    return max(off), sum(padding) / len(padding), sum(peaks) / len(peaks)


def measured_by_products(weights, n_words):
    """Sums as products with a vector of zeros and ones."""
    ones = np.ones(weights.shape[1])
    on_padding = (np.arange(weights.shape[1]) >= n_words).astype(weights.dtype)
    off = np.linalg.norm(weights @ ones - 1, ord=np.inf)
    return float(off), float((weights @ on_padding).mean()), float(np.max(weights, 1).mean())


def measured_by_shares(weights, n_words):
    words, padding = np.split(weights, [n_words], axis=-1)
    sums = words.sum(-1) + padding.sum(-1)
    off = max(sums.max() - 1, 1 - sums.min())
    return off, padding.sum() / len(weights), weights.max(-1).sum() / len(weights)


def named_with_reasons(letter):
    """Beside each name what shows it."""
    found = {
        "A": ("untrained", "all seven words get 0.13 to 0.16"),
        "B": ("shifted", "heureux looks at dog, était at happy; right one row up"),
        "C": ("unmasked", "the paddings of <end> get 0.75"),
        "D": ("stretched", "the largest weight of every row is 1.00"),
        "E": ("trained", "chien looks at dog, heureux at happy"),
        "F": ("copied", "chien looks at happy, heureux at dog, and assis at dog"),
        "G": ("transposed", "three empty rows; the columns sum to 1"),
        "H": ("averaged", "the sums of the rows fall from 1.00 to 0.09"),
    }
    return found[letter][0]


def named_by_questions(letter):
    """One question after the other, as a doctor asks."""
    if letter in "DGH":  # the rows do not sum to 1
        if letter == "G":  # but the columns do
            return "transposed"
        return "stretched" if letter == "D" else "averaged"  # above 1, or fading
    if letter == "C":  # weight on padding
        return "unmasked"
    if letter == "A":  # no row prefers a word
        return "untrained"
    if letter == "E":  # the words fit
        return "trained"
    return "shifted" if letter == "B" else "copied"  # B fits when moved


ALTERNATIVES = {
    "measure_map": [measured_row_by_row, measured_by_products, measured_by_shares],
    "name_map": [named_with_reasons, named_by_questions],
}
