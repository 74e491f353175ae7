"""Recordings out of packages, made here and the real: the same by every way, or a sentence."""

import gzip
import hashlib
import io
import lzma
import os
import shutil
import subprocess
import sys
import tarfile

import numpy as np
import pytest
import soundfile

from course_lib.published import debian, voices
from course_lib.published.files import COMMAND, NotFetched
from course_lib.published.releases import File
from course_lib.published.voices import (
    VOICES,
    Voice,
    fetch_voices,
    packed,
    read_texts,
    wanted_files,
)

module = sys.modules["course_lib.published.voices"]
TEXTS = """\ufeff; Core Asterisk Sounds in French
activated: activé
digits/0: zéro
digits/0: dix
letters/O: o
quoted: “Oui. Non.”
beep: [ tone ]
beeperr: (ahooga)
join: <beep ascending>
parked: [tentativo di] Parcheggio
missing: no file
"""


def wav(length: int) -> bytes:
    made = io.BytesIO()
    soundfile.write(made, np.linspace(-0.5, 0.5, length), 8000, format="WAV", subtype="PCM_16")
    return made.getvalue()


FOLDER = "./usr/share/asterisk/sounds/fr_CA_f_June"
DOC = "./usr/share/doc/asterisk-core-sounds-fr"
NAMES = ["activated", "digits/0", "letters/o", "beep", "parked", "untold"]
PACKAGES = {
    "asterisk-core-sounds-fr": {
        f"{DOC}/core-sounds-fr.txt.gz": gzip.compress(TEXTS.encode(), mtime=0),
        f"{DOC}/changelog.gz": b"-",
    },
    "asterisk-core-sounds-fr-wav": {
        **{f"{FOLDER}/{name}.wav": wav(10 + i) for i, name in enumerate(NAMES)},
        f"{DOC}-wav/copyright": b"Copyright: June Wallack, CC-BY-SA-3.0",
    },
}


def deb(files: dict[str, bytes]) -> bytes:
    """A package as Debian's: an ar archive of two tar files."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as made:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("./usr/share/asterisk/sounds/fr")
        link.type, link.linkname = tarfile.SYMTYPE, "fr_CA_f_June"
        made.addfile(link)
    with tarfile.open(fileobj=(control := io.BytesIO()), mode="w") as made:
        member = tarfile.TarInfo("./control")
        member.size = len(text := b"Package: small\nVersion: 1\nArchitecture: all\n")
        made.addfile(member, io.BytesIO(text))
    out = b"!<arch>\n"
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": lzma.compress(control.getvalue())}
    for name, content in (parts | {"data.tar.xz": lzma.compress(tar.getvalue())}).items():
        out += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode() + content
        out += b"\n" * (len(content) % 2)
    return out


@pytest.fixture
def released(tmp_path, monkeypatch):
    """The two packages as files, of which "fr" is known to be made; and an empty cache."""
    folder = tmp_path / "pool"
    folder.mkdir()
    found = {}
    for name, files in PACKAGES.items():
        path = folder / f"{name}_1.6.1-1_all.deb"
        path.write_bytes(deb(files))
        found |= wanted_files(path)
    content = packed(found)
    file = File("voices/fr.zip", len(content), hashlib.sha256(content).hexdigest())
    monkeypatch.setitem(VOICES, "fr", Voice("June Wallack", "CC BY-SA 3.0", file))
    monkeypatch.setenv("COURSE_MODELS", str(tmp_path / "kept"))
    monkeypatch.setattr(
        module, "fetch_package", lambda name, pool, into: folder / pool.split("/")[-1]
    )
    return folder


def test_recordings_have_their_texts(released):
    assert fetch_voices("fr") and not fetch_voices("fr")
    found = {r.name: r for r in voices("fr")}
    assert {name: r.text for name, r in found.items()} == {
        "activated": "activé",
        "digits/0": "zéro",  # the first of two lines counts
        "letters/o": "o",
        "parked": "[tentativo di] Parcheggio",
    }
    one = found["digits/0"]
    assert (one.rate, len(one.samples), one.speaker) == (8000, 11, "June Wallack")
    assert one.licence == "CC BY-SA 3.0" and abs(float(one.samples[-1]) - 0.5) < 1e-4


def test_sounds_are_no_texts():
    texts = read_texts(TEXTS)
    assert texts["quoted"] == "Oui. Non."
    assert [texts[name] for name in ("beep", "beeperr", "join")] == [""] * 3


@pytest.mark.parametrize("cut", [0, 1000, -1])
def test_a_file_cut_short_is_refused_and_fetched_again(released, cut):
    fetch_voices("fr")
    kept = VOICES["fr"].file.kept
    kept.write_bytes(kept.read_bytes()[:cut])
    with pytest.raises(NotFetched, match=rf"fr.zip is incomplete or another file.*: {COMMAND}$"):
        voices("fr")
    assert fetch_voices("fr") and len(voices("fr")) == 4


def test_missing_recordings_and_languages_are_named(released):
    with pytest.raises(NotFetched, match=rf"^fr.zip is not on this machine.*: {COMMAND}$"):
        voices("fr")
    for look in (voices, fetch_voices):
        with pytest.raises(ValueError, match="must be one of en, fr, es, it, ru, got 'de'"):
            look("de")


def test_other_recordings_than_those_of_the_release_are_not_kept(released, tmp_path):
    changed = PACKAGES["asterisk-core-sounds-fr-wav"] | {f"{FOLDER}/beep.wav": wav(99)}
    (released / "asterisk-core-sounds-fr-wav_1.6.1-1_all.deb").write_bytes(deb(changed))
    with pytest.raises(NotFetched, match=r"not those of 1.6.1-1.*SHA-256 differs. Nothing"):
        fetch_voices("fr")
    assert not list((tmp_path / "kept").iterdir())


@pytest.mark.parametrize("cut", [0, 7, 200, 900])
@pytest.mark.parametrize("tool", [True, False])
def test_a_package_cut_short_is_named(released, monkeypatch, cut, tool):
    if tool and not shutil.which("dpkg-deb"):
        pytest.skip("dpkg-deb is not installed")
    if not tool:
        monkeypatch.setattr(debian.shutil, "which", lambda name: None)
    path = released / "asterisk-core-sounds-fr-wav_1.6.1-1_all.deb"
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(NotFetched, match=r"1-1_all.deb cannot be read \(.+\). Fetch it again"):
        fetch_voices("fr")


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="dpkg-deb is not installed")
def test_debians_own_tool_reads_the_same(released, monkeypatch):
    path = released / "asterisk-core-sounds-fr-wav_1.6.1-1_all.deb"
    with_tool = dict(debian.package_files(path))
    monkeypatch.setattr(debian.shutil, "which", lambda name: None)
    assert dict(debian.package_files(path)) == with_tool and len(with_tool) == 7


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without apt, and an empty folder."""
    monkeypatch.setattr(debian.shutil, "which", lambda name: None)
    monkeypatch.delenv(debian.MIRROR, raising=False)
    return tmp_path


