"""What Whisper hears: the energy of 80 bands of pitch, a hundred times a second.

The numbers of a release of 2022: 16,000 samples a second, windows of 400 of them (25 ms), one every
160 (10 ms), 30 s at once. Radford et al. (2022), "Robust speech recognition via large-scale weak
supervision", https://arxiv.org/abs/2212.04356, section 2.2.
"""

import math
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.published.sound import check_samples, resample

RATE, WINDOW, HOP, BANDS, SECONDS = 16_000, 400, 160, 80, 30


def log_mel(samples: Any, rate: int) -> Float[Tensor, "80 3000"]:
    """The log-mel features of a recording of up to 30 s, silence behind it.

        energy = filters · |Fourier transform of each window|²
        features = (max(log₁₀ energy, its maximum − 8) + 4) / 4

    Args:
        samples: (n,) floats from −1 to 1, a tensor or an array.
        rate: how many of them make a second. Other rates than 16,000 are resampled.

    Raises:
        TypeError, ValueError: for what is no such recording, and for one of more than 30 s.
    """
    samples, rate = check_samples(samples, rate)
    if len(samples) > SECONDS * rate:
        raise ValueError(
            f"the recording lasts {len(samples) / rate:.1f} s, and this model hears {SECONDS} s at "
            f"once: cut it, samples[: {SECONDS} * rate] and what comes after."
        )
    heard = torch.zeros(SECONDS * RATE)
    found = resample(samples, rate, RATE)
    heard[: len(found)] = found[: len(heard)]
    window = torch.hann_window(WINDOW)
    spectrum = torch.stft(heard, WINDOW, HOP, window=window, return_complex=True)  # (201, 3001)
    energy = mel_filters() @ spectrum[:, :-1].abs().square()  # (80, 3000)
    logarithm = energy.clamp(min=1e-10).log10()
    return (logarithm.clamp(min=logarithm.max() - 8) + 4) / 4


def mel_filters() -> Float[Tensor, "80 201"]:
    """Triangles over the frequencies, equally wide on the mel scale, each of area 1.

        mel(f) = 3 f / 200 below 1,000 Hz, and 15 + 27 ln(f / 1,000) / ln 6.4 above it

    Slaney (1998), "Auditory toolbox, version 2", technical report 1998-010, Interval Research.
    """
    top = 15 + 27 * math.log(RATE / 2 / 1000) / math.log(6.4)
    mels = torch.linspace(0, top, BANDS + 2, dtype=torch.double)
    log_part = 1000 * ((mels - 15) * math.log(6.4) / 27).exp()
    edges = torch.where(mels < 15, 200 * mels / 3, log_part)  # (82,), in Hz
    left, middle, right = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    f = torch.linspace(0, RATE / 2, WINDOW // 2 + 1, dtype=torch.double)  # (201,)
    rising, falling = (f - left) / (middle - left), (right - f) / (right - middle)
    return (torch.minimum(rising, falling).clamp(min=0) * 2 / (right - left)).float()
