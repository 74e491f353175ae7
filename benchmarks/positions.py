"""Train short, read long: one small language model with six ways to tell it positions.

Every model is the same but for `positions`: same characters, same steps, same seeds. It is trained
on texts of 64 characters and read on longer ones; the loss is that of the last 64 characters, so
that at every length the same characters are predicted, with more or less before them.
The rotary models are also read with their frequencies stretched: at once, and after a few more
steps on texts of the new length.

    python -m benchmarks positions [rotary ...]     # with names: only these rows are replaced
"""

import copy
import pydoc_data.topics
import sys
import time

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from benchmarks.measure import merge
from course_lib.transformer import LanguageModel
from course_lib.transformer.stretched import interpolated_frequencies, ntk_base, yarn_frequencies

POSITIONS = ("none", "sinusoidal", "learned", "t5", "alibi", "rotary")
TRAINED, LENGTHS, SEEDS = 64, (64, 128, 256, 512), (0, 1, 2)
STEPS, BATCH, PEAK = 600, 16, 3e-3
FURTHER, STRETCHED = 60, 256  # a tenth of the steps, at four times the length


def characters() -> tuple[Tensor, Tensor, int]:
    """The help texts that every Python carries, as numbers: training part, held-out part, V."""
    text = "\n".join(pydoc_data.topics.topics[name] for name in sorted(pydoc_data.topics.topics))
    alphabet = sorted(set(text))
    number = {character: i for i, character in enumerate(alphabet)}
    tokens = torch.tensor([number[character] for character in text])
    cut = len(tokens) * 9 // 10
    return tokens[:cut], tokens[cut:], len(alphabet)


def trained(positions: str, tokens: Tensor, vocabulary: int, seed: int) -> LanguageModel:
    """A model of two layers after STEPS steps of Adam."""
    torch.manual_seed(seed)
    model = LanguageModel(
        vocabulary, d_model=64, num_layers=2, d_hidden=128, positions=positions, max_length=TRAINED
    )
    train(model, tokens, TRAINED, STEPS, PEAK)
    return model.eval()


def train(model: LanguageModel, tokens: Tensor, length: int, steps: int, peak: float) -> None:
    """Steps of Adam on texts of a length, as many texts in a batch as make BATCH · TRAINED
    characters at any length."""
    optimizer = torch.optim.Adam(model.parameters(), peak)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, peak, total_steps=steps)
    places = torch.arange(length + 1)
    for _ in range(steps):
        starts = torch.randint(len(tokens) - length - 1, (BATCH * TRAINED // length,))
        text = tokens[starts[:, None] + places]  # (B, T + 1)
        logits, _ = model(text[:, :-1])
        loss = cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()


@torch.no_grad()
def loss_at(model: LanguageModel, tokens: Tensor, length: int) -> float:
    """Nats per character on the last TRAINED characters of texts of the given length."""
    longest = LENGTHS[-1]
    starts = torch.arange(0, len(tokens) - longest - 1, longest)[:64]
    text = tokens[starts[:, None] + torch.arange(longest + 1)][:, -length - 1 :]
    logits, _ = model(text[:, :-1])
    last = logits[:, -TRAINED:].flatten(0, 1)
    return cross_entropy(last, text[:, -TRAINED:].flatten()).item()


def stretched(length: int, head: int) -> dict[str, Tensor]:
    """Frequencies for reading `length` with a rotary model that was trained on TRAINED."""
    factor = length / TRAINED
    return {
        "rotary, interpolated": interpolated_frequencies(head, factor),
        "rotary, NTK-aware": interpolated_frequencies(head, 1.0, base=ntk_base(head, factor)),
        # the fastest pair turns ten times within 64 characters: the ramp ends at 8, not at 32
        "rotary, YaRN's ramp": yarn_frequencies(head, factor, TRAINED, fast=8.0),
    }


def turn_at(model: LanguageModel, frequencies: Tensor) -> None:
    for layer in model.stack.layers:
        layer.self_attention.rotary_frequencies = frequencies


def rows(positions: str, seed: int) -> list[dict[str, object]]:
    """Losses of one model at every length that it can read."""
    tokens, held_out, vocabulary = characters()
    begun = time.perf_counter()
    model = trained(positions, tokens, vocabulary, seed)
    seconds = round(time.perf_counter() - begun, 1)

    def row(name: str, length: int, model: LanguageModel = model) -> dict[str, object]:
        loss = round(loss_at(model, held_out, length), 4)
        return {"positions": name, "seed": seed, "length": length, "loss": loss, "train_s": seconds}

    if positions == "learned":
        return [row(positions, TRAINED)]  # its table ends there
    found = [row(positions, length) for length in LENGTHS]
    if positions != "rotary":
        return found
    own = model.stack.layers[0].self_attention.rotary_frequencies
    choices = {"rotary": own} | stretched(STRETCHED, 2 * len(own))
    for name, frequencies in choices.items():
        further = copy.deepcopy(model).train()
        turn_at(further, frequencies)
        torch.manual_seed(seed)  # the same texts for each
        train(further, tokens, STRETCHED, FURTHER, PEAK / 3)
        found += [row(f"{name}, trained on", n, further.eval()) for n in (TRAINED, STRETCHED)]
    for length in LENGTHS[1:]:
        for name, frequencies in stretched(length, 2 * len(own)).items():
            turn_at(model, frequencies)
            found.append(row(name, length))
    return found


def main() -> None:
    about = {"trained": str(TRAINED), "steps": str(STEPS), "batch": str(BATCH)}
    for seed in SEEDS:
        for positions in sys.argv[1:] or POSITIONS:
            found = rows(positions, seed)
            merge("positions", found, ("positions", "seed", "length"), **about)
