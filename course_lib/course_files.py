"""Files of the course that pages read: in a copy of it, and where the wheel alone is installed."""

from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]


def course_file(name: str) -> Path:
    """The path of a file, by its name from the root of the course: `book/glossary.md`.

    Where there is no copy of the course, it is the file that the wheel brought, which
    pyproject.toml lists in `[tool.setuptools.data-files]`. Raises FileNotFoundError.
    """
    if (ROOT / name).exists():
        return ROOT / name
    try:
        brought = metadata.files("course-lib") or []
    except metadata.PackageNotFoundError:
        brought = []
    for file in brought:
        if file.as_posix().endswith(f"share/attention-course/{name}"):
            return Path(str(file.locate()))
    raise FileNotFoundError(
        f"{name} is not in this installation of the course. Install it anew, or work in a copy of "
        "the course."
    )
