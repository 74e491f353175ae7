"""The field for a sentence of the reader's own, with the translators of the everyday corpus."""

from collections.abc import Sequence

from book.helpers.everyday import LONGEST, EverydayCorpus
from book.helpers.everyday.models import BITS, load_everyday
from course_lib.figures.moving import own_sentence_figure
from course_lib.figures.moving.figure import Figure

ABOUT = "{n} everyday words, in the present and the past. A word that it has never read, it copies."
SHOWN = 4000  # pairs that say which word may follow which


def everyday_field(
    examples: Sequence[str] = (
        "the black cat sleeps in the garden",
        "what time is it",
        "my sister has a red car",
        "the queen loved the black cat and the dog waited because it was tired",
    ),
) -> Figure:
    """The translator with attention beside the one without, both trained on everyday pairs."""
    with_attention, without = load_everyday("additive"), load_everyday("none")
    return own_sentence_figure(
        {"with attention": with_attention, "without": without},
        examples,
        EverydayCorpus().pairs(SHOWN),
        most=LONGEST,
        about=ABOUT.format(n=len(with_attention.source) - 4),
        offered=5,
        bits=BITS,
    )
