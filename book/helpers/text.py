"""Real English for a small language model: the topics of Python's own help, and a training loop.

The text (about 450 kB) comes with Python (`pydoc_data.topics`), so nothing is downloaded; it
differs a little from one version of Python to the next.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor, nn

from course_lib.generation import evaluating

PIECE = re.compile(r" ?\w+|\s|[^\w\s]")  # a word with the space before it, or one other character


class TextVocabulary:
    """Every character of a text, and its most frequent words: whatever it can say, it can read.

    A frequent word is one token, with the space before it; a rare one is spelled.

    Args:
        text: where characters and words are counted.
        size: how many tokens there are in all; with as many as there are characters, none is a
            word.
    """

    def __init__(self, text: str, size: int = 1000) -> None:
        characters = sorted(set(text))
        if size < len(characters):
            raise ValueError(
                f"the text has {len(characters)} characters: size {size} is too small."
            )
        counted = Counter(p for p in PIECE.findall(text) if len(p) > 1)
        words = sorted(counted, key=lambda word: (-counted[word], word))
        self.tokens = characters + words[: size - len(characters)]
        self._numbers = {token: i for i, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str) -> list[int]:
        """The numbers of a text's tokens. Raises ValueError for a character never seen."""
        unknown = sorted(set(text) - self._numbers.keys())
        if unknown:
            raise ValueError(f"the vocabulary has no {', '.join(map(repr, unknown))}.")
        pieces = PIECE.findall(text)
        return [
            self._numbers[token]
            for piece in pieces
            for token in ([piece] if piece in self._numbers else piece)
        ]

    def decode(self, numbers: list[int]) -> str:
        """The text of these tokens."""
        return "".join(self.tokens[i] for i in numbers)


@dataclass(frozen=True)
class TextData:
    """A vocabulary, and the tokens (N,) to learn from and to be judged by."""

    vocabulary: TextVocabulary
    train: Int[Tensor, " N"]
    valid: Int[Tensor, " M"]


def help_paragraphs() -> list[str]:
    """Python's help by topic, in alphabetical order: each paragraph with its spaces made single."""
    from pydoc_data.topics import topics

    whole = "\n\n".join(topics[name] for name in sorted(topics))
    return [" ".join(p.split()) for p in re.split(r"\n\s*\n", whole) if p.strip()]


def python_help(size: int = 1000) -> TextData:
    """Python's help as tokens; of every hundred paragraphs, ten in a row are for validation.

    Args:
        size: of the vocabulary, whose words are counted in the training paragraphs; its
            characters come from all of them.
    """
    paragraphs = help_paragraphs()
    train = "\n".join(p for i, p in enumerate(paragraphs) if i % 100 < 90)
    valid = "\n".join(p for i, p in enumerate(paragraphs) if i % 100 >= 90)
    missing = "".join(sorted(set(valid) - set(train)))
    vocabulary = TextVocabulary(train + missing, size)
    return TextData(vocabulary, *(torch.tensor(vocabulary.encode(t)) for t in (train, valid)))


def batches(
    tokens: Int[Tensor, " N"], batch: int, length: int, *, generator: torch.Generator
) -> Iterator[tuple[Int[Tensor, "B T"], Int[Tensor, "B T"]]]:
    """Endless random pieces of a text: inputs (B, T), and the same moved by one as targets."""
    if len(tokens) <= length:
        raise ValueError(f"a text of {len(tokens)} tokens has no piece of {length} and one more.")
    while True:
        starts = torch.randint(len(tokens) - length, (batch, 1), generator=generator)
        pieces = tokens[starts + torch.arange(length + 1)]
        yield pieces[:, :-1], pieces[:, 1:]


def next_token_loss(model: nn.Module, inputs: Tensor, targets: Tensor) -> Tensor:
    """−log p(target), the mean over all positions; `model(inputs)` returns (logits, …)."""
    logits = model(inputs)[0]
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


@torch.no_grad()
def text_loss(
    model: nn.Module, tokens: Int[Tensor, " N"], *, length: int, pieces: int = 64
) -> float:
    """The mean loss on `pieces` pieces spread evenly over a text, in evaluation mode."""
    device = next(model.parameters()).device
    starts = torch.linspace(0, len(tokens) - length - 1, pieces).long()[:, None]
    chosen = tokens[starts + torch.arange(length + 1)].to(device)
    with evaluating(model):
        parts = [next_token_loss(model, p[:, :-1], p[:, 1:]).item() for p in chosen.split(16)]
    return sum(parts) / len(parts)


def train_language_model(
    model: nn.Module,
    data: TextData,
    *,
    steps: int = 300,
    batch: int = 16,
    length: int = 64,
    learning_rate: float = 3e-3,
    seed: int = 0,
) -> tuple[nn.Module, list[dict[str, int | float]]]:
    """Train a model to say the next token, with Adam, a short warm-up and a fall to zero.

    Args:
        model: returns (logits (B, T, V), …), as `LanguageModel`; it is trained in place.
        data: what `python_help` returns.
        steps: how many batches.
        batch, length: pieces in a batch, tokens in a piece.
        learning_rate: the highest one.
        seed: of the pieces that are drawn.

    Returns:
        The model and its history, ten times and at the end: step, train (the mean loss since the
        last time) and valid.
    """
    device = next(model.parameters()).device
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, learning_rate, steps, pct_start=0.1)
    pieces = batches(data.train, batch, length, generator=torch.Generator().manual_seed(seed))
    history, losses = [], []
    model.train()
    for step in range(1, steps + 1):
        inputs, targets = next(pieces)
        loss = next_token_loss(model, inputs.to(device), targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if step % max(1, steps // 10) == 0 or step == steps:
            valid = text_loss(model, data.valid, length=length)
            history.append({"step": step, "train": sum(losses) / len(losses), "valid": valid})
            losses = []
    return model, history
