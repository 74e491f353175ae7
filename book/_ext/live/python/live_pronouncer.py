"""Pronounce a reader's word in the page: the book's model on NumPy, with a beam of four.

tests/book/test_live.py holds its answers equal to those of `load_pronouncer`.
"""

import json
from functools import cache

import numpy as np

from book.helpers.pronunciations import read_word

BEAM, PENALTY = 4, 0.6
PAD, START, END = 0, 2, 3
MODEL = "/spelling.npz"  # where the page puts it


def answer(text: str) -> str:
    """The word and its phonemes; for what is no word of these letters, a sentence."""
    try:
        letters = read_word(text)
    except ValueError as sentence:
        return str(sentence)
    return f"{''.join(letters)}  →  {' '.join(pronouncer().pronounce(letters))}"


@cache
def pronouncer() -> "Pronouncer":
    return Pronouncer(MODEL)


class Pronouncer:
    """A GRU reads the letters in both directions, another writes phonemes and attends to them."""

    def __init__(self, path) -> None:
        with np.load(path) as file:
            about = json.loads(str(file["about"]))
            named = [name for name in file.files if name.startswith("weights/")]
            self.weights = {n.removeprefix("weights/"): file[n].astype(np.float32) for n in named}
        self.letters, self.phonemes = about["source"], about["target"]

    def pronounce(self, letters: list[str]) -> list[str]:
        """Letters → phonemes: the best of four beginnings, as `beam_search` finds it."""
        memory, hidden = self.read(letters)
        keys = memory @ self.weights["decoder.attention.W_a.weight"].T  # (S, d)
        beams, ended = [(0.0, [START], hidden)], []
        for length in range(1, 2 * len(letters) + 11):
            found = []
            for total, ids, state in beams:
                log_p, state = self.step(ids[-1], state, memory, keys)
                found += [(total + p, [*ids, v], state) for v, p in enumerate(log_p.tolist())]
            found = sorted(found, key=lambda one: -one[0])[: 2 * BEAM]
            for total, ids, _ in found[:BEAM]:
                if ids[-1] == END and np.isfinite(total) and len(ended) < BEAM:
                    ended.append((total / ((5 + length) / 6) ** PENALTY, ids[:-1]))
            beams = [one for one in found if one[1][-1] != END][:BEAM]
            if len(ended) == BEAM:
                break
        _, best, *_ = max(ended or beams[:1], key=lambda one: one[0])
        return [self.phonemes[i] for i in best[1:]]

    def read(self, letters: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """The state at each letter, (S, d), and the decoder's first."""
        embedding = self.weights["encoder.embedding.weight"]
        xs = [embedding[self.letters.index(letter)] for letter in letters]
        forth, back = self.run(xs, ""), self.run(xs[::-1], "_reverse")
        memory = np.concatenate([forth, back[::-1]], axis=1)
        summary = np.concatenate([forth[-1], back[-1]])
        return memory, np.tanh(self.linear("decoder.W_s", summary))

    def run(self, xs: list[np.ndarray], direction: str) -> np.ndarray:
        h, states = np.zeros(self.weights["encoder.rnn.weight_hh_l0"].shape[1], np.float32), []
        for x in xs:
            h = self.gru("encoder.rnn", direction, x, h)
            states.append(h)
        return np.stack(states)

    def step(self, token, hidden, memory, keys) -> tuple[np.ndarray, np.ndarray]:
        """The last phoneme → log p of the next, and the new state."""
        x = self.weights["decoder.embedding.weight"][token]
        hidden = self.gru("decoder.rnn", "", x, hidden)
        scores = keys @ hidden
        powers = np.exp(scores - scores.max())
        context = powers / powers.sum() @ memory
        seen = np.concatenate([context, hidden])
        logits = self.linear("decoder.W_o", np.tanh(self.linear("decoder.W_c", seen)))
        logits[[PAD, START]] = -np.inf
        return logits - logits.max() - np.log(np.exp(logits - logits.max()).sum()), hidden

    def gru(self, name: str, direction: str, x: np.ndarray, h: np.ndarray) -> np.ndarray:
        reads = self.linear(name, x, f"_ih_l0{direction}")
        keeps = self.linear(name, h, f"_hh_l0{direction}")
        reset, update = 1 / (1 + np.exp(-(reads + keeps)[: 2 * len(h)].reshape(2, -1)))
        new = np.tanh(reads[2 * len(h) :] + reset * keeps[2 * len(h) :])
        return (1 - update) * new + update * h

    def linear(self, name: str, x: np.ndarray, part: str = "") -> np.ndarray:
        """A linear map by its name; the parts of a GRU are called weight_ih_l0, bias_ih_l0, …"""
        weight, bias = f"{name}.weight{part}", f"{name}.bias{part}"
        return self.weights[weight] @ x + self.weights.get(bias, np.float32(0))
