"""A trained model's parameters for a page: a byte a number, or half of one, and its words."""

import base64
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

BITS = (8, 4)
OCTAVE = 16  # scales of four-bit rows: 2^(−k/16), k a byte


def rounded(weights: Mapping[str, Tensor], bits: int = 8) -> dict[str, Tensor]:
    """Every parameter as a page will have it: steps between ± the largest of its row.

    A row of a matrix has 255 of them, with four bits 15; a vector always has 255. A model that
    loads these says what the page says, and rounding it once more changes nothing.
    """
    found = {}
    for name, value in weights.items():
        scales, steps = _scaled(value, bits)
        found[name] = torch.from_numpy(steps * scales).view(value.shape)
    return found


def packed(weights: Mapping[str, Tensor], bits: int = 8) -> dict:
    """What js/own-sentence.tensors.js reads: `tensors` and `bytes`.

    `tensors` is a list of [name, rows, columns], with a 4 behind where a number has four bits, and
    `bytes` is base64 of one tensor after the other.

    A vector, such as a bias, is a single row, and has a scale (float32) and its numbers (int8). So
    has each row of a matrix, first all scales, then all numbers. Of four bits it has a byte
    k for each row, whose scale is 2^(−k/16), and then two numbers a byte, the first in the high
    half, each 7 too large.
    """
    tensors, held = [], b""
    for name, value in weights.items():
        scales, steps = _scaled(value, bits)
        tensors.append([name, *steps.shape])
        if _narrow(value, bits):
            tensors[-1].append(4)
            held += np.round(-OCTAVE * np.log2(scales)).astype(np.uint8).tobytes()
            halves = np.append(steps.ravel() + 7, [0] * (steps.size % 2)).astype(np.uint8)
            held += (halves[0::2] << 4 | halves[1::2]).tobytes()
        else:
            held += scales.astype("<f4").tobytes() + steps.astype(np.int8).tobytes()
    return {"tensors": tensors, "bytes": base64.b64encode(held).decode()}


def _narrow(value: Tensor, bits: int) -> bool:
    if bits not in BITS:
        raise ValueError(f"bits must be 8 or 4, got {bits!r}.")
    return bits == 4 and value.ndim > 1


def _scaled(value: Tensor, bits: int) -> tuple[np.ndarray, np.ndarray]:
    """The size of one step in each row, (rows, 1), and each number in steps: (rows, columns)."""
    array = value.detach().float().cpu().numpy()
    array = array.reshape(array.shape[0] if array.ndim > 1 else 1, -1)
    most = 7 if _narrow(value, bits) else 127
    scales = np.maximum(np.abs(array).max(axis=1, keepdims=True), 1e-12) / most
    if most == 7:  # the next larger one of the scales that there are
        if scales.max() > 1:
            raise ValueError(
                f"With four bits no number may be beyond ±7, got {7 * scales.max():.1f}."
            )
        exponents = np.floor(-OCTAVE * np.log2(scales.astype(np.float64)) + 1e-4)
        scales = 2.0 ** (-np.clip(exponents, 0, 255) / OCTAVE)
    scales = scales.astype(np.float32)
    return scales, np.clip(np.round(array / scales), -most, most).astype(np.float32)


def unpacked(tensors: list[list], held: str | bytes) -> dict[str, Tensor]:
    """The parameters of `packed`, each as a matrix (rows, columns), as a page has them."""
    data, at, found = base64.b64decode(held), 0, {}
    for name, rows, columns, *bits in tensors:
        count = rows * columns
        if bits:
            octaves = np.frombuffer(data, np.uint8, rows, at).astype(np.float64)
            scales = (2.0 ** (-octaves / OCTAVE)).astype(np.float32)
            halves = np.frombuffer(data, np.uint8, (count + 1) // 2, at + rows)
            steps = (
                np.stack([halves >> 4, halves & 15], axis=1).ravel()[:count].astype(np.float32) - 7
            )
            at += rows + len(halves)
        else:
            scales = np.frombuffer(data, "<f4", rows, at)
            steps = np.frombuffer(data, np.int8, count, at + 4 * rows).astype(np.float32)
            at += 4 * rows + count
        found[name] = torch.from_numpy(steps.reshape(rows, columns) * scales[:, None])
    return found
