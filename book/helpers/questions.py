"""Two questions about a short text, whose answers stand in it; SmolLM2 is asked where from.

The second was written before any head was looked at, and chose none; nor did the nine of NINE.
"""

from typing import NamedTuple

import torch
from jaxtyping import Int
from tokenizers import Tokenizer


class Question(NamedTuple):
    """A text with a {town}, what is asked, how the answer begins, and two towns for it."""

    name: str
    text: str
    asked: str
    begun: str
    towns: tuple[str, str]


BRIDGE = Question(
    "bridge",
    "The bridge was built in 1934 by two brothers from {town}. It was closed after the flood of "
    "1956 and opened again in 1959.",
    "Who built the bridge?",
    "The bridge was built by two brothers from",
    ("Lyon", "Rome"),
)
TOWER = Question(
    "tower",
    "The tower was painted in 1971 by three sisters from {town}. It was damaged in the storm of "
    "1983 and repaired in 1987.",
    "Who painted the tower?",
    "The tower was painted by three sisters from",
    ("Oslo", "Lima"),
)


def _made(thing: str, done: str, did: str, who: str, towns: tuple[str, str], then: str) -> Question:
    """A question about a thing that was made by somebody from a town."""
    return Question(
        thing,
        f"The {thing} was {done} by {who} from {{town}}. {then}",
        f"Who {did} the {thing}?",
        f"The {thing} was {done.partition(' ')[0]} by {who} from",
        towns,
    )


NINE = [
    _made("chapel", "drawn in 1902", "drew", "four monks", ("Paris", "Vienna"),
           "It lost its roof in 1944 and got a new one in 1951."),
    _made("boat", "sold in 1988", "sold", "an old fisherman", ("Naples", "Lisbon"),
           "It was used for tours until 2003."),
    _made("song", "written in 1965", "wrote", "a young teacher", ("Dublin", "Glasgow"),
           "It was on the radio for two summers."),
    _made("clock", "made in 1790", "made", "a watchmaker", ("Geneva", "London"),
           "It stopped in 1911 and was never repaired."),
    _made("garden", "planted in 1923", "planted", "two nurses", ("Boston", "Chicago"),
           "It has been open to the public since 1960."),
    _made("film", "shot in 1978", "shot", "six students", ("Berlin", "Madrid"),
           "It was shown once and then lost."),
    _made("school", "founded in 1889", "founded", "a doctor", ("Athens", "Cairo"),
           "It moved to the harbour in 1932."),
    _made("bakery", "opened in 1954", "opened", "three cousins", ("Milan", "Prague"),
           "It closed in 1999 after a fire."),
    _made("map", "found in 2007", "found", "a student", ("Tokyo", "Seoul"),
           "It shows the coast as it was in 1640."),
]  # fmt: skip


def prompt(tokenizer: Tokenizer, question: Question, town: str) -> Int[torch.Tensor, "1 T"]:
    """The chat up to the name of the town, as tokens."""
    text = question.text.format(town=town)
    chat = f"<|im_start|>user\n{text}\n{question.asked}<|im_end|>\n<|im_start|>assistant\n"
    return torch.tensor([tokenizer.encode(chat + question.begun).ids])
