"""How good is a translation, and how right an alignment."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

Links = set[tuple[int, int]]


class LengthScore(NamedTuple):
    """BLEU over the sentences whose source has `low` to `high` words, both included."""

    low: int
    high: int
    count: int
    bleu: float


def bleu(translations: Sequence, references: Sequence[Sequence[str]]) -> float:
    """Corpus BLEU from 0 to 100, by sacreBLEU, over the words as they are.

    translations, references: one sentence each, as a list of words (or a Translation).
    Raises ValueError when their numbers differ or there is none.
    Papineni et al. (2002); Post (2018).
    """
    import sacrebleu

    if len(translations) != len(references) or not references:
        raise ValueError(
            f"BLEU needs one reference for each translation and at least one of them, got "
            f"{len(translations)} translations and {len(references)} references."
        )
    hypotheses = [" ".join(getattr(t, "words", t)) for t in translations]
    answers = [" ".join(reference) for reference in references]
    return sacrebleu.corpus_bleu(hypotheses, [answers], tokenize="none", force=True).score


def bleu_by_length(pairs: Sequence, translations: Sequence, width: int = 5) -> list[LengthScore]:
    """BLEU apart for short and long sentences: one score for every `width` source words.

    pairs: the gold pairs.  translations: of their sources, in the same order.
    Returns the scores of the lengths that occur, short to long.
    Raises ValueError when the numbers differ or `width` is below 1.
    """
    if width < 1:
        raise ValueError(f"width must be at least 1 word, got {width}.")
    if len(pairs) != len(translations):
        raise ValueError(f"got {len(pairs)} pairs but {len(translations)} translations.")
    bins: dict[int, list[int]] = {}
    for i, pair in enumerate(pairs):
        bins.setdefault((len(pair.source) - 1) // width, []).append(i)
    return [
        LengthScore(
            b * width + 1,
            (b + 1) * width,
            len(members),
            bleu([translations[i] for i in members], [pairs[i].target for i in members]),
        )
        for b, members in sorted(bins.items())
    ]


def hard_links(weights: Sequence | np.ndarray, threshold: float | None = None) -> Links:
    """The (target, source) links that attention weights (T, S) propose.

    threshold: None takes the largest weight of each row, ties to the left; a number takes every
        weight that reaches it.
    """
    weights = np.asarray(weights)
    if threshold is None:
        return {(t, int(s)) for t, s in enumerate(weights.argmax(axis=1))}
    return {(int(t), int(s)) for t, s in np.argwhere(weights >= threshold)}


def alignment_precision(
    predicted: Links | Iterable[Links], possible: Links | Iterable[Links]
) -> float:
    """|A ∩ P| / |A|: the share of predicted links that are possible; 1.0 without predictions."""
    predicted, possible = _pool(predicted), _pool(possible)
    return len(predicted & possible) / len(predicted) if predicted else 1.0


def alignment_recall(predicted: Links | Iterable[Links], sure: Links | Iterable[Links]) -> float:
    """|A ∩ S| / |S|: the share of sure links that were predicted; 1.0 without sure links."""
    predicted, sure = _pool(predicted), _pool(sure)
    return len(predicted & sure) / len(sure) if sure else 1.0


def alignment_error_rate(
    predicted: Links | Iterable[Links],
    sure: Links | Iterable[Links],
    possible: Links | Iterable[Links] | None = None,
) -> float:
    """How far predicted links A are from the gold ones, 0 being right and 1 wrong.

        AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)

    predicted, sure, possible: a set of (target index, source index) for one sentence, or a list of
        sets, one per sentence, pooled before dividing. `possible` (S ⊆ P) defaults to `sure`.
    Returns 0.0 when predicted and sure are both empty.
    Och & Ney (2003), section 2.
    """
    predicted, sure = _pool(predicted), _pool(sure)
    possible = sure if possible is None else sure | _pool(possible)
    if not predicted and not sure:
        return 0.0
    return 1 - (len(predicted & sure) + len(predicted & possible)) / (len(predicted) + len(sure))


def _pool(links: Links | Iterable[Links]) -> set:
    """One sentence's links, or those of many with the sentence's number in front."""
    if isinstance(links, set | frozenset):
        return {(0, *link) for link in links}
    return {(i, *link) for i, sentence in enumerate(links) for link in sentence}
