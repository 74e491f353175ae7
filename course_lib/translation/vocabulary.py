"""Words to numbers, and sentences to padded batches."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_lib.translation.corpus import Pair
from course_lib.translation.sentences import words_of
from course_lib.validation.arguments import integer, integers
from course_lib.validation.choices import check_generator

PAD, UNK, START, END = range(4)
SPECIALS = ("<pad>", "<unk>", "<start>", "<end>")


class Vocabulary:
    """The words a model knows, by number; 0–3 are <pad>, <unk>, <start> and <end>.

    Args:
        sentences: lists of the words to learn, most frequent first; rarer than `min_count` becomes
            <unk>.

    Raises:
        TypeError: for a string where a list of words belongs.
    """

    def __init__(self, sentences: Iterable[Sequence[str]], min_count: int = 1) -> None:
        min_count = integer("min_count", min_count, 1)
        if isinstance(sentences, str) or not isinstance(sentences, Iterable):
            raise TypeError(f"sentences must be lists of words, got {sentences!r}.")
        counts: Counter[str] = Counter()
        for i, sentence in enumerate(sentences):
            counts.update(words_of(sentence, f"sentence {i}"))
        kept = sorted(
            (w for w, n in counts.items() if n >= min_count and w not in SPECIALS),
            key=lambda w: (-counts[w], w),
        )
        self._set([*SPECIALS, *kept])

    @classmethod
    def from_words(cls, words: Sequence[str]) -> "Vocabulary":
        """The vocabulary whose `words` these are, in this order.

        Raises:
            ValueError: for words that do not begin with the four special ones, or occur twice.
        """
        vocabulary, words = cls([]), words_of(words, "the vocabulary")
        if tuple(words[:4]) != SPECIALS or len(set(words)) != len(words):
            raise ValueError(
                f"words must be {', '.join(SPECIALS)} and then each word once, got {words[:6]}."
            )
        vocabulary._set(words)
        return vocabulary

    def _set(self, words: list[str]) -> None:
        self.words = words
        self._ids = {word: i for i, word in enumerate(words)}

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def encode(self, words: Sequence[str]) -> list[int]:
        """The numbers of a sentence's words; an unknown word gets the number of <unk>.

        So does a word of a text that looks like a special one: it ends or pads nothing.

        Raises:
            TypeError: for a string in place of a list of words.
        """
        found = (self._ids.get(word, UNK) for word in words_of(words, "the sentence"))
        return [i if i >= len(SPECIALS) else UNK for i in found]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The words up to <end>; an unknown word shows as <unk>, <pad> and <start> are skipped.

        Raises:
            TypeError: for a number that is no integer.
            ValueError: for one that no word has.
        """
        words = []
        for i in integers("ids", ids, 0):
            if i >= len(self.words):
                raise ValueError(f"there is no word {i}: the vocabulary has {len(self.words)}.")
            if i == END:
                break
            if i not in (PAD, START):
                words.append(self.words[i])
        return words


class Batch(NamedTuple):
    """Sentences padded on the right; `inputs` begin with <start>, `labels` end with <end>."""

    source: Tensor  # (B, S)
    lengths: Tensor  # (B,)
    inputs: Tensor  # (B, T)
    labels: Tensor  # (B, T)

    def to(self, device: torch.device) -> "Batch":
        return Batch(*(tensor.to(device) for tensor in self))


def pad(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Rows of numbers as one (B, longest) tensor filled with <pad>, and their lengths (B,).

    Both are on the CPU. A TypeError names a number that is no integer, a ValueError no rows.
    """
    if isinstance(rows, str) or not isinstance(rows, Iterable):
        raise TypeError(f"rows must be lists of integers, got {rows!r}.")
    rows = [integers(f"rows[{i}]", row) for i, row in enumerate(rows)]
    if not rows:
        raise ValueError("rows must be at least one list of integers, got none.")
    tensors = [torch.tensor(row, dtype=torch.long, device="cpu") for row in rows]
    lengths = torch.tensor([len(row) for row in rows], device="cpu")
    return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=PAD), lengths


def need_pairs(pairs: Sequence[Pair]) -> None:
    """Refuse what is no list of pairs, such as a generator, a string or lists of words."""
    if isinstance(pairs, str) or not isinstance(pairs, Sequence):
        raise TypeError(f"pairs must be a list of Pair(source, target), got {pairs!r}.")
    for i, pair in enumerate(pairs):
        if not (hasattr(pair, "source") and hasattr(pair, "target")):
            raise TypeError(f"pairs must be a list of Pair(source, target); pair {i} is {pair!r}.")


def check_pairs(pairs: Sequence[Pair]) -> None:
    """Refuse no pairs, and a pair whose sentences are not lists of at least one word."""
    need_pairs(pairs)
    if not pairs:
        raise ValueError("there are no pairs.")
    for i, pair in enumerate(pairs):
        for name, sentence in (("source", pair.source), ("target", pair.target)):
            if not words_of(sentence, f"the {name} of pair {i}"):
                raise ValueError(f"pair {i} has an empty {name}: {pair.source} → {pair.target}.")


def make_batch(pairs: Sequence[Pair], source: Vocabulary, target: Vocabulary) -> Batch:
    """One batch for teacher forcing: the decoder reads y_0 … y_n-1 and must say y_1 … y_n."""
    check_pairs(pairs)
    source_ids, lengths = pad([source.encode(pair.source) for pair in pairs])
    ids = [target.encode(pair.target) for pair in pairs]
    inputs, _ = pad([[START, *row] for row in ids])
    labels, _ = pad([[*row, END] for row in ids])
    return Batch(source_ids, lengths, inputs, labels)


def make_batches(
    pairs: Sequence[Pair],
    source: Vocabulary,
    target: Vocabulary,
    batch_size: int,
    generator: torch.Generator | None = None,
) -> list[Batch]:
    """Batches of sentences of like length, so that little of them is padding.

    Args:
        generator: draws the order of the batches, and of equally long sentences; None keeps the
            pairs' order among equals and puts the short first.
    """
    batch_size = integer("batch_size", batch_size, 1)
    need_pairs(pairs)
    check_generator(generator)
    order = list(range(len(pairs)))
    if generator is not None:
        order = torch.randperm(len(pairs), generator=generator).tolist()
    order.sort(key=lambda i: (len(pairs[i].source), len(pairs[i].target)))
    chunks = [order[i : i + batch_size] for i in range(0, len(order), batch_size)]
    if generator is not None:
        shuffled = torch.randperm(len(chunks), generator=generator).tolist()
        chunks = [chunks[i] for i in shuffled]
    return [make_batch([pairs[i] for i in chunk], source, target) for chunk in chunks]
