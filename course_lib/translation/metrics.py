"""How good is a translation, and how right an alignment."""

from collections import namedtuple
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from course_lib.translation.sentences import sentences_of, words_of
from course_lib.translation.vocabulary import need_pairs
from course_lib.validation.arguments import integer, number

Links = set[tuple[int, int]]


class LengthScore(namedtuple("LengthScore", "low high count bleu")):
    """BLEU over the sentences whose source has `low` to `high` words, both included."""


def bleu(translations: Iterable, references: Iterable[Sequence[str]]) -> float:
    """Corpus BLEU from 0 to 100, by sacreBLEU, over the words as they are.

    Args:
        translations, references: one sentence each, as a list of words (or a Translation).

    Raises:
        ValueError: when their numbers differ or there is none.
        TypeError: for a string where a list of words belongs, as its letters would be taken for
            words, and for words that are no strings, such as numbers or several references.

    A perfect translation of two words has no common 4-gram, and the plain product of precisions is
    0: so say tools that neither smooth nor leave anything out. Here, where no translation has four
    words, the n-grams that are too long are left out (sacreBLEU's `effective_order`), and a perfect
    short sentence scores 100. A corpus with longer ones and no common 4-gram gets a small number
    above 0 by sacreBLEU's default smoothing, "exp". On the command line `effective_order` is off,
    so a corpus of short sentences gets another number there.

    Papineni et al. (2002), "BLEU: a method for automatic evaluation of machine translation",
    https://aclanthology.org/P02-1040; Post (2018), "A call for clarity in reporting BLEU scores",
    https://aclanthology.org/W18-6319.
    """
    from sacrebleu.metrics.bleu import BLEU

    translations = sentences_of(translations, "translations")
    references = sentences_of(references, "references")
    if len(translations) != len(references) or not references:
        raise ValueError(
            f"BLEU needs one reference for each translation and at least one of them, got "
            f"{len(translations)} translations and {len(references)} references."
        )
    numbers: dict[str, str] = {}  # in place of the words, which may hold a space

    def text(sentence: Any, name: str) -> str:
        return " ".join(numbers.setdefault(w, str(len(numbers))) for w in words_of(sentence, name))

    hypotheses = [text(t, f"translation {i}") for i, t in enumerate(translations)]
    answers = [text(r, f"reference {i}") for i, r in enumerate(references)]
    metric = BLEU(tokenize="none", force=True, effective_order=True)
    return min(metric.corpus_score(hypotheses, [answers]).score, 100.0)  # but for rounding


def bleu_by_length(pairs: Sequence, translations: Iterable, width: int = 5) -> list[LengthScore]:
    """BLEU apart for short and long sentences: one score for every `width` source words.

    Args:
        pairs: the gold pairs.
        translations: of their sources, in the same order.

    Returns:
        The scores of the lengths that occur, short to long.

    Raises:
        ValueError: when the numbers differ, `width` is below 1, or a source has no words.
    """
    width = integer("width", width, 1)
    need_pairs(pairs)
    translations = sentences_of(translations, "translations")
    if len(pairs) != len(translations):
        raise ValueError(f"got {len(pairs)} pairs but {len(translations)} translations.")
    bins: dict[int, list[int]] = {}
    for i, pair in enumerate(pairs):
        if not words_of(pair.source, f"the source of pair {i}"):
            raise ValueError(f"pair {i} has an empty source, which has no length to count.")
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


def hard_links(weights: Any, threshold: float | None = None) -> Links:
    """The (target, source) links that attention weights (T, S) propose.

    Args:
        weights: of one sentence, an array, a tensor or lists; of several heads their mean.
        threshold: None takes the largest weight of each row, ties to the left; a number takes every
            weight that reaches it. A row of zeros looks nowhere (a local window beyond the
            sentence) and proposes nothing.

    Raises:
        ValueError: for weights that are not (T, S), such as those of all heads, or not finite.
    """
    if hasattr(weights, "detach"):  # a tensor, which may have half precision and a gradient
        weights = weights.detach().cpu().double().numpy()
    weights = np.asarray(weights, dtype=float)
    if threshold is not None:
        threshold = number("threshold", threshold)
    if weights.ndim != 2:
        raise ValueError(
            f"weights must be (T, S), those of one sentence, got shape {weights.shape}. Take one "
            "sentence, and of several heads their mean."
        )
    if not np.isfinite(weights).all():
        raise ValueError("weights must be finite, and these hold NaN or an infinity.")
    if threshold is None:
        return {(t, int(row.argmax())) for t, row in enumerate(weights) if row.any()}
    return {(int(t), int(s)) for t, s in np.argwhere(weights >= threshold)}


