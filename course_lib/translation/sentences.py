"""A sentence is a list of words: a string would be read letter by letter, without an error."""

from collections.abc import Iterable
from typing import Any


def words_of(sentence: Any, name: str) -> list[str]:
    """The words of a sentence, a list of strings (or a `Translation`); `name` says whose it is.

    Raises:
        TypeError: for a string, and for what is no list of strings.
    """
    words = getattr(sentence, "words", sentence)
    if isinstance(words, str):
        raise TypeError(
            f"{name} is the string {words!r}; a sentence is a list of words: {words.split()!r}."
        )
    if not isinstance(words, Iterable):
        raise TypeError(f"{name} must be a list of words, got {words!r}.")
    words = list(words)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name} must be a list of words, each a string; it holds {word!r}.")
    return words
