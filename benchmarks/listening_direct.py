"""What Whisper writes when it may not look, hears another word, or hears nothing.

    python -m benchmarks listening_direct [silenced] [exchanged] [nothing]

`listening_silenced.csv`: sentences of 3 to 9 s, heads of the cross-attention find nothing (zeros):
one, those that the file lists as alignment heads, and as many of the others: three draws from all
layers, and three with as many from each layer as are listed there.
Words that are wrong against the text of the recording (at most all of a sentence's, as a loop is
longer than any text), and how many edits lead from what the whole model writes.
`listening_exchanged.csv`: the sound of one word in five is exchanged for another of its kind; which
of the written words change, beside which of them had looked there. `listening_nothing.csv`: silence
of digital zeros and noise, what is written, how sure the model is that nobody speaks, and how much
of the listed heads' weight lies on the five seconds that it heard.
"""

import random
import re
import sys

import torch

from benchmarks.listening import LANGUAGES
from benchmarks.measure import merge
from benchmarks.spoken_words import Sequence, sequences
from book.helpers.pronunciations import edit_distance
from course_lib.published import log_mel, transcribe, voices, whisper
from course_lib.published.voices import Recording
from course_lib.published.word_times import (
    inside,
    over_words,
    peak_columns,
    pieces_of_words,
    put_together,
    seconds,
    silenced,
)

SENTENCES, EXCHANGES, DRAWS = 6, 10, 3
SOUNDS = {"zeros": 0.0, "noise, -60 dB": 1e-3, "noise, -40 dB": 1e-2, "noise, -20 dB": 0.1}


def words(text: str) -> list[str]:
    """The words of a text in small letters, without punctuation."""
    return re.findall(r"\w+", text.lower().replace("’", "'"))


def sentences(language: str) -> list[Recording]:
    """Recordings of 3 to 9 s that say at least seven words, drawn once."""
    known = [r for r in voices(language) if 3 <= len(r.samples) / r.rate <= 9]
    known = [r for r in known if len(words(r.text)) >= 7 and not re.search(r"\d", r.text)]
    return random.Random(f"sentences {language}").sample(known, SENTENCES)


def silences(listed: list[tuple[int, int]]) -> dict[str, list[tuple[int, int]]]:
    """Names of the heads that are silenced, and which they are."""
    others = [(i, j) for i in range(6) for j in range(8) if (i, j) not in listed]
    drawn = {f"{len(listed)} others, draw {d}": random.Random(d).sample(others, len(listed))
             for d in range(DRAWS)}  # fmt: skip
    layers = [i for i, _ in listed]
    near = {i: [head for head in others if head[0] == i] for i in sorted({*layers})}
    fair = {f"{len(listed)} others, same layers, draw {d}": [
        head for i in near for head in random.Random(f"{d} {i}").sample(near[i], layers.count(i))
    ] for d in range(DRAWS)}  # fmt: skip
    one = {"{}.{}".format(*head): [head] for head in listed}
    return {"none": [], **one, "all listed": listed, **drawn, **fair, "all others": others}


def without_heads(model, tokenizer, language: str) -> list[dict]:
    rows = {name: {"language": language, "silenced": name, "sentences": SENTENCES, "words": 0,
                   "wrong": 0, "changed": 0, "written": 0}
            for name in silences(model.alignment_heads)}  # fmt: skip
    for recording in sentences(language):
        heard = model.start(log_mel(recording.samples, recording.rate)[None])
        whole = None
        for name, heads in silences(model.alignment_heads).items():
            with silenced(model, heads):
                said = transcribe(model, tokenizer, heard, language=language, max_pieces=80)
            found, expected = words(said.text), words(recording.text)
            whole = found if whole is None else whole
            row = rows[name]
            row["words"] += len(expected)
            row["wrong"] += min(edit_distance(found, expected), len(expected))  # loops are long
            row["changed"] += edit_distance(found, whole)
            row["written"] += len(found)
            print(language, recording.name, name, said.text, sep=" | ", flush=True)
    return list(rows.values())


