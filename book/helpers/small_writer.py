"""A small writer: two layers of width 32 that have learned five sentences by heart."""

import torch
from torch.nn import functional as F

from course_lib.transformer import LanguageModel

SENTENCES = (
    "the animal did n't cross the street because it was too tired .",
    "the cat sat on the mat because it was tired .",
    "the cat slept in the house because it was warm .",
    "a dog ran over the street and the cat sat still .",
    "a dog slept on the mat because the house was cold .",
)
WORDS = sorted({word for sentence in SENTENCES for word in sentence.split()})
NUMBER = {word: i for i, word in enumerate(WORDS)}


def encode(text: str | list[str]) -> torch.Tensor:
    """Words to their numbers, (1, T). Raises KeyError for a word that it has not learned."""
    words = text.split() if isinstance(text, str) else text
    return torch.tensor([[NUMBER[word] for word in words]])


def small_writer(seed: int = 0) -> LanguageModel:
    """The writer, trained: a second or two."""
    torch.manual_seed(seed)
    length = max(len(sentence.split()) for sentence in SENTENCES)
    inputs = torch.zeros(len(SENTENCES), length, dtype=torch.long)
    targets = torch.full((len(SENTENCES), length), -100)  # -100: no loss here
    for row, sentence in enumerate(SENTENCES):
        numbers = encode(sentence)[0]
        inputs[row, : len(numbers)] = numbers
        targets[row, : len(numbers) - 1] = numbers[1:]
    model = LanguageModel(len(WORDS), d_model=32, num_heads=4, d_hidden=64)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(80):
        loss = F.cross_entropy(model(inputs)[0].flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval().requires_grad_(False)
