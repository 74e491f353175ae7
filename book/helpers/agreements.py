"""Sentences of twelve words that agree with one another, and a judge of what a model writes.

*the girl who has two red hats says that she likes them*: the subject decides four words (who
*has*, *says*, *she*, *likes*), the count decides two (*hats*, *them*), the others are free.
"""

from collections.abc import Callable

import torch
from jaxtyping import Int
from torch import Tensor, nn

SINGULAR = {"girl": "she", "queen": "she", "boy": "he", "king": "he"}
PRONOUN = SINGULAR | dict.fromkeys(("girls", "queens", "boys", "kings"), "they")
COUNTS = ("one", "two", "three", "four")
LOOKS = ("red", "old", "big", "new", "blue", "small", "cheap", "green")
THINGS = ("hat", "cup", "book", "lamp", "coat", "ball", "bell", "clock")
SAYING = ("say", "think", "know", "hope")
LIKING = ("like", "need", "want", "sell")
CHOICES = (tuple(PRONOUN), COUNTS, LOOKS, THINGS, SAYING, LIKING)
WORDS = sorted(
    {"the", "who", "that", "has", "have", "it", "them", *PRONOUN, *PRONOUN.values()}
    | {*COUNTS, *LOOKS}
    | {word + end for word in THINGS + SAYING + LIKING for end in ("", "s")}
)
NUMBER = {word: i for i, word in enumerate(WORDS)}
MASK, START = len(WORDS), len(WORDS) + 1  # two tokens that are no words
LENGTH = 12


def sentence(
    subject: str, count: str, look: str, thing: str, saying: str, liking: str
) -> list[str]:
    """The twelve words that six choices make."""
    end = "s" if subject in SINGULAR else ""
    things, them = (thing, "it") if count == "one" else (thing + "s", "them")
    begun = ["the", subject, "who", "has" if end else "have", count, look, things]
    return [*begun, saying + end, "that", PRONOUN[subject], liking + end, them]


def right(words: list[str]) -> bool:
    """Whether twelve words are one of the sentences."""
    stems = [word.removesuffix("s") for word in words]
    chosen = (words[1], words[4], words[5], stems[6], stems[7], stems[10])
    known = all(word in kind for word, kind in zip(chosen, CHOICES, strict=True))
    return known and sentence(*chosen) == words


def share_right(texts: Int[Tensor, "N 12"]) -> float:
    """How many of these texts are sentences, as a share."""
    return sum(right(decode(text)) for text in texts) / len(texts)


def encode(words: str | list[str]) -> Int[Tensor, " T"]:
    """The numbers of words; ___ is the mask. Raises KeyError for a word that is in no sentence."""
    words = words.split() if isinstance(words, str) else words
    return torch.tensor([MASK if word == "___" else NUMBER[word] for word in words])


def decode(numbers: Int[Tensor, " T"]) -> list[str]:
    """The words of these numbers; ___ for the mask."""
    return [WORDS[i] if i < MASK else "___" for i in numbers.tolist()]


def draw(count: int, generator: torch.Generator) -> Int[Tensor, "N 12"]:
    """So many sentences, (N, 12); each of the 32,768 is as likely as any other."""
    sizes = [len(kind) for kind in CHOICES]
    picks = [torch.randint(size, (count,), generator=generator).tolist() for size in sizes]
    rows = zip(*picks, strict=True)
    chosen = ([kind[i] for kind, i in zip(CHOICES, row, strict=True)] for row in rows)
    return torch.stack([encode(sentence(*words)) for words in chosen])


def train(
    model: nn.Module,
    loss: Callable[[nn.Module, Tensor, torch.Generator], Tensor],
    texts: Int[Tensor, "N 12"],
    seed: int,
    *,
    steps: int = 300,
    batch: int = 64,
    learning_rate: float = 6e-3,
) -> nn.Module:
    """Train a model in place, with AdamW, a short warm-up and a fall to zero.

    loss(model, batch (B, 12), generator) is the loss of one sentence, the mean over the batch.
    """
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, learning_rate, steps, pct_start=0.1)
    for _ in range(steps):
        chosen = torch.randint(len(texts), (batch,), generator=generator)
        value = loss(model, texts[chosen], generator)
        optimizer.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    return model.eval().requires_grad_(False)
