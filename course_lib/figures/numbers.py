"""Numbers and labels on their way into a figure, on NumPy alone."""

import numpy as np


def as_array(values, name: str, ndim: int) -> np.ndarray:
    """Numbers from a tensor, an array or lists, with the number of axes that a figure needs."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().double().numpy()
    array = np.asarray(values, dtype=float)
    if array.ndim != ndim:
        raise ValueError(
            f"{name} must have {ndim} {'axis' if ndim == 1 else 'axes'}, got shape {array.shape}. "
            "Pick one sentence (and one head) before drawing."
        )
    return array


def check_labels(name: str, labels, length: int, shape: tuple[int, ...]) -> list[str]:
    """One label for each row, column or bar."""
    labels = [str(label) for label in labels]
    if len(labels) != length:
        raise ValueError(
            f"{len(labels)} {name} given for numbers of shape {shape}, which needs {length}."
        )
    return labels


def plain(values, name: str, ndim: int, digits: int = 4) -> list:
    """Numbers as nested lists, rounded for the way into the page."""
    array = as_array(values, name, ndim)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite numbers to be drawn.")
    return (np.round(array, digits) + 0.0).tolist()  # + 0.0: no minus zero
