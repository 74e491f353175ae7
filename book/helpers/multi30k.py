"""Multi30k: 31,000 captions of photographs, English and French, as published work reads them.

Elliott et al. (2016), "Multi30K: multilingual English-German image descriptions",
https://aclanthology.org/W16-3210; French: Elliott et al. (2017), https://aclanthology.org/W17-4718.
The texts are for research and are never part of this repository.
"""

import html
from pathlib import Path

from course_lib.translation.corpus import SPLITS, Pair

COMMIT = "a3d2e0d26b56f3846f66a952536ffed4e401d05a"
URL = f"https://raw.githubusercontent.com/multi30k/dataset/{COMMIT}/data/task1/tok"
FILES = {"train": "train", "valid": "val", "test": "test_2016_flickr"}
HASHES = {  # SHA-256 of the lower-cased, normalized and tokenized files
    "train.lc.norm.tok.en": "08925f8e0572bcd5a006702fc5fe20e2d77c6917d4eebd576fc20de6693c2119",
    "train.lc.norm.tok.fr": "8fa41bb718412bcb7c5dfa58603842810a01543eae86a51279f9886b901266e1",
    "val.lc.norm.tok.en": "46573ce391ae227f1c72f873392436a20ef18e0a6d518098cfbd70b77c8572ec",
    "val.lc.norm.tok.fr": "b303e301aa21fe7822a846b2b3fb2d5a1121ec807cd5b1d006fb7b2b5507168a",
    "test_2016_flickr.lc.norm.tok.en": (
        "5b7f32627cf99eced828311b955dae9800bb52bc8b91cf8b6526829e605b29d2"
    ),
    "test_2016_flickr.lc.norm.tok.fr": (
        "1463bd5960f9bfe098ec3cd752d3df0c49c84dc646fb518964a29232658cd836"
    ),
}


def load_multi30k(split: str, folder: str | Path | None = None) -> list[Pair]:
    """Read the pairs of "train" (29,000), "valid" (1,014) or "test" (1,000, of 2016).

    folder: where the tokenized files are; None downloads them once into the user's cache.
    Raises ValueError for an unknown split and for files whose lines do not match,
    FileNotFoundError where the folder lacks a file, ConnectionError where the download fails.
    """
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}, got {split!r}.")
    sides = []
    for language in ("en", "fr"):
        name = f"{FILES[split]}.lc.norm.tok.{language}"
        path = _download(name) if folder is None else Path(folder) / name
        if not path.exists():
            raise FileNotFoundError(
                f"{folder} has no {name}. Name the folder data/task1/tok of a copy of "
                "github.com/multi30k/dataset."
            )
        text = html.unescape(path.read_text(encoding="utf-8"))  # d&apos; → d'
        sides.append([line.split() for line in text.removesuffix("\n").split("\n")])
    english, french = sides
    if len(english) != len(french):
        raise ValueError(
            f"{FILES[split]} has {len(english)} English and {len(french)} French lines; need as "
            "many. Fetch the files again."
        )
    for number, pair in enumerate(zip(english, french, strict=True), start=1):
        if not all(pair):
            raise ValueError(f"{FILES[split]}, line {number}: a sentence is empty.")
    return [Pair(e, f) for e, f in zip(english, french, strict=True)]


def _download(name: str) -> Path:
    import pooch
    import requests

    try:
        return Path(
            pooch.retrieve(
                f"{URL}/{name}", HASHES[name], fname=name, path=pooch.os_cache("course_lib")
            )
        )
    except (requests.RequestException, OSError) as error:
        raise ConnectionError(
            f"could not download {URL}/{name} ({type(error).__name__}). Try again with a network, "
            "or name a folder that has the files."
        ) from error
