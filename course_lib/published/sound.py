"""Sound files: a list of samples and their rate, at the rate that a model needs."""

import math
import os
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.validation.arguments import integer


def read_sound(path: str | Path) -> tuple[Float[Tensor, " n"], int]:
    """The samples of a sound file, from −1 to 1, and how many of them make a second.

    Several channels are averaged. WAV of 8 to 32 bits, FLAC, Ogg, Opus and MP3 are read, as
    libsndfile does.

    Raises:
        FileNotFoundError: when there is no such file.
        ValueError: for a file that is no sound, or of another kind, and for one without samples.
    """
    import soundfile  # only whoever listens needs it

    name, path = Path(path).name, os.fspath(path)
    if not os.path.isfile(path):
        raise FileNotFoundError(f"there is no file {path}.")
    try:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except soundfile.LibsndfileError as error:
        raise ValueError(
            f"{name} is no sound that can be read here ({error.error_string.strip(' .')}): save it "
            "as WAV, FLAC, Ogg, Opus or MP3."
        ) from None
    if not len(samples):
        raise ValueError(f"{name} holds no samples: record it again.")
    return torch.from_numpy(samples).mean(dim=1), rate


def check_samples(samples: Any, rate: Any) -> tuple[Float[Tensor, " n"], int]:
    """The samples as a tensor of float32, and the rate as an integer.

    Raises:
        TypeError: for samples that are not floats.
        ValueError: for samples that are not (n,) with n ≥ 1, or not finite, and for a rate below 1.
    """
    rate = integer("rate", rate, 1)
    if isinstance(samples, str | Path):
        raise TypeError("samples must be floats from −1 to 1, got str: use read_sound.")
    samples = torch.as_tensor(samples)
    if not samples.is_floating_point():
        raise TypeError(
            f"samples must be floats from −1 to 1, got {samples.dtype}: divide integers of 16 bits "
            "by 32768, or use read_sound."
        )
    if samples.ndim != 1 or not len(samples):
        raise ValueError(
            f"samples must be (n,) with n at least 1, got shape {tuple(samples.shape)}: average "
            "the channels, or use read_sound."
        )
    if not samples.isfinite().all():
        raise ValueError("samples must be finite, got NaN or inf among them.")
    return samples.float(), rate


def resample(samples: Float[Tensor, " n"], rate: int, new_rate: int) -> Float[Tensor, " m"]:
    """The same sound with `new_rate` samples a second, m = ⌈n · new_rate / rate⌉.

    Its spectrum is kept up to half of the lower rate, and what lies above is cut off: left there,
    it would sound as a lower tone.
    """
    samples, rate = check_samples(samples, rate)
    new_rate = integer("new_rate", new_rate, 1)
    if rate == new_rate:
        return samples
    step = rate // math.gcd(rate, new_rate)
    length = math.ceil(len(samples) / step) * step  # a whole number of new samples
    spectrum = torch.fft.rfft(samples.double(), n=length)
    new_length = length * new_rate // rate
    found = torch.fft.irfft(spectrum[: new_length // 2 + 1], n=new_length) * (new_rate / rate)
    return found[: math.ceil(len(samples) * new_rate / rate)].float()
