"""A translator that learns to align: corpus with gold links, model, training, metrics.

`ParallelCorpus` makes sentence pairs whose alignments are known, `train` turns them into a
`Translator`, and the metrics say how well it translates and aligns.
"""

from course_lib.translation.corpus import Pair, ParallelCorpus
from course_lib.translation.metrics import (
    LengthScore,
    alignment_error_rate,
    alignment_precision,
    alignment_recall,
    bleu,
    bleu_by_length,
    hard_links,
)
from course_lib.translation.model import Seq2Seq
from course_lib.translation.training import train
from course_lib.translation.translator import Translation, Translator
from course_lib.translation.vocabulary import Batch, Vocabulary, make_batch, make_batches, pad

__all__ = [
    "Batch",
    "LengthScore",
    "Pair",
    "ParallelCorpus",
    "Seq2Seq",
    "Translation",
    "Translator",
    "Vocabulary",
    "alignment_error_rate",
    "alignment_precision",
    "alignment_recall",
    "bleu",
    "bleu_by_length",
    "hard_links",
    "make_batch",
    "make_batches",
    "pad",
    "train",
]
