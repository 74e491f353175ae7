"""The translators of the field for a reader's own sentence, with attention and without it.

    python -m benchmarks everyday    # both kinds, three seeds each; or: everyday none 0

Both are `train` on the same everyday pairs with the same sizes and the same learning rate. The one
with attention is the book's program of 46 lines (additive scores in Luong's order, an encoder that
reads from the left); the other differs in attention alone and reads all pairs more often, until its
loss on the valid pairs hardly falls. Then both go on for SETTLED epochs with their numbers rounded
to what a page carries: the model computes with the rounded ones, and the exact ones move.

Writes `everyday.csv`, a row per kind, seed and set of sentences, and of each kind the seed whose
loss on the valid pairs lies in the middle into `book/helpers/models/everyday.npz`.
"""

import sys
import time
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy

from benchmarks.measure import merge
from book.helpers.everyday import EverydayCorpus
from book.helpers.everyday.models import BITS, save_everyday
from book.helpers.everyday.reading import words_of
from book.helpers.everyday.sentences import LINKS
from course_lib.figures.moving.parameters import rounded
from course_lib.translation import Pair, Translator, bleu, make_batches, train
from course_lib.translation.training import mean_loss
from course_lib.translation.vocabulary import PAD

SENTENCES = Path(__file__).parent / "first_sentences"
PAIRS, SEEDS = 60_000, (0, 1, 2)
SIZES = {
    "order": "luong",
    "bidirectional": False,
    "embedding_dim": 16,
    "hidden_dim": 48,
    "dropout": 0.0,
}
KINDS = {
    "additive": {"epochs": 16, "learning_rate": 1e-2},
    "none": {"epochs": 32, "learning_rate": 1e-2},
}
BATCH, SETTLED, GENTLE = 128, 4, 2e-3
LENGTHS = ((1, 6), (7, 12), (13, 20))
JOINING = {french.split()[0] for french in LINKS.values()}  # et, mais, parce (que), …


def training_pairs() -> list[Pair]:
    """All pairs, those that are no sentence of the grammar three times."""
    corpus = EverydayCorpus()
    return corpus.pairs(PAIRS) + 2 * corpus.whole()


