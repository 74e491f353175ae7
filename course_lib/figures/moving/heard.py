"""A recording and what a model wrote of it: each piece over time, with the sound it looked at."""

import base64
import io
import wave
from itertools import pairwise

import numpy as np

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import as_array, check_labels
from course_lib.figures.style import ACCENT, MUTED

STEP = 0.04  # seconds of one place of the drawing: two of the model's states of 20 ms
LONGEST = 15  # seconds; the sound stands in the page
ROW, TOP = 24, 104  # as in heard.js


def wav(samples, rate: int) -> bytes:
    """One channel of samples from −1 to 1 as a WAV file of 16 bits, which every browser plays."""
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return made.getvalue()


def pooled(values: np.ndarray, size: float, count: int) -> np.ndarray:
    """The largest of each `size` neighbours along the last axis, `count` times; 0 beyond."""
    edges = np.minimum(np.round(np.arange(count + 1) * size).astype(int), values.shape[-1])
    return np.stack(
        [
            values[..., a:b].max(-1) if b > a else np.zeros(values.shape[:-1])
            for a, b in pairwise(edges)
        ],
        axis=-1,
    )


def stretches(weights: np.ndarray, seconds: float, state: float) -> tuple[list, list]:
    """Where each row has its largest weight, and the stretch above a third of it, in seconds."""
    peaks, spans = [], []
    for row in weights:
        top = int(row.argmax())
        low = high = top
        while low > 0 and row[low - 1] > row[top] / 3:
            low -= 1
        while high + 1 < len(row) and row[high + 1] > row[top] / 3:
            high += 1
        peaks.append(round((top + 0.5) * state, 3))
        # An ear needs a fifth of a second to tell what it hears.
        start, end = low * state, (high + 1) * state
        spare = max(0.0, 0.2 - (end - start)) / 2
        spans.append([round(max(0, start - spare), 3), round(min(seconds, end + spare), 3)])
    return peaks, spans


def heard_figure(samples, rate: int, written: dict, *, state: float = 0.02, label: str) -> Figure:
    """A recording that can be played, and for each text the weights of its pieces over time.

    A click on a piece, or Enter, plays the stretch of sound that it looked at; nothing sounds
    without one.

    Args:
        samples: (n,) one channel from −1 to 1, at most 15 seconds.
        rate: samples of a second.
        written: by a name such as "French" the T pieces of a text and their weights (T, S).
        state: seconds of one column of the weights.
        label: what is heard, and by whom.

    Raises:
        ValueError: for a recording that is longer or empty, no text, and weights that do not fit.
    """
    samples = as_array(samples, "samples", 1)
    seconds = len(samples) / rate
    if not 0 < seconds <= LONGEST:
        raise ValueError(f"a recording of 0 to {LONGEST} seconds is needed, got {seconds:.1f}.")
    if not written:
        raise ValueError("written must name at least one text, with its pieces and weights.")
    count = int(np.ceil(seconds / STEP))
    loudness = pooled(np.abs(samples), rate * STEP, count)
    texts, lines = {}, []
    for name, (pieces, weights) in written.items():
        weights = as_array(weights, f"weights of {name}", 2)
        pieces = check_labels(f"pieces of {name}", pieces, len(weights), weights.shape)
        heard = weights[:, : max(1, round(seconds / state))]
        peaks, spans = stretches(heard, seconds, state)
        tallest = heard.max(axis=1)
        drawn = pooled(heard, STEP / state, count) / np.maximum(tallest[:, None], 1e-9)
        texts[name] = {
            "pieces": pieces,
            "weights": drawn.round(2).tolist(),
            "peaks": peaks,
            "spans": spans,
            "tallest": tallest.round(2).tolist(),
        }
        times = ", ".join(f"{p.strip()} {t:.2f} s" for p, t in zip(pieces, peaks, strict=True))
        lines.append(f"{name}: {''.join(pieces).strip()}; {times}")
    first = next(iter(texts))
    most = max(len(text["pieces"]) for text in texts.values())
    height = TOP + ROW * most + 8
    loudness = (loudness / max(loudness.max(), 1e-9)).round(2).tolist()
    return Figure(
        "heard",
        label,
        lines,
        height=height,
        data={
            "sound": "data:audio/wav;base64," + base64.b64encode(wav(samples, rate)).decode(),
            "seconds": round(seconds, 3),
            "step": STEP,
            "loudness": loudness,
            "written": texts,
        },
        state={"task": first, "row": 0, "at": -1, "all": False},
        drawn=still(texts[first], loudness, seconds),
        below=(138, 220),
    )


def still(text: dict, loudness: list[float], seconds: float) -> str:
    """The sound above, and a row for each piece with its weights over the same time."""
    left = 20 + min(0.3 * svg.WIDE, 7.5 * max(len(piece) for piece in text["pieces"]))
    wide = (svg.WIDE - left - 8) / seconds

    def x(i: int) -> float:
        return left + wide * min(seconds, (i + 0.5) * STEP)

    wave = "".join(
        f"M{x(i):.1f} {48 - 26 * v:.1f}V{48.5 + 26 * v:.1f}" for i, v in enumerate(loudness)
    )
    drawn = [
        svg.words(0, 14, "the sound", color=MUTED),
        f'<path d="{wave}" stroke="{MUTED}" stroke-width="2"/>',
    ]
    drawn += [
        svg.words(left + wide * s, 88, f"{s} s", anchor="middle") for s in range(int(seconds) + 1)
    ]
    for number, (piece, row) in enumerate(zip(text["pieces"], text["weights"], strict=True), 1):
        base = TOP + ROW * number - 4
        line = "".join(f"L{x(i):.1f} {base - 18 * v:.1f}" for i, v in enumerate(row))
        drawn += [
            svg.words(left - 6, base - 2, piece.strip(), anchor="end"),
            f'<path class="attn-heard" d="M{left:.1f} {base}{line}L{x(len(row)):.1f} {base}Z" '
            f'fill="{ACCENT}" fill-opacity="0.6"/>',
        ]
    return "".join(drawn)
