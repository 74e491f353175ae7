"""Sequences of single spoken words, and the right text of each, for benchmarks/listening.py."""

import random
import string
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from course_lib.published import voices
from course_lib.published.voices import Recording

SEQUENCES, WORDS = 18, 5
GAPS = ("none", "even", "uneven")
KINDS = ("numbers", "letters", "days and months")
NAMES = {
    "numbers": [f"digits/{i}" for i in range(21)],
    "letters": [f"letters/{letter}" for letter in string.ascii_lowercase],
    "days and months": [f"digits/day-{i}" for i in range(7)]
    + [f"digits/mon-{i}" for i in range(12)],
}


class Sequence(NamedTuple):
    """Words of one kind, put together."""

    kind: str
    gap: str
    words: list[Recording]
    pauses: list[float]


def sequences(language: str, draw: int) -> Iterator[Sequence]:
    """The sequences of one draw; the kinds and the gaps take turns."""
    recordings = {recording.name: recording for recording in voices(language)}
    rng = random.Random(f"{language} {draw}")
    for i in range(SEQUENCES):
        kind = KINDS[i % len(KINDS)]
        known = [recordings[name] for name in NAMES[kind] if name in recordings]
        gap = GAPS[i // len(KINDS) % len(GAPS)]
        pauses = {"none": [0.0] * WORDS, "even": [0.15] * WORDS}
        uneven = [rng.uniform(0.1, 1.5) for _ in range(WORDS)]
        yield Sequence(kind, gap, rng.sample(known, WORDS), pauses.get(gap, uneven))


def shown(recording: Recording, language: str) -> str:
    """A word as the model writes it where it is right: numbers in figures, letters as capitals."""
    group, name = recording.name.split("/")
    if group == "letters":
        return name.upper()
    if name.isdigit():
        return name
    return recording.text if language == "en" else recording.text.lower()


def plain(text: str) -> str:
    """A word in small letters, without accents and marks: the texts of the package lack some."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if letter.isalnum())


def is_right(written: str, shown: str, recording: Recording) -> bool:
    """A number may be written in figures or as its word: 15 and quindici are one number."""
    return plain(written) in (plain(shown), plain(recording.text))


def forced(tokenizer, texts: list[str], language: str) -> tuple[list[int], list[list[int]]]:
    """The tokens of the right text, and which of the rows that write them are each word's."""
    begin = ["<|startoftranscript|>", f"<|{language}|>", "<|transcribe|>", "<|notimestamps|>"]
    tokens, groups = [tokenizer.token_to_id(token) for token in begin], []
    for i, text in enumerate(texts):
        pieces = tokenizer.encode(f" {text}", add_special_tokens=False).ids
        at = len(tokens) - 1  # the row of the token before writes the next one
        groups.append(list(range(at, at + len(pieces))))
        comma = tokenizer.encode(",", add_special_tokens=False).ids if i + 1 < len(texts) else []
        tokens += pieces + comma
    return tokens, groups
