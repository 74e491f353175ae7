"""Models that pronounce: ours, trained by `benchmarks/spelling.py`, and the one of g2p-en."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from book.helpers.pronunciations import package_file
from course_lib.translation import Seq2Seq, Translator, Vocabulary

HERE = Path(__file__).parent / "models" / "spelling.npz"


def save_pronouncer(translator: Translator, path: str | Path = HERE) -> None:
    """Write a translator's weights as float16, with its vocabularies and settings."""
    arrays = {
        f"weights/{name}": tensor.numpy().astype(np.float16)
        for name, tensor in translator.model.state_dict().items()
    }
    about = {
        "config": translator.model.config, "settings": translator.settings,
        "source": translator.source.words, "target": translator.target.words,
    }  # fmt: skip
    np.savez_compressed(path, about=json.dumps(about), **arrays)


def load_pronouncer(path: str | Path = HERE) -> Translator:
    """The translator of letters into phonemes that comes with the book: no network, no training.

    Raises FileNotFoundError where the file is missing.
    """
    with np.load(path) as file:
        about = json.loads(str(file["about"]))
        weights = {
            name.removeprefix("weights/"): torch.from_numpy(file[name].astype(np.float32))
            for name in file.files
            if name.startswith("weights/")
        }
    source, target = (Vocabulary.from_words(about[name]) for name in ("source", "target"))
    model = Seq2Seq(len(source), len(target), **about["config"])
    model.load_state_dict(weights)
    return Translator(model.eval(), source, target, about["settings"])


# What g2p-en 2.1.0 calls its numbers, in this order.
LETTERS = ["<pad>", "<unk>", "</s>", *"abcdefghijklmnopqrstuvwxyz"]
VOWELS = ("AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW")
STRESSED = [vowel + stress for vowel in VOWELS for stress in ("0", "1", "2")]
CONSONANTS = [*"BDFGKLMNPRSTVWYZ", "CH", "DH", "HH", "JH", "NG", "SH", "TH", "ZH"]
PHONEMES = ["<pad>", "<unk>", "<s>", "</s>", *sorted([*STRESSED, *CONSONANTS, "UW"])]


class PublishedPronouncer:
    """The model of the package g2p-en: a GRU reads the letters, a GRU writes, nothing between.

    Kyubyong Park and Jongseok Kim (2019), https://github.com/Kyubyong/g2p, Apache 2.0. The arrays
    are read from the installed package; its Python, which downloads other things, is not run.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        arrays = np.load(package_file("g2p-en") if path is None else path)
        parts = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
        self.letters, self.phonemes = parts["enc_emb"], parts["dec_emb"]
        self.encoder, self.decoder = (self._cell(parts, name) for name in ("enc", "dec"))
        self.output = parts["fc_w"], parts["fc_b"]

    @staticmethod
    def _cell(parts: dict[str, torch.Tensor], name: str) -> torch.nn.GRUCell:
        cell = torch.nn.GRUCell(*parts[f"{name}_w_ih"].T.shape[:1], parts[f"{name}_w_hh"].shape[1])
        cell.load_state_dict({
            "weight_ih": parts[f"{name}_w_ih"], "weight_hh": parts[f"{name}_w_hh"],
            "bias_ih": parts[f"{name}_b_ih"], "bias_hh": parts[f"{name}_b_hh"],
        })  # fmt: skip
        return cell

    @torch.no_grad()
    def pronounce(self, word: Sequence[str], longest: int = 60) -> list[str]:
        """Letters → phonemes without the digits of stress, greedily."""
        state = torch.zeros(1, self.encoder.hidden_size)
        for letter in [*word, "</s>"]:
            known = letter if letter in LETTERS else "<unk>"
            number = LETTERS.index(known)
            state = self.encoder(self.letters[[number]], state)
        written, number = [], PHONEMES.index("<s>")
        while len(written) < longest:  # `state` is all that is left of the word
            state = self.decoder(self.phonemes[[number]], state)
            scores = state @ self.output[0].T + self.output[1]
            number = int(scores.argmax())
            if PHONEMES[number] == "</s>":
                break
            written.append(PHONEMES[number].rstrip("012"))
        return written
