"""Captions that people wrote, English to French: three recurrent translators and a Transformer.

    python -m benchmarks multi30k --choose              # learning rates, judged on `valid`
    python -m benchmarks multi30k general --seeds 0 1 2 # kinds; rows of the same runs are replaced
    python -m benchmarks multi30k --folder FOLDER       # files that are here, no download

All kinds see the same batches and have dropout, a learning rate that rises and falls, and the
weights of the epoch with the best loss on `valid`. Words that occur once are <unk>. `multi30k.csv`
has BLEU and chrF of greedy and beam translations on the captions of 2016, by length of the English
one: lower case, tokenized as in the files, scored by sacreBLEU with the signature in each row.
`multi30k_shown.csv` quotes three of them, as seed 0 translated them, with the weights of each word.
"""

import argparse
import copy
import time

import torch
from sacrebleu.metrics import BLEU, CHRF
from torch import nn

from benchmarks.measure import merge
from benchmarks.training import loss_of, translate
from book.helpers.multi30k import load_multi30k
from course_lib.transformer import EncoderDecoder
from course_lib.translation import Pair, Seq2Seq, Vocabulary, make_batches, pad
from course_lib.translation.vocabulary import PAD, START

RECURRENT = {"none": "luong", "additive": "bahdanau", "general": "luong"}  # and in whose order
SIZES = {"embedding_dim": 128, "hidden_dim": 256, "dropout": 0.3}
TRANSFORMER = {"d_model": 128, "num_heads": 4, "num_layers": 3, "d_hidden": 512, "dropout": 0.2}
KINDS = (*RECURRENT, "Transformer")
LEARNING_RATES = {kind: (1e-3, 2e-3, 4e-3) for kind in RECURRENT} | {
    "Transformer": (5e-4, 1e-3, 2e-3)
}
CHOSEN = dict.fromkeys(RECURRENT, 2e-3) | {"Transformer": 1e-3}
EPOCHS, BATCH, BEAMS = 12, 64, (1, 4)
LENGTHS = {"all": (1, 99), "1–10": (1, 10), "11–15": (11, 15), "16–20": (16, 20),
           "21 and more": (21, 99)}  # fmt: skip
SHOWN = (58, 66, 90)  # captions whose adjectives change places


@torch.no_grad()
def valid_loss(model: nn.Module, batches: list) -> float:
    model.eval()
    total = sum(loss_of(model, batch, "sum").item() for batch in batches)
    model.train()
    return total / sum(int((batch.labels != PAD).sum()) for batch in batches)


def trained(
    kind: str, learning_rate: float, seed: int, splits: dict[str, list[Pair]], epochs: int
) -> tuple[nn.Module, dict[str, object]]:
    """One run, and what it was; the weights are those of the epoch that was best on `valid`."""
    source = Vocabulary((pair.source for pair in splits["train"]), min_count=2)
    target = Vocabulary((pair.target for pair in splits["train"]), min_count=2)
    torch.manual_seed(seed)
    if kind in RECURRENT:
        model = Seq2Seq(len(source), len(target), attention=kind, order=RECURRENT[kind], **SIZES)
    else:
        model = EncoderDecoder(len(source), len(target), **TRANSFORMER)
    held_out = make_batches(splits["valid"], source, target, 256)
    order = torch.Generator().manual_seed(seed)
    adam = torch.optim.Adam(model.parameters(), learning_rate)
    steps = epochs * -(-len(splits["train"]) // BATCH)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, learning_rate, steps, pct_start=0.1)
    start, best, weights, best_epoch = time.process_time(), float("inf"), None, 0
    for epoch in range(1, epochs + 1):
        for batch in make_batches(splits["train"], source, target, BATCH, order):
            loss = loss_of(model, batch)
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adam.step()
            rate.step()
        found = valid_loss(model, held_out)
        seconds = time.process_time() - start
        print(f"{kind} {learning_rate} seed {seed} epoch {epoch}: valid {found:.3f}, "
              f"{seconds:.0f} processor seconds", flush=True)  # fmt: skip
        if found < best:
            best, weights, best_epoch = found, copy.deepcopy(model.state_dict()), epoch
    model.load_state_dict(weights)
    model.source, model.target = source, target
    return model.eval(), {
        "kind": kind, "seed": seed, "learning_rate": learning_rate, "epochs": epochs,
        "best_epoch": best_epoch, "parameters": sum(p.numel() for p in model.parameters()),
        "valid_loss": round(best, 3), "cpu_seconds": round(seconds),
    }  # fmt: skip


def measured(model: nn.Module, run: dict[str, object], test: list[Pair]) -> list[dict]:
    """A row for each beam and length."""
    rows = []
    for beam in BEAMS:
        found = translate(model, [pair.source for pair in test], beam)
        for name, (least, most) in LENGTHS.items():
            chosen = [i for i, p in enumerate(test) if least <= len(p.source) <= most]
            written = [" ".join(found[i]) for i in chosen]
            right = [[" ".join(test[i].target) for i in chosen]]
            bleu, chrf = BLEU(tokenize="none", force=True), CHRF()  # force: tokenized on purpose
            rows.append(run | {
                "beam": beam, "length": name, "captions": len(chosen),
                "bleu": round(bleu.corpus_score(written, right).score, 1),
                "chrf": round(chrf.corpus_score(written, right).score, 1),
                "signature": str(bleu.get_signature()),
            })  # fmt: skip
    return rows


@torch.no_grad()
def shown(model: nn.Module, kind: str, test: list[Pair]) -> list[dict]:
    """The quoted captions, a row each; weights: a row for each French word, in percent."""
    rows = []
    for number in SHOWN:
        pair, weights = test[number], None
        [french] = translate(model, [pair.source], beam=1)
        if isinstance(model, Seq2Seq):
            source, lengths = pad([model.source.encode(pair.source)])
            inputs = torch.tensor([[START, *model.target.encode(french)][: len(french)]])
            weights = model(source, lengths, inputs)[1]
        rows.append({
            "kind": kind, "line": number + 1, "english": " ".join(pair.source),
            "french": " ".join(french), "reference": " ".join(pair.target),
            "weights": "" if weights is None else ";".join(
                " ".join(f"{100 * w:.0f}" for w in row) for row in weights[0].tolist()),
        })  # fmt: skip
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS], default=[])
    parser.add_argument("--choose", action="store_true", help="try the learning rates, seed 0")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--folder")
    given = parser.parse_args()
    splits = {name: load_multi30k(name, given.folder) for name in ("train", "valid", "test")}
    for kind in given.kinds or KINDS:
        if given.choose:
            for rate in LEARNING_RATES[kind]:
                _, run = trained(kind, rate, 0, splits, given.epochs)
                merge("multi30k_choice", [run], ("kind", "learning_rate"))
            continue
        for seed in given.seeds:
            model, run = trained(kind, CHOSEN[kind], seed, splits, given.epochs)
            merge("multi30k", measured(model, run, splits["test"]),
                  ("kind", "seed", "beam", "length"))  # fmt: skip
            if seed == 0:
                merge("multi30k_shown", shown(model, kind, splits["test"]), ("kind", "line"))
