"""Where each of Whisper's 48 heads of cross-attention looks while a word is written.

    python -m benchmarks listening [LANGUAGE]...       en fr es it
    python -m benchmarks listening words [LANGUAGE]... what it writes by itself, word by word, alone

Single words, five to a sequence, are put one behind the other, so that their times are known:
without silence between them, with 0.15 s of it, and with pauses of 0.1 to 1.5 s, each of its own.
(Words of one kind last about equally long: without uneven pauses the diagonal finds them, too.)
The model reads the right text, and the map of a word is the mean of the rows of its pieces, cut to
the columns of the sound. A word counts as found where the largest weight of its map lies inside its
time, or the path of most weight that never goes back does. `listening.csv` has each head;
`listening_methods.csv` what a page may claim of a choice: heads are chosen on two draws of
sequences and judged on the third; `listening_written.csv` what the model writes by itself, and
whether it looked at the right place where it wrote the wrong word; `listening_words.csv` has each
of these words with the probability that the model gave it, the product of those of its pieces.
"""

import copy
import math
import sys
from typing import NamedTuple

import torch
from torch import Tensor

from benchmarks.measure import merge
from benchmarks.spoken_words import (
    GAPS,
    KINDS,
    WORDS,
    Sequence,
    forced,
    is_right,
    sequences,
    shown,
)
from course_lib.published import log_mel, transcribe, whisper
from course_lib.published.word_times import (
    inside,
    monotone_columns,
    over_words,
    peak_columns,
    pieces_of_words,
    put_together,
    seconds,
)

LANGUAGES, DRAWS = ("en", "fr", "es", "it"), 3


class Found(NamedTuple):
    """A sequence, its words' times, and the maps of all heads (48, words, columns)."""

    sequence: Sequence
    times: list[tuple[float, float]]
    maps: Tensor
    on_sound: Tensor  # (48,), the share of the weight that lies on the sound at all


def milliseconds(times: Tensor, intervals: list[tuple[float, float]]) -> Tensor:
    """How far each time lies from the middle of its word."""
    return 1000 * (times - torch.tensor(intervals).mean(1)).abs()


def listen(model, tokenizer, language: str, draw: int) -> tuple[list[Found], list[dict]]:
    """All sequences of a draw: the maps of the right text; of the first, what is written, too."""
    everything, written = [], []
    for sequence in sequences(language, draw):
        samples, rate, times = put_together(sequence.words, sequence.pauses)
        columns = int(len(samples) / rate / 0.02) + 1
        heard = model.start(log_mel(samples, rate)[None])
        texts = [shown(word, language) for word in sequence.words]
        tokens, groups = forced(tokenizer, texts, language)
        own = copy.copy(heard)  # the sound is read once, and written down twice
        _, weights = model(None, torch.tensor([tokens]), cache=own, need_weights=True)
        maps = torch.cat(weights).flatten(0, 1)[..., :columns]  # (48, T, columns)
        words = over_words(maps, groups)
        everything.append(Found(sequence, times, words, words.sum(-1).mean(-1)))
        if draw == 0:
            said = transcribe(model, tokenizer, heard, language=language, max_pieces=40)
            written.append(by_itself(model, said, sequence, texts, times, columns))
    return everything, written


def by_itself(model, said, sequence, texts, times, columns) -> dict:
    """What was written, word by word where there are as many as were spoken."""
    groups = pieces_of_words(said.pieces)
    words = ["".join(said.pieces[i] for i in group) for group in groups]
    row = {"kind": sequence.kind, "gap": sequence.gap, "comparable": len(words) == len(texts)}
    if not row["comparable"]:
        return row
    layers, heads = zip(*model.alignment_heads, strict=True)
    maps = said.weights[list(layers), list(heads)].mean(0)[..., :columns]  # (T, columns)
    found = inside(seconds(peak_columns(over_words(maps, groups))), times)
    spoken = zip(words, texts, sequence.words, strict=True)
    right = torch.tensor([is_right(word, text, heard) for word, text, heard in spoken])
    for i in (~right & found).nonzero()[:, 0].tolist():
        print(f"wrong, at the right place: {texts[i]} as {words[i]} in {said.text}", flush=True)
    row["each"] = [
        {
            "word": text,
            "written": word.strip(" ,.;!?"),
            "right": int(right[i]),
            "inside": int(found[i]),
            "p": f"{math.prod(said.probabilities[piece] for piece in group):.4f}",
        }
        for i, (word, text, group) in enumerate(zip(words, texts, groups, strict=True))
    ]
    row |= {
        "words": len(texts),
        "right": int(right.sum()),
        "right_inside": int((right & found).sum()),
    }
    return row | {"wrong": int((~right).sum()), "wrong_inside": int((~right & found).sum())}


def judged(all_found: list[Found], way, heads: list[int] | None) -> tuple[float, float]:
    """Share of the words that are found, and the median distance, of the mean map of `heads`."""
    hits, errors = [], []
    for found in all_found:
        times = seconds(way(found.maps[heads].mean(0)))
        hits.append(inside(times, found.times))
        errors.append(milliseconds(times, found.times))
    return float(torch.cat(hits).float().mean()), float(torch.cat(errors).median())


def each_head(all_found: list[Found], way) -> list[tuple[float, float]]:
    return [judged(all_found, way, [head]) for head in range(len(all_found[0].maps))]