def alignment_precision(
    predicted: Links | Iterable[Links], possible: Links | Iterable[Links]
) -> float:
    """`|A ∩ P| / |A|`: the share of predicted links that are possible; 1.0 without predictions."""
    predicted, possible = _pool(predicted=predicted, possible=possible)
    return len(predicted & possible) / len(predicted) if predicted else 1.0


def alignment_recall(predicted: Links | Iterable[Links], sure: Links | Iterable[Links]) -> float:
    """`|A ∩ S| / |S|`: the share of sure links that were predicted; 1.0 without sure links."""
    predicted, sure = _pool(predicted=predicted, sure=sure)
    return len(predicted & sure) / len(sure) if sure else 1.0


def alignment_error_rate(
    predicted: Links | Iterable[Links],
    sure: Links | Iterable[Links],
    possible: Links | Iterable[Links] | None = None,
) -> float:
    """How far predicted links A are from the gold ones, 0 being right and 1 wrong.

        AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)

    Args:
        predicted, sure, possible: a set of (target index, source index) for one sentence, or a list
            of sets, one per sentence, pooled before dividing. `possible` (S ⊆ P) defaults to
            `sure`. Aligners such as fast_align and eflomal write a link as `i-j` (the Pharaoh
            format), source first: turn it round, {(j, i), …}. Some gold files count from 1:
            subtract it from both, or perfect links are counted as wrong.

    Returns:
        0.0 when predicted and sure are both empty.

    Raises:
        ValueError: for lists of different lengths, and for one sentence beside a list of them.
        TypeError: for links that are no pairs of integers, and a list of links in place of a set.

    Och & Ney (2003), "A systematic comparison of various statistical alignment models",
    https://aclanthology.org/J03-1002, section 2.
    """
    if possible is None:
        predicted, sure = _pool(predicted=predicted, sure=sure)
        possible = sure
    else:
        predicted, sure, possible = _pool(predicted=predicted, sure=sure, possible=possible)
        possible = possible | sure
    if not predicted and not sure:
        return 0.0
    return 1 - (len(predicted & sure) + len(predicted & possible)) / (len(predicted) + len(sure))


def _pool(**given: Links | Iterable[Links]) -> list[set]:
    """Each argument as one set, the number of the sentence in front of each of its links."""
    lists = {name: _by_sentence(name, links) for name, links in given.items()}
    (first, wanted), *others = lists.items()
    for name, sentences in others:
        if len(sentences) != len(wanted):
            raise ValueError(
                f"{first} has the links of {len(wanted)} sentences and {name} of {len(sentences)}; "
                "give one set of links for each sentence."
            )
    return [
        {(i, *link) for i, links in enumerate(sentences) for link in links}
        for sentences in lists.values()
    ]


def _by_sentence(name: str, given: Any) -> list[Links]:
    """A set of pairs of Python's integers for each sentence: a tensor of one integer equals none
    in a set."""
    sentences = [given] if isinstance(given, set | frozenset) else given
    if isinstance(sentences, str) or not isinstance(sentences, Iterable):
        raise TypeError(f"{name} must be a set of links, or a list of sets, got {given!r}.")
    found = []
    for i, links in enumerate(sentences):
        if not isinstance(links, set | frozenset):
            raise TypeError(
                f"{name} must be a set of links for each sentence, {{(target, source), …}}, but of "
                f"sentence {i} it is {links!r}."
            )
        found.append({_link(link, name, i) for link in links})
    return found


def _link(link: Any, name: str, i: int) -> tuple[int, int]:
    try:
        target, source = link
    except (TypeError, ValueError):
        raise TypeError(
            f"a link of {name} is (target index, source index), but sentence {i} has {link!r}."
        ) from None
    place = f"an index in {name} of sentence {i}"
    return integer(place, target, 0), integer(place, source, 0)
