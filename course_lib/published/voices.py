"""Human voices: the prompts of a telephone exchange, spoken in five languages, with their texts.

About 550 short recordings a language by one professional speaker each, among them single digits,
letters and days. They come in packages of Debian, from which recordings, texts and the notice of
copyright are taken into one file a language, as they are.
"""

import gzip
import hashlib
import io
import re
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.published.debian import fetch_package, package_files
from course_lib.published.files import COMMAND, NotFetched, wrong
from course_lib.published.releases import File, folder
from course_lib.validation.arguments import one_of

VERSION = "1.6.1-1"
POOL = "pool/main/a/asterisk-core-sounds"
SOUNDS, TEXTS, COPYRIGHT = "sounds/", "texts.txt", "copyright"


class Recording(NamedTuple):
    """A recording: its name in the package, what is said, and by whom.

    samples: (n,) from −1 to 1; `rate` of them make a second.
    licence: under which the speaker allows its use, with the speaker's name.
    """

    name: str
    text: str
    samples: Float[Tensor, " n"]
    rate: int
    speaker: str
    licence: str


class Voice(NamedTuple):
    """Who speaks a language, under which licence, and the file of the recordings."""

    speaker: str
    licence: str
    file: File


# As each package's notice of copyright says; recordings that are passed on keep name and licence.
VOICES = {
    "en": Voice(
        "Allison Smith",
        "CC BY-SA 3.0",
        File(
            "voices/en.zip",
            24_622_401,
            "bd07bc2ffed3975d52266443f954695dbce2d21dd3887c5c3681f078173723bc",
        ),
    ),
    "fr": Voice(
        "June Wallack",
        "CC BY-SA 3.0",
        File(
            "voices/fr.zip",
            25_111_194,
            "79cf3d73e09c420a577330dece3a1ec230c027bac9a3a50c9adf587e6118cc5a",
        ),
    ),
    "es": Voice(
        "Allison Smith",
        "CC BY-SA 3.0",
        File(
            "voices/es.zip",
            29_892_453,
            "c20e2627eddc103aacb947019e233202d592d866549210954784e778c0fa4164",
        ),
    ),
    "it": Voice(
        "Carlo Flora",
        "CC BY 3.0",
        File(
            "voices/it.zip",
            23_040_171,
            "b3163100aaf204365028c598a40faa1efa34a5fcdac137a219cd485c30b7ceba",
        ),
    ),
    "ru": Voice(
        "a speaker of ivrvoice.ru, provided by Maxim Topal",
        "CC BY 3.0",
        File(
            "voices/ru.zip",
            23_955_291,
            "b2c45507ad7297e831d1318dfdaa84cacefa4ffd0a71f73bc697d8f889a80d76",
        ),
    ),
}


def voices(language: str) -> list[Recording]:
    """All recordings of a language that say something, by name.

    Tones, silences and what the package has no text for are left out. The texts are those of the
    package, with its slips; a recording may differ from its text by a word.

    Args:
        language: "en" (American), "fr" (Canadian), "es" (Mexican), "it" or "ru".

    Raises:
        NotFetched: when the file is missing or another one; the sentence says how to fetch it.
    """
    import soundfile  # only whoever listens needs it

    one_of("language", language, VOICES)
    speaker, licence, file = VOICES[language]
    if fault := wrong(file):
        raise NotFetched(f"{file.kept.name} {fault}. Fetch it with: {COMMAND}")
    recordings = []
    with zipfile.ZipFile(file.kept) as opened:
        texts = read_texts(opened.read(TEXTS).decode("utf-8-sig"))
        for path in opened.namelist():
            name = path.removeprefix(SOUNDS).removesuffix(".wav")
            text = texts.get(name.lower(), "")
            if path.startswith(SOUNDS) and text:
                samples, rate = soundfile.read(io.BytesIO(opened.read(path)), dtype="float32")
                sound = torch.from_numpy(samples)
                recordings.append(Recording(name, text, sound, rate, speaker, licence))
    return recordings


def read_texts(lines: str) -> dict[str, str]:
    """What each recording says, by its name in small letters.

    A line is `name: text`. What stands in brackets is a sound and no speech; of two lines for one
    name the first counts.
    """
    texts = {}
    for line in lines.splitlines():
        if found := re.fullmatch(r"([\w/-]+)\s*:\s*(.*\S)\s*", line):
            name, text = found.groups()
            is_sound = re.fullmatch(r"\[[^]]*\]|\([^)]*\)|<[^>]*>", text)
            texts.setdefault(name.lower(), "" if is_sound else text.strip('“”"'))
    return texts


def fetch_voices(language: str) -> bool:
    """Fetch the recordings of a language where they are missing; whether there was anything to do.

    Raises:
        NotFetched: when they could not be downloaded, or are others.
    """
    one_of("language", language, VOICES)
    file = VOICES[language].file
    if not wrong(file):
        return False
    folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder()) as temporary:
        found: dict[str, bytes] = {}
        for end in ("", "-wav"):
            name = f"asterisk-core-sounds-{language}{end}"
            deb = fetch_package(name, f"{POOL}/{name}_{VERSION}_all.deb", Path(temporary))
            found |= wanted_files(deb)
        content = packed(found)
        if hashlib.sha256(content).hexdigest() != file.sha256:
            raise NotFetched(
                f"the recordings of asterisk-core-sounds-{language} are not those of {VERSION}, "
                "which this course was written with: their SHA-256 differs. Nothing was kept."
            )
        part = Path(temporary) / "part"
        part.write_bytes(content)
        file.kept.parent.mkdir(exist_ok=True)
        part.replace(file.kept)  # at once, so that half a file is never found
    return True


def wanted_files(deb: Path) -> dict[str, bytes]:
    """Of a package, the recordings, the list of texts and the notice of copyright."""
    found = {}
    for path, content in package_files(deb):
        if place := re.fullmatch(r"usr/share/asterisk/sounds/[^/]+/(.+\.wav)", path):
            found[SOUNDS + place[1]] = content
        elif re.fullmatch(r"usr/share/doc/[^/]+/core-sounds-..\.txt\.gz", path):
            found[TEXTS] = gzip.decompress(content)
        elif re.fullmatch(r"usr/share/doc/[^/]+/copyright", path):
            found[COPYRIGHT] = content
    return found


def packed(files: dict[str, bytes]) -> bytes:
    """A zip file of them, equal on every machine: sorted, not compressed, without times."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as opened:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path)
            entry.create_system = 3
            opened.writestr(entry, files[path])
    return made.getvalue()
