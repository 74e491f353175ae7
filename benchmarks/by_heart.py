"""What a translator has learned by heart, and what it can do with a new sentence.

    python -m benchmarks by_heart            # or with other numbers of pairs: 1000 16000 160000
    python -m benchmarks by_heart wide       # or width, rate, epochs, seeds: 512 0.0025 10 0

The runs of the bottleneck's page (`bottleneck.SETTINGS`) on its 4,000 pairs. Without attention each
run reads 160,000 sentences, 40 epochs, with it 12,000, three epochs, whatever the number of
different ones; with 160,000 no pair is read twice.
`by_heart.csv` has, for each run, BLEU and the share of exact translations of 100 sentences of 11 to
13 words that it was trained on, and of 100 that it was not. `by_heart_probe.csv` has the share of
new sentences in which a word can be read off the last state of the runs without attention on 4,000
pairs, by least squares, as on the page.

`by_heart_wide.csv` has such runs without attention on 4,000 pairs with states of other widths.
`wide` trains 256 numbers for 20 epochs and 512 for ten, since each epoch takes longer: both rates
of RATES with seed 0, of which it chooses one for each width by the loss of 500 pairs of `valid`,
and that one with the other seeds. The committed file has single runs of seed 0 so far, which the
page prints; those at the same rate and for the same epochs differ in the width alone.
"""

import sys

import torch
from torch.nn.functional import one_hot

from benchmarks.bottleneck import PAIRS, SETTINGS, TRAINED
from benchmarks.measure import merge
from benchmarks.training import trained
from course_lib.translation import Pair, ParallelCorpus, Translator, bleu
from course_lib.translation.training import mean_loss
from course_lib.translation.vocabulary import make_batches

READ = {"none": 160_000, "additive": 12_000}  # sentences in all
WIDE = {256: 20, 512: 10}  # epochs for a state of so many numbers
RATES, VALID_PAIRS = (0.005, 0.0025), 500
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


def wide(width: int, rate: float, epochs: int, seed: int) -> float:
    """Train with a wider state, keep its rows, and return its loss on pairs of `valid`."""
    corpus = ParallelCorpus()
    pairs = corpus.pairs(PAIRS, TRAINED)
    settings = SETTINGS | {"hidden_dim": width, "learning_rate": rate}
    translator, run = trained(pairs, "none", epochs=epochs, seed=seed, **settings)
    valid = corpus.pairs(VALID_PAIRS, TRAINED, "valid")
    batches = make_batches(valid, translator.source, translator.target, 256)
    loss = mean_loss(translator.model, batches)
    run = {"hidden_dim": width, "learning_rate": rate, "epochs": epochs, "seed": seed} | run
    run |= {"valid_loss": round(loss, 3)}
    rows = [
        run | {"split": split} | said(translator, some[:TEST_PAIRS])
        for split, some in (("train", of_length(pairs)), ("test", of_length(unseen(corpus))))
    ]
    merge("by_heart_wide", rows, ("hidden_dim", "learning_rate", "epochs", "seed", "split"))
    return loss


def choose_and_repeat() -> None:
    """Both widths: the better rate with seed 0, and that rate with the other seeds."""
    for width, epochs in WIDE.items():
        rate = min(RATES, key=lambda rate: wide(width, rate, epochs, SEEDS[0]))
        for seed in SEEDS[1:]:
            wide(width, rate, epochs, seed)


def of_length(pairs: list[Pair]) -> list[Pair]:
    return [pair for pair in pairs if len(pair.source) in WORDS]


def unseen(corpus: ParallelCorpus) -> list[Pair]:
    return corpus.pairs(1000, TRAINED, "test")


def main() -> None:
    if sys.argv[1:2] == ["wide"]:
        if not sys.argv[2:]:
            return choose_and_repeat()
        width, rate, epochs, *seeds = sys.argv[2:]
        for seed in seeds:
            wide(int(width), float(rate), int(epochs), int(seed))
        return None
    corpus = ParallelCorpus()
    new = of_length(unseen(corpus))
    for size in map(int, sys.argv[1:] or [PAIRS]):
        pairs = corpus.pairs(size, TRAINED)
        known = of_length(pairs)
        for kind, read in READ.items():
            for seed in SEEDS if read >= size else ():
                epochs = round(read / size)
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
