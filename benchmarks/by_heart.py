"""What a translator has learned by heart, and what it can do with a new sentence.

    python -m benchmarks by_heart            # or with other numbers of pairs: 1000 16000

The runs of the bottleneck's page (`bottleneck.SETTINGS`) on its 4,000 pairs. Without attention each
run reads 160,000 sentences, 40 epochs, with it 12,000, three epochs, whatever the number of
different ones.
`by_heart.csv` has, for each run, BLEU and the share of exact translations of 100 sentences of 11 to
13 words that it was trained on, and of 100 that it was not. `by_heart_probe.csv` has the share of
new sentences in which a word can be read off the last state of the runs without attention on 4,000
pairs, by least squares, as on the page.
"""

import sys

import torch
from torch.nn.functional import one_hot

from benchmarks.bottleneck import PAIRS, SETTINGS, TRAINED
from benchmarks.measure import merge
from benchmarks.training import trained
from course_lib.translation import Pair, ParallelCorpus, Translator, bleu

READ = {"none": 160_000, "additive": 12_000}  # sentences in all
SEEDS = (0, 1, 2)
WORDS, TEST_PAIRS = (11, 12, 13), 100
LENGTH, RIDGE = 12, 1.0  # of the probe


def said(translator: Translator, pairs: list[Pair]) -> dict[str, float]:
    """BLEU, and the share of translations that are exactly the corpus's."""
    found = translator.translate([pair.source for pair in pairs])
    right = sum(new.words == pair.target for new, pair in zip(found, pairs, strict=True))
    score = bleu(found, [pair.target for pair in pairs])
    return {"bleu": round(score, 1), "right": round(right / len(pairs), 3)}


@torch.no_grad()
def last_states(translator: Translator, split: str, count: int) -> tuple[torch.Tensor, ...]:
    """The state after 12 words, with a 1 for the bias: (n, d + 1); the words read: (n, 12)."""
    pairs = ParallelCorpus().pairs(count, (2, 2), split)
    read = [pair.source[:LENGTH] for pair in pairs if len(pair.source) >= LENGTH]
    words = torch.tensor([translator.source.encode(sentence) for sentence in read])
    memory = translator.model.encode(words, torch.full((len(words),), LENGTH)).memory
    states = memory[:, -1]
    return torch.cat([states, torch.ones(len(states), 1)], -1), words


def readable(translator: Translator) -> torch.Tensor:
    """The share of new sentences in which each of the 12 words is read off the last state."""
    x, words = last_states(translator, "train", 4000)
    new, wanted = last_states(translator, "test", 1000)
    targets = one_hot(words, len(translator.source)).float().flatten(1)
    matrix = torch.linalg.solve(x.T @ x + RIDGE * torch.eye(x.shape[1]), x.T @ targets)
    guess = (new @ matrix).view(len(new), LENGTH, -1).argmax(-1)
    return (guess == wanted).float().mean(0)


def main() -> None:
    corpus = ParallelCorpus()
    new = [p for p in corpus.pairs(1000, TRAINED, "test") if len(p.source) in WORDS]
    for size in map(int, sys.argv[1:] or [PAIRS]):
        pairs = corpus.pairs(size, TRAINED)
        known = [pair for pair in pairs if len(pair.source) in WORDS]
        for kind, read in READ.items():
            for seed in SEEDS:
                epochs = max(1, round(read / size))
                translator, run = trained(pairs, kind, epochs=epochs, seed=seed, **SETTINGS)
                run = {"attention": kind, "pairs": size, "epochs": epochs, "seed": seed} | run
                rows = [
                    run | {"split": split} | said(translator, some[:TEST_PAIRS])
                    for split, some in (("train", known), ("test", new))
                ]
                merge("by_heart", rows, ("attention", "pairs", "epochs", "seed", "split"))
                if (kind, size) == ("none", PAIRS):
                    shares = enumerate(readable(translator).tolist(), 1)
                    rows = [{"epochs": epochs, "seed": seed, "word": word, "read": round(share, 3)}
                            for word, share in shares]  # fmt: skip
                    merge("by_heart_probe", rows, ("epochs", "seed", "word"))
