"""The translators of the field, trained by `benchmarks/everyday.py`."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from course_lib.translation import Seq2Seq, Translator, Vocabulary

HERE = Path(__file__).parents[1] / "models" / "everyday.npz"
BITS = 4  # of a number of a matrix, in the page as in the file


def save_everyday(translators: Mapping[str, Translator], path: str | Path = HERE) -> None:
    """Write translators of the same words: of each number what a page has, 4 bits in a matrix."""
    from course_lib.figures.moving.parameters import packed

    first = next(iter(translators.values()))
    held = {
        kind: {
            "config": one.model.config,
            "settings": one.settings,
            **packed(one.model.state_dict(), BITS),
        }
        for kind, one in translators.items()
    }
    bytes_of = {
        kind: np.frombuffer(one.pop("bytes").encode(), np.uint8) for kind, one in held.items()
    }
    about = {"source": first.source.words, "target": first.target.words, "models": held}
    np.savez_compressed(path, about=json.dumps(about, ensure_ascii=False), **bytes_of)


def load_everyday(kind: str = "additive", path: str | Path = HERE) -> Translator:
    """The translator with attention ("additive"), or the one without ("none"): no training.

    Raises FileNotFoundError where the file is missing, KeyError for another kind.
    """
    from course_lib.figures.moving.parameters import unpacked

    with np.load(path) as file:
        about = json.loads(str(file["about"]))
        one = about["models"][kind]
        weights = unpacked(one["tensors"], file[kind].tobytes())
    source, target = (Vocabulary.from_words(about[side]) for side in ("source", "target"))
    model = Seq2Seq(len(source), len(target), **one["config"])
    shapes = {name: value.shape for name, value in model.state_dict().items()}
    model.load_state_dict({name: weights[name].view(shape) for name, shape in shapes.items()})
    return Translator(model.eval(), source, target, one["settings"])