def settle(translator: Translator, pairs: list[Pair], seed: int) -> Translator:
    """Train on with rounded numbers: what is left in the model are those that a page carries."""
    model = translator.model.train()
    optimizer = torch.optim.Adam(model.parameters(), GENTLE)
    order = torch.Generator().manual_seed(seed)
    words = translator.source, translator.target
    epochs = [make_batches(pairs, *words, BATCH, order) for _ in range(SETTLED)]
    batches = [batch for epoch in epochs for batch in epoch]
    fall = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, len(batches))
    for batch in batches:
        exact = {name: value.clone() for name, value in model.state_dict().items()}
        model.load_state_dict(rounded(exact, BITS))
        logits, _ = model(batch.source, batch.lengths, batch.inputs, need_weights=False)
        loss = cross_entropy(logits.flatten(0, 1), batch.labels.flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        model.load_state_dict(exact)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        fall.step()
    model.load_state_dict(rounded(model.state_dict(), BITS))
    model.eval()
    return translator


def repeats(words: list[str]) -> bool:
    """Whether a run of words stands twice, one behind the other; "nous nous" is French."""
    return any(
        words[i : i + size] == words[i + size : i + 2 * size] != ["nous"]
        for size in range(1, len(words) // 2 + 1)
        for i in range(len(words) - 2 * size + 1)
    )


def clauses(words: list[str]) -> list[list[str]]:
    """The runs of words between the joining ones: of a sentence, or of a list within it."""
    found: list[list[str]] = [[]]
    for word in words:
        if word in JOINING:
            found.append([])
        else:
            found[-1].append(word)
    return found


def first_sentences(half: str) -> list[list[str]]:
    """What people type first, as the field reads it: the half "build" or "kept"."""
    lines = (SENTENCES / f"{half}.txt").read_text(encoding="utf-8").splitlines()
    return [words_of(line) for line in lines]


def measure(kind: str, seed: int) -> tuple[list[dict], Translator]:
    """Train once; a row for each set of sentences."""
    start, pairs, corpus = time.process_time(), training_pairs(), EverydayCorpus()
    valid = corpus.pairs(500, split="valid")

    def report(translator: Translator) -> None:
        told = {
            name: round(translator.history[name][-1], 3) for name in ("epoch_loss", "valid_loss")
        }
        print(
            kind,
            seed,
            len(translator.history["loss"]),
            told,
            round(time.process_time() - start),
            flush=True,
        )

    settings = {**SIZES, **KINDS[kind], "batch_size": BATCH, "patience": 99}
    translator = train(
        pairs, kind, seed=seed, valid=valid, progress=False, on_epoch=report, **settings
    )
    before = min(translator.history["valid_loss"])
    settle(translator, pairs, seed)
    held_out = make_batches(valid, translator.source, translator.target, 256)
    loss = mean_loss(translator.model, held_out)
    run = {
        "kind": kind, "seed": seed, "epochs": KINDS[kind]["epochs"],
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "loss": round(translator.history["epoch_loss"][-1], 4), "valid_loss": round(before, 3),
        "valid_loss_rounded": round(loss, 3), "cpu_seconds": round(time.process_time() - start),
    }  # fmt: skip
    return [run | row for row in judged(translator)], translator


def judged(translator: Translator) -> list[dict]:
    """What it writes for each set of sentences; of a clause whether it stands in its place."""
    test, rows = EverydayCorpus().pairs(600, split="test"), []
    for least, most in LENGTHS:
        some = [p for p in test if least <= len(p.source) <= most]
        told = [list(t.words) for t in translator.translate([p.source for p in some])]
        right = [words == p.target for words, p in zip(told, some, strict=True)]
        parts = [(clauses(words), clauses(p.target)) for words, p in zip(told, some, strict=True)]
        rows.append({
            "sentences": f"{least} to {most} words", "n": len(some),
            "repeat": sum(map(repeats, told)), "right": sum(right),
            "bleu": round(bleu(told, [p.target for p in some]), 1),
            "clauses": sum(len(target) for _, target in parts),
            "clauses_right": sum(a == b for pair in parts for a, b in zip(*pair, strict=False)),
        })  # fmt: skip
    for half in ("build", "kept"):
        some = first_sentences(half)
        told = [list(t.words) for t in translator.translate(some)]
        rows.append({
            "sentences": half, "n": len(some), "repeat": sum(map(repeats, told)),
            "read_whole": sum(all(w in translator.source for w in s) for s in some),
        })  # fmt: skip
    return rows


def main() -> None:
    kinds = [sys.argv[1]] if len(sys.argv) > 1 else list(KINDS)
    seeds = [int(s) for s in sys.argv[2:]] or SEEDS
    folder = Path("_build") / "everyday"
    folder.mkdir(parents=True, exist_ok=True)
    for kind in kinds:
        for seed in seeds:
            rows, translator = measure(kind, seed)
            translator.save(folder / f"{kind}-{seed}.pt")
            merge("everyday", rows, ("kind", "seed", "sentences"))
    found = {kind: sorted(folder.glob(f"{kind}-*.pt")) for kind in KINDS}
    if all(len(paths) == len(SEEDS) for paths in found.values()):
        keep(found)


def keep(found: dict[str, list[Path]]) -> None:
    """Write the run in the middle of each kind, by its loss on the valid pairs, for the pages."""
    valid = EverydayCorpus().pairs(500, split="valid")
    chosen = {}
    for kind, paths in found.items():
        runs = [Translator.load(path) for path in paths]
        losses = [mean_loss(r.model, make_batches(valid, r.source, r.target, 256)) for r in runs]
        chosen[kind] = runs[sorted(range(len(runs)), key=losses.__getitem__)[len(runs) // 2]]
    save_everyday(chosen)


if __name__ == "__main__":
    main()
