"""A trained model's parameters for a page: a byte a number, and the words that belong to them."""

import base64
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor


def rounded(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Every parameter as a page will have it: 255 steps between ± the largest of its row.

    A model that loads these says what the page says.
    """
    return {
        name: torch.from_numpy(_steps(w) * _scales(w)).view(w.shape) for name, w in weights.items()
    }


def packed(weights: Mapping[str, Tensor]) -> dict:
    """What js/own-sentence.tensors.js reads: `tensors`, a list of [name, rows, columns], and
    `bytes`, base64 of each tensor's scales (float32, one a row) and then its numbers (int8).

    A vector, such as a bias, is a single row. Four bytes of every number become one.
    """
    tensors, held = [], b""
    for name, value in weights.items():
        steps, scales = _steps(value), _scales(value)
        tensors.append([name, *steps.shape])
        held += scales.astype("<f4").tobytes() + steps.astype(np.int8).tobytes()
    return {"tensors": tensors, "bytes": base64.b64encode(held).decode()}


def _matrix(value: Tensor) -> np.ndarray:
    """The parameter as rows of float32: (rows, columns)."""
    array = value.detach().float().cpu().numpy()
    return array.reshape(array.shape[0] if array.ndim > 1 else 1, -1)


def _scales(value: Tensor) -> np.ndarray:
    """The size of one step in each row, (rows, 1)."""
    largest = np.abs(_matrix(value)).max(axis=1, keepdims=True)
    return (np.maximum(largest, 1e-12) / 127).astype(np.float32)


def _steps(value: Tensor) -> np.ndarray:
    """Each number in steps of its row, −127 … 127."""
    return np.clip(np.round(_matrix(value) / _scales(value)), -127, 127).astype(np.float32)
