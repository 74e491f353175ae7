"""Real sentence pairs: a tab-separated file, and the Tatoeba English–French sentences."""

import re
from pathlib import Path

from course_lib.translation.corpus import Pair

# The copy kept for "Dive into Deep Learning": unlike the archive it was taken from, which grows,
# it stays as it is. The hash is the one that book publishes in its own source.
TATOEBA_URL = "https://d2l-data.s3-accelerate.amazonaws.com/fra-eng.zip"
TATOEBA_HASH = "sha1:94646ad1522d915e7b0f9296181140edcf86a4f5"

_WORD = re.compile(r"\w+(?:-\w+)*['’]?|[^\w\s]")


def tokenize(text: str) -> list[str]:
    """Lower-case words and punctuation; an apostrophe stays with the word before it ("l'")."""
    return [w.replace("’", "'") for w in _WORD.findall(text.lower())]


def load_tsv(path: str | Path, limit: int | None = None) -> list[Pair]:
    """Read pairs from a UTF-8 file of `source <tab> target` lines, as Tatoeba's are.

    Columns after the second (Tatoeba's attribution) and empty lines are skipped; `links` is None.
    limit: read at most so many pairs.
    Raises ValueError that names the line for a missing or empty column and for bytes that are not
    UTF-8, FileNotFoundError when there is no such file.
    """
    pairs: list[Pair] = []
    for number, raw in enumerate(Path(path).read_bytes().splitlines(), start=1):
        if limit is not None and len(pairs) == limit:
            break
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{path}, line {number}: byte {error.start + 1} is not UTF-8. "
                "Save the file with the encoding UTF-8."
            ) from None
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 2:
            raise ValueError(
                f"{path}, line {number}: found one column, need two, source and target, "
                "with a tab between them."
            )
        for name, text in zip(("source", "target"), columns, strict=False):
            if not text.strip():
                raise ValueError(f"{path}, line {number}: the {name} column is empty.")
        pairs.append(Pair(tokenize(columns[0]), tokenize(columns[1])))
    return pairs


def load_tatoeba(limit: int | None = None, cache: str | Path | None = None) -> list[Pair]:
    """Download (once) and read the English–French sentences of Tatoeba, short ones first.

    cache: the folder to keep the archive in; defaults to the user's cache folder.
    Raises ConnectionError when it is not there yet and the download fails.
    Sentences: Tatoeba (CC BY 2.0 FR), by way of manythings.org/anki.
    """
    import pooch
    import requests

    try:
        files = pooch.retrieve(
            TATOEBA_URL,
            TATOEBA_HASH,
            path=cache or pooch.os_cache("course_lib"),
            processor=pooch.Unzip(),
            progressbar=True,
        )
    except (requests.RequestException, OSError) as error:
        raise ConnectionError(
            f"could not download {TATOEBA_URL} ({type(error).__name__}). Try again with a network, "
            "or read a file you have with load_tsv, or use ParallelCorpus, which needs none."
        ) from error
    return load_tsv(next(f for f in files if Path(f).name == "fra.txt"), limit)
