"""A trained translator: words in, words and attention weights out; saved and loaded."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from course_lib.generation import beam_search, evaluating, greedy_search
from course_lib.translation.corpus import Pair
from course_lib.translation.model import Seq2Seq
from course_lib.translation.sentences import words_of
from course_lib.translation.vocabulary import (
    END,
    PAD,
    START,
    Vocabulary,
    check_pairs,
    make_batch,
    need_pairs,
    pad,
)
from course_lib.validation.arguments import integer

FORMAT = "course_lib.translation 4"


class Translation(NamedTuple):
    """The translated words, and how much each attended to each source word.

    Args:
        weights: (len(words), len(source)), or None without attention. Rows sum to 1: what a step
            gave to the source's <end> is shared out among the words. Local weights stay as Luong's
            Gaussian left them, so their rows sum to less.
    """

    words: list[str]
    weights: np.ndarray | None


class Translator:
    """A model with its two vocabularies. `train` makes one.

    Args:
        model: the `Seq2Seq`.
        source, target: the vocabularies.
        settings: what `train` was given.
        history: what training saw, see `train`.
    """

    def __init__(
        self, model: Seq2Seq, source: Vocabulary, target: Vocabulary, settings: dict | None = None
    ) -> None:
        self.model, self.source, self.target = model, source, target
        self.settings = dict(settings or {})
        self.history: dict[str, list[float]] = {"loss": [], "grad_norm": [], "epoch_loss": []}

    @torch.no_grad()
    def translate(
        self,
        sources: Sequence[str | Sequence[str]],
        beam: int = 1,
        *,
        max_length: int | None = None,
        batch_size: int = 256,
    ) -> list[Translation]:
        """Translate sentences: lists of words, or strings with a space between words.

        A word outside the vocabulary is read as <unk> (`source.encode` shows which).

        Args:
            beam: 1 is greedy; more keeps that many beginnings.
            max_length: stops a translation that does not end; by default each at 2 × the words of
                its source + 10, so that none depends on its neighbours.

        Raises:
            ValueError: for a sentence without words, and a beam, max_length or batch_size below 1.
            TypeError: for a string where a list of sentences belongs.
        """
        if isinstance(sources, str) or not isinstance(sources, Iterable):
            raise TypeError(f"sources must be a list of sentences; write [{sources!r}].")
        beam, batch_size = integer("beam", beam, 1), integer("batch_size", batch_size, 1)
        max_length = None if max_length is None else integer("max_length", max_length, 1)
        sentences = [
            s.split() if isinstance(s, str) else words_of(s, f"sentence {i}")
            for i, s in enumerate(sources)
        ]
        for i, sentence in enumerate(sentences):
            if not sentence:
                raise ValueError(f"sentence {i} has no words; there is nothing to translate.")
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        found: dict[int, Translation] = {}
        for start in range(0, len(order), batch_size):
            chunk = order[start : start + batch_size]
            results = self._batch([sentences[i] for i in chunk], beam, max_length)
            found.update(zip(chunk, results, strict=True))
        return [found[i] for i in range(len(sentences))]

    def _batch(
        self, sentences: list[list[str]], beam: int, max_length: int | None
    ) -> list[Translation]:
        source, lengths = pad([self.source.encode(s) for s in sentences])
        device = self.model.device
        source, lengths = source.to(device), lengths.to(device)
        limits = [2 * len(s) + 10 if max_length is None else max_length for s in sentences]
        tokens = torch.full((len(source),), START, device=device)
        special = {"end": END, "forbidden": (PAD, START)}
        with evaluating(self.model):
            state = self.model.encode(source, lengths)
            if beam == 1:
                ids, weights = greedy_search(self.model, tokens, state, limits, **special)
            else:
                ids, weights = beam_search(self.model, tokens, state, limits, beam, **special)
        return [
            Translation(
                self.target.decode(row), self._rows(weights, i, len(row), len(sentences[i]))
            )
            for i, row in enumerate(ids)
        ]

    @torch.no_grad()
    def align(self, pairs: Sequence[Pair], batch_size: int = 256) -> list[np.ndarray]:
        """The weights (len(target), len(source)) when the decoder reads the gold target.

        So they can be compared with gold links, whatever the model would have written itself.

        Raises:
            ValueError: for a model without attention, and for a pair with an empty sentence.
            TypeError: for a string where a list of words belongs.
        """
        batch_size = integer("batch_size", batch_size, 1)
        need_pairs(pairs)
        if len(pairs):
            check_pairs(pairs)
        if self.model.decoder.attention is None:
            raise ValueError("this translator was trained without attention: it has no weights.")
        found = []
        for start in range(0, len(pairs), batch_size):
            chunk = pairs[start : start + batch_size]
            batch = make_batch(chunk, self.source, self.target).to(self.model.device)
            with evaluating(self.model):
                _, weights = self.model(batch.source, batch.lengths, batch.inputs)
            found += [
                self._rows(weights, i, len(p.target), len(p.source)) for i, p in enumerate(chunk)
            ]
        return found

    def save(self, path: str | Path) -> None:
        """Write the model, its vocabularies, settings and history to one file."""
        torch.save(self.content(), path)

    @classmethod
    def load(cls, path: str | Path, device: torch.device | str = "cpu") -> "Translator":
        """Read a translator from `save` or from a checkpoint of `train`.

        Raises:
            ValueError: for a file that is neither.
        """
        content = read_checkpoint(path)
        source = Vocabulary.from_words(content["source_words"])
        target = Vocabulary.from_words(content["target_words"])
        model = Seq2Seq(len(source), len(target), **content["config"])
        model.load_state_dict(content["model"])
        translator = cls(model.to(device).eval(), source, target, content["settings"])
        translator.history = content["history"]
        return translator

    def content(self) -> dict:
        """What a checkpoint holds of the translator: plain values and tensors."""
        return {
            "format": FORMAT,
            "config": self.model.config,
            "settings": self.settings,
            "source_words": self.source.words,
            "target_words": self.target.words,
            "history": self.history,
            "model": self.model.state_dict(),
        }

    def check_same(self, content: dict, path: str | Path) -> None:
        """Refuse a checkpoint of another run; the message names the first field that differs."""
        here = self.content()
        for field in ("settings", "config"):
            for name in sorted(here[field].keys() | content[field].keys()):
                old, new = content[field].get(name), here[field].get(name)
                if old != new:
                    raise ValueError(
                        f"the checkpoint {path} was trained with {name}={old!r}, this run has "
                        f"{name}={new!r}. Use the same settings or another file."
                    )
        for field in ("source_words", "target_words"):
            if here[field] != content[field]:
                raise ValueError(
                    f"the checkpoint {path} has other {field} than these pairs: "
                    f"{len(content[field])} against {len(here[field])}. Use the same pairs."
                )

    def _rows(self, weights: torch.Tensor | None, i: int, T: int, S: int) -> np.ndarray | None:
        """The weights of one sentence, without padding and <end>."""
        if weights is None:
            return None
        rows = weights[i, :T, :S]
        if not self.model.config["attention"].startswith("local"):
            rows = rows / rows.sum(-1, keepdim=True).clamp_min(torch.finfo(rows.dtype).tiny)
        return rows.cpu().numpy()


def read_checkpoint(path: str | Path) -> dict:
    """Read a file of `Translator.save` or `train`; a ValueError says if it is something else."""
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except OSError:
        raise
    except Exception as error:  # torch has no error of its own for a file that is something else
        raise ValueError(f"{path} is not a checkpoint: it cannot be read.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f"{path} is not a checkpoint of this version: its format is not {FORMAT}.")
    return content
