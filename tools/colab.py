"""The cell that every notebook carries, word for word: what is missing, and where to get it.

In Colab it installs the library, from the one address that `make address` writes.
"""

SNIPPET = """\
import importlib.util
import sys

COURSE_ZIP = ""
if importlib.util.find_spec("course_lib") is None:
    if "google.colab" not in sys.modules or not COURSE_ZIP:
        raise ModuleNotFoundError(
            "This notebook needs the library of its course, for Python "
            "3.11 or later. In a copy of the course: make lab. Elsewhere: "
            "python -m pip install "
            + (COURSE_ZIP or "the wheel that your instructor hands out.")
        )
    %pip install -q {COURSE_ZIP}"""


def snippet(archive: str) -> str:
    """The cell, with the address of a zip of the repository in it; "" for none."""
    return SNIPPET.replace('COURSE_ZIP = ""', f'COURSE_ZIP = "{archive}"', 1)
