"""A translator trained for a table: what the run was, and how well it translates."""

import time

from course_lib.translation import Pair, Translator, bleu, train


def trained(
    pairs: list[Pair], attention: str, **settings: object
) -> tuple[Translator, dict[str, object]]:
    """One run with these settings of `train`, and its numbers."""
    start = time.process_time()
    translator = train(pairs, attention, progress=False, **settings)
    return translator, {
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "loss": round(translator.history["epoch_loss"][-1], 3),
        "cpu_seconds": round(time.process_time() - start, 1),
    }


def judged(translator: Translator, pairs: list[Pair]) -> dict[str, float]:
    """The mean length of these sentences, and BLEU of their translations."""
    found = translator.translate([pair.source for pair in pairs])
    return {
        "source_words": round(sum(len(pair.source) for pair in pairs) / len(pairs), 1),
        "bleu": round(bleu(found, [pair.target for pair in pairs]), 1),
    }