def written(model, tokenizer, language: str, sequence: Sequence, sounds: list[Recording]):
    """The words that are written, and the interval that each looked into, or None."""
    samples, rate, times = put_together(sounds, sequence.pauses)
    heard = model.start(log_mel(samples, rate)[None])
    said = transcribe(model, tokenizer, heard, language=language, max_pieces=40)
    groups = pieces_of_words(said.pieces)
    found = [words("".join(said.pieces[i] for i in group)) for group in groups]
    if len(found) != len(sounds):
        return None
    columns = int(len(samples) / rate / 0.02) + 1
    layers, heads = zip(*model.alignment_heads, strict=True)
    maps = said.weights[list(layers), list(heads)].mean(0)[..., :columns]
    at = seconds(peak_columns(over_words(maps, groups)))
    looked = [inside(time.expand(len(times)), times).nonzero()[:, 0].tolist() for time in at]
    return found, looked, said.text


def exchanged(model, tokenizer, language: str) -> list[dict]:
    """One row: of the words that looked at the exchanged sound, and of the others, who changed."""
    row = dict.fromkeys(("sequences", "looked", "looked_changed", "others", "others_changed"), 0)
    rng = random.Random(f"exchanged {language}")
    for sequence in sequences(language, 0):
        if row["sequences"] == EXCHANGES or sequence.kind == "letters":
            continue  # letters are often written as one word
        place = rng.randrange(len(sequence.words))
        names = {word.name for word in sequence.words}
        other = next(
            s.words[0]
            for s in sequences(language, 1)
            if s.kind == sequence.kind and s.words[0].name not in names
        )
        changed = [*sequence.words[:place], other, *sequence.words[place + 1 :]]
        before = written(model, tokenizer, language, sequence, sequence.words)
        after = written(model, tokenizer, language, sequence, changed)
        if before is None or after is None:
            continue
        row["sequences"] += 1
        print(language, place, before[2], after[2], sep=" | ", flush=True)
        for old, new, looked in zip(before[0], after[0], before[1], strict=True):
            there = "looked" if place in looked else "others"
            row[there] += 1
            row[f"{there}_changed"] += old != new
    return [{"language": language, **row}]


def nothing(model, tokenizer) -> list[dict]:
    """Five seconds in which nobody speaks."""
    rows, listed = [], model.alignment_heads
    layers, heads = (list(x) for x in zip(*listed, strict=True))
    for name, loud in SOUNDS.items():
        noise = torch.randn(5 * 16_000, generator=torch.Generator().manual_seed(0))
        heard = model.start(log_mel(loud * noise, 16_000)[None])
        for language in (None, *LANGUAGES):
            said = transcribe(model, tokenizer, heard, language=language, max_pieces=60)
            on_sound = said.weights[layers, heads][..., :250].sum(-1)
            row = {"sound": name, "told": language or "", "language": said.language}
            row |= {"no_speech": f"{said.no_speech:.3f}", "pieces": len(said.pieces)}
            row["on_sound"] = f"{on_sound.mean():.3f}" if said.pieces else ""
            rows.append(row | {"text": said.text})
    return rows


def main() -> None:
    model, tokenizer = whisper()
    parts = sys.argv[1:] or ["silenced", "exchanged", "nothing"]
    if "nothing" in parts:
        merge("listening_nothing", nothing(model, tokenizer), ("sound", "told"))
    for language in LANGUAGES:
        if "exchanged" in parts:
            rows = exchanged(model, tokenizer, language)
            merge("listening_exchanged", rows, ("language",))
        if "silenced" in parts:
            rows = without_heads(model, tokenizer, language)
            merge("listening_silenced", rows, ("language", "silenced"))


if __name__ == "__main__":
    main()
