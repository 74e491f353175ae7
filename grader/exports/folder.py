"""The folder that a command writes into: beside the gradebook, or the one that --output names."""

import tempfile
from pathlib import Path

from course_lib.checker.errors import InputError


def writable(folder: Path) -> Path:
    """The folder, made where it is not there. Raises InputError where nothing can be written in
    it, as beside a gradebook that may only be read."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise InputError(
            f"The folder {str(folder)!r} cannot be written: {error.strerror}. Name another one "
            "with --output."
        ) from None