def test_without_apt_a_mirror_is_asked_for(bare):
    with pytest.raises(NotFetched, match=rf"no apt-get.*COURSE_DEBIAN=https://…/debian {COMMAND}$"):
        debian.fetch_package("small", "pool/small.deb", bare)


def test_a_mirror_is_taken_at_its_word(bare, monkeypatch):
    asked = []

    def urlopen(url, timeout):
        asked.append(url)
        if len(asked) > 1:
            raise debian.urllib.error.URLError("no network")
        return io.BytesIO(b"content")

    monkeypatch.setattr(debian.urllib.request, "urlopen", urlopen)
    monkeypatch.setenv(debian.MIRROR, "https://mirror.example/debian/")
    path = debian.fetch_package("small", "pool/small_1_all.deb", bare)
    assert path == bare / "small_1_all.deb" and path.read_bytes() == b"content"
    assert asked == ["https://mirror.example/debian/pool/small_1_all.deb"]
    with pytest.raises(NotFetched, match=r"not be downloaded \(.*no network.*check COURSE_DEB"):
        debian.fetch_package("small", "pool/small_1_all.deb", bare)
    monkeypatch.setenv(debian.MIRROR, "file:///etc")
    with pytest.raises(
        NotFetched, match=r"must be an address like https://…/debian, got file:///etc/p"
    ):
        debian.fetch_package("small", "pool/small_1_all.deb", bare)


@pytest.mark.parametrize("updates", [True, False])
def test_apt_updates_lists_of_its_own_where_it_finds_nothing(tmp_path, monkeypatch, updates):
    commands = []

    def run(command, cwd, **options):
        commands.append(command[command.index("APT::Sandbox::User=root") + 1 :])
        if updates and len(commands) == 3:
            (cwd / "small_1_all.deb").touch()
        return subprocess.CompletedProcess(command, 100, "", "W: x\nE: Unable to locate small\n")

    monkeypatch.setattr(debian.subprocess, "run", run)
    monkeypatch.setattr(debian.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.delenv(debian.MIRROR, raising=False)
    if updates:
        assert debian.fetch_package("small", "-", tmp_path) == tmp_path / "small_1_all.deb"
    else:
        with pytest.raises(NotFetched, match=r"small could not be downloaded \(E: Unable to"):
            debian.fetch_package("small", "-", tmp_path)
    assert commands[0] == ["download", "small"] and len(commands) == 3
    own = ["-o", f"Dir::State::Lists={tmp_path}/lists", "-o", f"Dir::Cache={tmp_path}/cache"]
    assert commands[1:] == [[*own, "update"], [*own, "download", "small"]]


@pytest.mark.skipif(os.environ.get("COURSE_MODELS") == "no", reason="COURSE_MODELS=no")
@pytest.mark.parametrize(
    ("language", "count", "day"),
    [("en", 551, "Monday"), ("fr", 509, "Lundi"), ("es", 479, "Lunes"), ("it", 584, "Lunedì"),
     ("ru", 554, "понедельник")],
)  # fmt: skip
def test_the_real_ones(language, count, day):
    if not VOICES[language].file.kept.exists() and not shutil.which("apt-get"):
        pytest.skip("apt-get is not installed")
    found = {r.name: r for r in voices(language)}
    assert len(found) == count and found["digits/day-1"].text == day
    assert all(r.rate == 8000 and 0 < r.samples.abs().max() <= 1 for r in found.values())
    speaker = found["digits/0"].speaker.split(",")[0].removeprefix("a speaker of ")
    notice = VOICES[language].file.kept.read_bytes()
    assert speaker.encode() in notice  # of copyright, as it stands in the file
