"""How fast the models of `thread.py` write and read, each beside the plain one.

Writing: tokens one by one, batch 1, after a text of 64 and of 1,024 tokens, with the cache and once
without. Reading: a text of 1,024 tokens at once. Weights are random: the time does not depend on
them. Processor time of one core, all models in turns; a pace is that of the plain model's run in
the same turn divided by its own, so above 1 is faster, and its spread is from the quartiles of the
turns.
"""

import random
import statistics
import sys
import time
from contextlib import nullcontext
from functools import partial

import torch

from benchmarks.measure import Contender, merge
from benchmarks.thread import MODELS, PLAIN, computed, in_tiles, new_model, written_out
from book.helpers.text import TextData, python_help
from course_lib.transformer import LanguageModel

LENGTHS, STEPS, ROUNDS = (64, 1024), 16, 25
SAME = {  # the plain model, computed otherwise
    "written out": written_out,
    "flash, in tiles": in_tiles,
}


def models(data: TextData) -> dict[str, LanguageModel]:
    """Those of the thread, and the latent one in its other form."""
    found = {name: new_model(name, data, 0).eval() for name in MODELS}
    name = next(name for name in found if name.startswith("latent"))
    found["latent, absorbed"] = absorbed = new_model(name, data, 0).eval()
    for layer in absorbed.stack.layers:
        attention = layer.self_attention
        attention.forward = partial(attention.forward, absorbed=True)
    return found


def seconds_of(run: Contender) -> float:
    """Processor time of one run."""
    start = time.process_time()
    run()
    return time.process_time() - start


def reading(model: LanguageModel, length: int, how=None) -> float:
    """Seconds a token to read a text at once."""
    text = torch.zeros(1, length, dtype=torch.long)
    with computed(how) if how else nullcontext():
        return seconds_of(lambda: model.prefill(text)) / length


def writing(model: LanguageModel, length: int, how=None) -> float:
    """Seconds a token to go on after a text; the text itself is not counted."""
    word = torch.zeros(1, dtype=torch.long)
    with computed(how) if how else nullcontext():
        _, state = model.prefill(word.expand(1, length))

        def write_on():
            for _ in range(STEPS):
                model.step(word, state)

        return seconds_of(write_on) / STEPS


def writing_without(model: LanguageModel, length: int) -> float:
    """The same without a cache: every token reads the whole text again."""
    text = torch.zeros(1, length + STEPS // 2, dtype=torch.long)  # the mean length on the way
    return seconds_of(lambda: [model(text) for _ in range(2)]) / 2


def contenders(data: TextData) -> dict[tuple[str, str], Contender]:
    """By what is done and by name."""
    found, known = {}, models(data)
    for name, model in known.items():
        table = model.embedding.table
        for length in LENGTHS:
            if table is None or length + STEPS <= table.num_embeddings:
                found[f"write_{length}", name] = partial(writing, model, length)
        if table is None:
            found["read_1024", name] = partial(reading, model, LENGTHS[-1])
    plain = known[PLAIN]
    for name, how in SAME.items():
        for length in LENGTHS:
            found[f"write_{length}", name] = partial(writing, plain, length, how)
        found["read_1024", name] = partial(reading, plain, LENGTHS[-1], how)
    for length in LENGTHS:
        found[f"write_{length}", "without a cache"] = partial(writing_without, plain, length)
    return found


def pace(key: tuple[str, str], seconds: dict[tuple[str, str], list[float]]) -> dict[str, object]:
    """One row: the median over the turns, and the quarter of them that was slower and faster."""
    task, name = key
    turns = zip(seconds[task, PLAIN], seconds[key], strict=True)
    low, middle, high = statistics.quantiles([plain / own for plain, own in turns], n=4)
    median = statistics.median(seconds[key])
    return {
        "task": task,
        "model": name,
        "pace": round(middle, 3),
        "low": round(low, 3),
        "high": round(high, 3),
        "tokens_per_second": f"{1 / median:.3g}",
    }


@torch.no_grad()
def main() -> None:
    runs, names = contenders(python_help(size=2000)), sys.argv[1:]
    if names:  # their rows are replaced
        runs = {key: run for key, run in runs.items() if key[1] in (PLAIN, *names)}
    for run in runs.values():
        run()  # the first allocates and fills caches
    seconds, order, shuffle = {key: [] for key in runs}, list(runs), random.Random(0).shuffle
    for _ in range(ROUNDS):
        shuffle(order)
        for key in order:
            seconds[key].append(runs[key]())
    rows = [pace(key, seconds) for key in runs if not names or key[1] != PLAIN]
    merge("thread_speed", rows, ("task", "model"), rounds=str(ROUNDS))
