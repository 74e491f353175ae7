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
    return [str(word) for word in words]  # NumPy's strings cannot be read back from a file


def sentences_of(sentences: Any, name: str) -> list[Any]:
    """Several sentences, of any kind that can be gone through once; a TypeError for no such."""
    if isinstance(sentences, str) or not isinstance(sentences, Iterable):
        raise TypeError(
            f"{name} must be a list of sentences, each a list of words; got {sentences!r}."
        )
    return list(sentences)
