"""Seconds of one training step as the sentences grow: a Transformer and two recurrent translators.

Source and target have one length and are random words: time does not depend on which. All have the
same width and read the same batch, of one sentence or of 32; forward, backward and one step of
Adam. The clock is the processor's time of this process, so that other work counts little. A ratio
is the time divided by the Transformer's at the same batch and length, in the same turns.
"""

import time

import torch
from torch.nn.functional import cross_entropy

from benchmarks.measure import Contender, against, take_turns, write
from benchmarks.training import logits_of
from course_lib.transformer import EncoderDecoder
from course_lib.translation.model import Seq2Seq

WORDS, WIDTH = 100, 64
LENGTHS = {1: (8, 32, 128, 512), 32: (8, 32, 128)}  # by the number of sentences in a batch
ROUNDS = 5
RECURRENT = {"dropout": 0.0, "embedding_dim": WIDTH, "hidden_dim": WIDTH}


def models() -> dict[str, torch.nn.Module]:
    """One of each kind, untrained."""
    sizes = {"d_model": WIDTH, "num_heads": 4, "num_layers": 2, "d_hidden": 2 * WIDTH}
    return {
        "Transformer": EncoderDecoder(WORDS, WORDS, dropout=0.0, **sizes),
        "recurrent, Luong": Seq2Seq(WORDS, WORDS, attention="general", **RECURRENT),
        "recurrent, Bahdanau": Seq2Seq(
            WORDS, WORDS, attention="additive", order="bahdanau", **RECURRENT
        ),
    }


def training_step(model: torch.nn.Module, batch: int, length: int) -> Contender:
    """A function that takes one step of training on so many sentences of this length."""
    tokens = torch.randint(4, WORDS, (batch, length))
    lengths = torch.full((batch,), length)
    adam = torch.optim.Adam(model.parameters())

    def step() -> None:
        logits = logits_of(model, tokens, lengths, tokens)
        adam.zero_grad()
        cross_entropy(logits.flatten(0, 1), tokens.flatten()).backward()
        adam.step()

    return step


def main() -> None:
    rows = []
    for batch, length in ((batch, n) for batch, its in LENGTHS.items() for n in its):
        steps = {name: training_step(model, batch, length) for name, model in models().items()}
        seconds = take_turns(steps, ROUNDS, time.process_time)
        rows += against("Transformer", seconds, batch=batch, length=length)
    write("step_time", rows, width=str(WIDTH))
