"""The translator without attention of the page on the bottleneck, as its benchmark trained it."""

from pathlib import Path

from book.helpers.pronouncers import load_pronouncer, save_pronouncer
from course_lib.translation import Translator

HERE = Path(__file__).parent / "models" / "one_vector.npz"


def save_one_vector(translator: Translator, path: str | Path = HERE) -> None:
    """Write weights as float16, vocabularies, settings and the mean loss of each epoch."""
    settings = translator.settings
    translator.settings = settings | {"epoch_loss": translator.history["epoch_loss"]}
    save_pronouncer(translator, path)
    translator.settings = settings


def load_one_vector(path: str | Path = HERE) -> Translator:
    """The translator as it is after its training, with `history["epoch_loss"]`: no training.

    Raises FileNotFoundError where the file is missing.
    """
    translator = load_pronouncer(path)
    translator.history["epoch_loss"] = translator.settings.pop("epoch_loss")
    return translator
