"""The cell that every notebook carries, word for word: what is missing, and where to get it.

In Colab it installs the library, from the one address that `make address` writes. Beside it, what
the rules of every exercise say of where it runs.
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
    if not archive:
        return SNIPPET
    package = f'"course-lib[course]@{archive}"'  # in quotes: zsh reads brackets as a pattern
    return SNIPPET.replace('COURSE_ZIP = ""', f"COURSE_ZIP = '{package}'", 1)


COPY = """\
**Where it runs.** In a copy of the course, with Python 3.11 or later, from the folder that holds
`constraints.txt`:

```
python -m pip install -c constraints.txt ".[course]" jupyterlab
jupyter lab exercises
```

If you got this notebook alone, ask whoever gave it to you for the course."""
CLONE = """\
**Where it runs.** In Colab the cell above installs all that is needed. At home, with Python 3.11 or
later:

```
git clone {repository}
cd {folder}
python -m pip install -c constraints.txt ".[course]" jupyterlab
jupyter lab exercises
```"""


def where(repository: str) -> str:
    """Where an exercise runs, as its rules say it: a clone of `repository`, "" for none."""
    return (
        CLONE.format(repository=repository, folder=repository.rpartition("/")[2])
        if repository
        else COPY
    )
