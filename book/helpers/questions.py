"""Two questions about a short text, whose answers stand in it; SmolLM2 is asked where from.

The second was written before any head was looked at, and chose none.
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


def prompt(tokenizer: Tokenizer, question: Question, town: str) -> Int[torch.Tensor, "1 T"]:
    """The chat up to the name of the town, as tokens."""
    text = question.text.format(town=town)
    chat = f"<|im_start|>user\n{text}\n{question.asked}<|im_end|>\n<|im_start|>assistant\n"
    return torch.tensor([tokenizer.encode(chat + question.begun).ids])