def chance(all_found: list[Found]) -> float:
    """The share that a column drawn from the whole sound would find."""
    shares = [(end - begin) / f.times[-1][1] for f in all_found for begin, end in f.times]
    return sum(shares) / len(shares)


def diagonal(all_found: list[Found]) -> tuple[float, float]:
    """Word i of n at the middle of the i-th of n equal parts of the sound."""
    hits, errors = [], []
    for found in all_found:
        times = (torch.arange(WORDS) + 0.5) / WORDS * found.times[-1][1]
        hits.append(inside(times, found.times))
        errors.append(milliseconds(times, found.times))
    return float(torch.cat(hits).float().mean()), float(torch.cat(errors).median())


WAYS = {"peak": peak_columns, "path": monotone_columns}


def head_rows(language: str, draws: list[list[Found]], listed: list[int], heads: int) -> list[dict]:
    rows, pooled = [], [found for draw in draws for found in draw]
    peaks, paths = each_head(pooled, peak_columns), each_head(pooled, monotone_columns)
    by_draw = [each_head(draw, peak_columns) for draw in draws]
    on_sound = torch.stack([found.on_sound for found in pooled]).mean(0)
    for i in range(len(peaks)):
        shares = [draw[i][0] for draw in by_draw]
        row = {"language": language, "layer": i // heads, "head": i % heads}
        row |= {"listed": i in listed, "on_sound": f"{on_sound[i]:.3f}"}
        row |= {"peak": f"{peaks[i][0]:.3f}", "low": f"{min(shares):.3f}"}
        row |= {"high": f"{max(shares):.3f}", "peak_ms": round(peaks[i][1])}
        rows.append(row | {"path": f"{paths[i][0]:.3f}", "path_ms": round(paths[i][1])})
    return rows


def method_rows(language: str, draws: list[list[Found]], listed: list[int]) -> list[dict]:
    rows = []
    for draw, judging in enumerate(draws):
        others = [found for d, some in enumerate(draws) if d != draw for found in some]
        shares = [share for share, _ in each_head(others, peak_columns)]
        order = sorted(range(len(shares)), key=lambda head: -shares[head])
        choices = {"best head": order[:1], "listed heads": listed, "best ten heads": order[:10]}
        for gap in GAPS:
            here = [found for found in judging if found.sequence.gap == gap]
            about = {"language": language, "gap": gap, "draw": draw}
            share, error = diagonal(here)
            scores = {("chance", ""): (chance(here), None), ("diagonal", ""): (share, error)}
            for name, heads in choices.items():
                for way, columns in WAYS.items():
                    scores[name, way] = judged(here, columns, heads)
            for (name, way), (share, error) in scores.items():
                row = about | {"method": name, "way": way, "inside": f"{share:.3f}"}
                row["ms"] = "" if error is None else round(error)
                row["chosen"] = "{}.{}".format(*divmod(order[0], 8)) if name == "best head" else ""
                rows.append(row)
    return rows


def written_words(language: str, written: list[dict]) -> list[dict]:
    return [
        {"language": language, "sequence": s, "place": place, "kind": row["kind"]} | one
        for s, row in enumerate(written)
        for place, one in enumerate(row.get("each", []))
    ]


def words_alone(model, tokenizer, language: str) -> list[dict]:
    """What is written of the first draw, without the maps of the right text."""
    written = []
    for sequence in sequences(language, 0):
        samples, rate, times = put_together(sequence.words, sequence.pauses)
        columns = int(len(samples) / rate / 0.02) + 1
        heard = model.start(log_mel(samples, rate)[None])
        texts = [shown(word, language) for word in sequence.words]
        said = transcribe(model, tokenizer, heard, language=language, max_pieces=40)
        written.append(by_itself(model, said, sequence, texts, times, columns))
    return written


def main() -> None:
    model, tokenizer = whisper()
    each = ("language", "sequence", "place")
    if sys.argv[1:2] == ["words"]:
        for language in sys.argv[2:] or LANGUAGES:
            written = words_alone(model, tokenizer, language)
            merge("listening_words", written_words(language, written), each)
        return
    heads = model.config.num_heads
    listed = [heads * layer + head for layer, head in model.alignment_heads]
    for language in sys.argv[1:] or LANGUAGES:
        draws, written = [], []
        for draw in range(DRAWS):
            found, rows = listen(model, tokenizer, language, draw)
            draws.append(found)
            written += rows
        merge("listening", head_rows(language, draws, listed, heads), ("language", "layer", "head"))
        keys = ("language", "gap", "draw", "method", "way")
        merge("listening_methods", method_rows(language, draws, listed), keys)
        keys = ("language", "kind", "gap")
        merge("listening_written", written_rows(language, written), keys)
        merge("listening_words", written_words(language, written), each)


def written_rows(language: str, written: list[dict]) -> list[dict]:
    rows = []
    for kind in KINDS:
        for gap in GAPS:
            some = [row for row in written if (row["kind"], row["gap"]) == (kind, gap)]
            row = {"language": language, "kind": kind, "gap": gap, "sequences": len(some)}
            row["comparable"] = sum(one["comparable"] for one in some)
            for name in ("words", "right", "right_inside", "wrong", "wrong_inside"):
                row[name] = sum(int(one.get(name, 0)) for one in some)
            rows.append(row)
    return rows


if __name__ == "__main__":
    main()
