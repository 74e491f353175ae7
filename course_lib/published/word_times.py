"""When each word was said: read from a map of weights, and known where words were put together.

Column j of a map is the state of the sound from 20·j to 20·(j + 1) ms.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from course_lib.published.voices import Recording
from course_lib.published.whisper import Whisper

STATE = 0.02  # seconds


def put_together(
    recordings: Sequence[Recording], gap: float | Sequence[float] = 0.15
) -> tuple[Float[Tensor, " n"], int, list[tuple[float, float]]]:
    """Words one behind the other: samples, rate, and each word's beginning and end in seconds.

    The silence around each word is cut off, and `gap` seconds of it put between two words, or after
    each word its own of a list. So the times are known, and nobody had to hear them.

    Raises:
        ValueError: for no recordings, recordings of several rates, and not one gap a recording.
    """
    rates = {recording.rate for recording in recordings}
    if len(rates) != 1:
        raise ValueError(f"recordings of one rate are put together, got rates {sorted(rates)}.")
    (rate,), at, samples, times = rates, 0, [], []
    gaps = [gap] * len(recordings) if isinstance(gap, int | float) else gap
    if len(gaps) != len(recordings):
        raise ValueError(f"got {len(gaps)} gaps for {len(recordings)} recordings.")
    for recording, seconds_after in zip(recordings, gaps, strict=True):
        word = without_edges(recording.samples, rate)
        silence = torch.zeros(round(seconds_after * rate))
        times.append((at / rate, (at + len(word)) / rate))
        samples += [word, silence]
        at += len(word) + len(silence)
    return torch.cat(samples[:-1]), rate, times


def without_edges(samples: Float[Tensor, " n"], rate: int) -> Float[Tensor, " m"]:
    """The recording from 20 ms before it is first louder than 2 % of its loudest to 20 ms after."""
    loud = (samples.abs() > 0.02 * samples.abs().max()).nonzero()[:, 0]
    margin = rate // 50
    return samples[max(0, int(loud[0]) - margin) : int(loud[-1]) + margin]


def peak_columns(weights: Float[Tensor, "... T S"]) -> Int[Tensor, "... T"]:
    """For each row the column of its largest weight, on its own."""
    return weights.argmax(dim=-1)


def monotone_columns(weights: Float[Tensor, "... T S"]) -> Int[Tensor, "... T"]:
    """For each row a column that never lies before that of the row above: the path of most weight.

        best[t, j] = w[t, j] + max over i ≤ j of best[t − 1, i]

    Speech is written in the order in which it is heard; a translation need not be.
    """
    best, came_from = weights[..., 0, :], []
    for row in weights.unbind(-2)[1:]:
        before, place = best.cummax(dim=-1)
        came_from.append(place)
        best = before + row
    column = best.argmax(dim=-1, keepdim=True)
    path = [column]
    for place in reversed(came_from):
        column = place.gather(-1, column)
        path.append(column)
    return torch.cat(path[::-1], dim=-1)


def seconds(columns: Int[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """The middle of each column's 20 ms."""
    return (columns + 0.5) * STATE


def inside(
    times: Float[Tensor, "... T"], intervals: Sequence[tuple[float, float]]
) -> Bool[Tensor, "... T"]:
    """Whether the time of each of the T words lies in its interval."""
    begin, end = torch.tensor(intervals).T
    return (begin <= times) & (times < end)


def share_inside(
    times: Float[Tensor, "... T"], intervals: Sequence[tuple[float, float]]
) -> Float[Tensor, "..."]:
    """The share of the T words whose time lies in their interval."""
    return inside(times, intervals).float().mean(dim=-1)


def over_words(
    weights: Float[Tensor, "... T S"], groups: Sequence[Sequence[int]]
) -> Float[Tensor, "... W S"]:
    """A map whose rows are words, from one whose rows are pieces: the mean of each word's rows.

    Each row still sums to 1. Where the columns are pieces, theirs are added up instead: what was
    looked at in a word is all that was looked at in its pieces.
    """
    return torch.stack([weights[..., list(group), :].mean(dim=-2) for group in groups], dim=-2)


def pieces_of_words(pieces: Sequence[str]) -> list[list[int]]:
    """Which pieces make each word: one begins with a blank, and marks of punctuation are left out.

    [" Tro", "is", ",", " sept"] → [[0, 1], [3]]
    """
    words: list[list[int]] = []
    for i, piece in enumerate(pieces):
        if not any(letter.isalnum() or letter == "�" for letter in piece):
            continue
        if piece.startswith(" ") or not words:
            words.append([i])
        else:
            words[-1].append(i)
    return words


@contextmanager
def silenced(model: Whisper, heads: Sequence[tuple[int, int]]) -> Iterator[None]:
    """Inside it, these heads (layer, head) of the cross-attention find nothing: 0 in place of it.

    What the heads found lies side by side before W_o joins it.

    Raises:
        IndexError, ValueError: for a layer or a head that is not there.
    """
    hooks = []
    try:
        for layer, head in heads:
            attention = model.decoder.layers[layer].cross_attention
            d, num_heads = attention.head_dim, attention.num_heads
            if not 0 <= head < num_heads:
                raise ValueError(f"layer {layer} has heads 0 to {num_heads - 1}, got {head}.")

            def silence(module, inputs, part=slice(head * d, (head + 1) * d)):
                found = inputs[0].clone()
                found[..., part] = 0
                return (found,)

            hooks.append(attention.W_o.register_forward_pre_hook(silence))
        yield
    finally:
        for hook in hooks:
            hook.remove()
