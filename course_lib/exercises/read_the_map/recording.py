"""Where the maps of lab 4 come from: the additive translator of the page on reading alignments.

    python -m course_lib.exercises.read_the_map.recording

trains it and prints what `recorded.py` holds. Another processor rounds differently and prints
slightly other numbers; so the lab keeps one recording, and a map is the same on every machine.
"""

from collections.abc import Sequence

import numpy as np
import torch

from course_lib.translation import Pair, ParallelCorpus, Translator, make_batch, train

SENTENCE = "a happy dog sat near the house"
ANOTHER = "the queen never stood near the garden"  # with as many words, here and in French
WIDTH = 10  # rows: nine French words and <end>; columns: seven English words and three paddings


def record(pairs: int = 2000, epochs: int = 6) -> dict[str, np.ndarray]:
    """Train a translator and return its weights, each (WIDTH, WIDTH) and rounded to hundredths.

    "trained", "untrained": on `SENTENCE`, after training and before.
    "padding_read": trained, on `SENTENCE`; neither encoder nor softmax is told where it ends.
    "another": trained, on `ANOTHER`.
    "mean": trained, the mean over all held-out sentences that are no longer, each filled up with
        zeros.
    """
    corpus = ParallelCorpus(seed=0)
    train_pairs = corpus.pairs(pairs, clauses=(1, 2))
    held_out = corpus.pairs(400, clauses=(1, 2), split="test")
    by_source = {" ".join(pair.source): pair for pair in held_out}
    settings = {"batch_size": 32, "learning_rate": 8e-3, "hidden_dim": 64, "embedding_dim": 32}
    settings["progress"] = False
    before = train(train_pairs, "additive", epochs=0, **settings)
    after = train(train_pairs, "additive", epochs=epochs, **settings)
    maps = {
        "trained": weights_of(after, by_source[SENTENCE]),
        "untrained": weights_of(before, by_source[SENTENCE]),
        "padding_read": weights_of(after, by_source[SENTENCE], told=WIDTH),
        "another": weights_of(after, by_source[ANOTHER]),
        "mean": mean_of(after, held_out),
    }
    return {name: weights.round(2) for name, weights in maps.items()}


@torch.no_grad()
def weights_of(translator: Translator, pair: Pair, told: int | None = None) -> np.ndarray:
    """The weights (T + 1, WIDTH) while the decoder reads the true target; the last row chose <end>.

    `told` is how many words the model is told the source has, if that is not the truth.
    """
    model = translator.model.eval()
    batch = make_batch([pair], translator.source, translator.target)
    source = torch.nn.functional.pad(batch.source, (0, WIDTH - batch.source.shape[1]))
    state = model.encode(source, batch.lengths if told is None else torch.tensor([told]))
    rows = []
    for token in batch.inputs.T:
        _, state, weights = model.decoder.step(token, state)
        rows.append(weights[0])
    return torch.stack(rows).double().numpy()


def mean_of(translator: Translator, pairs: Sequence[Pair]) -> np.ndarray:
    """The mean map of all pairs that fit into (WIDTH, WIDTH)."""
    total, count = np.zeros((WIDTH, WIDTH)), 0
    for pair in pairs:
        if len(pair.source) <= WIDTH and len(pair.target) < WIDTH:
            weights = weights_of(translator, pair)
            total[: len(weights)] += weights
            count += 1
    return total / count


if __name__ == "__main__":
    for name, weights in record().items():
        rows = ["    [" + ", ".join(f"{w:.2f}" for w in row) + "]," for row in weights]
        print(f"{name.upper()} = [", *rows, "]", sep="\n")
