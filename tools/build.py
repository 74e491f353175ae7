"""Build the book: execute what changed, side by side, then write the pages.

    python -m tools.build [--jobs N]

A page whose cell fails does not take the others away: every page is written, that one says on top
what failed, the last lines name page, cell and error, and the exit status is 1.
"""

import argparse
import errno
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import yaml
from sqlalchemy.exc import OperationalError

from tools.contents import faults, left_out
from tools.execute import execute, pages
from tools.messages import english

ROOT = Path.cwd()
SPHINX = ["jupyter-book", "build", ".", "-q", "-W", "-n", "--keep-going"]


def unreadable(root: Path) -> dict[str, str]:
    """Pages that are no notebooks, such as one with a merge's conflict marks in it."""
    found = {}
    for name in pages(root):
        try:
            nbformat.read(root / f"{name}.ipynb", as_version=4)
        except Exception as error:
            found[name] = f"The file is no notebook: {error}".splitlines()[0]
    return found


def forget_other_contents(root: Path) -> None:
    """Take away pages that were written for another table of contents; executions are kept.

    Sphinx writes a page again when its own text changes. Which pages there are stands in every
    sidebar, and a page that was dropped would go on being published, with links that lead to it.
    """
    contents, written_for = root / "_toc.yml", root / "_build" / "contents.yml"
    text = contents.read_bytes()
    if not written_for.exists() or written_for.read_bytes() != text:
        for folder in ("html", ".doctrees"):
            shutil.rmtree(root / "_build" / folder, ignore_errors=True)
    written_for.parent.mkdir(exist_ok=True)
    written_for.write_bytes(text)


def build(root: Path, jobs: int | None) -> int:
    start = time.monotonic()
    if wrong := faults(root):
        print("\n".join(f"_toc.yml: {sentence}" for sentence in wrong))
        return 1
    forget_other_contents(root)
    failures = unreadable(root)
    if failures:
        print(report(failures, "Nothing was built; mend these files first"))
        return 1
    settings = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    failures = execute(root, settings["execute"]["timeout"], jobs)
    print("Writing the pages: one to three minutes when all of them are new", flush=True)
    status = subprocess.run(SPHINX, cwd=root, check=False).returncode
    took = f"{time.monotonic() - start:.0f} seconds"
    if failures:
        pages_are = (
            "what Sphinx said of the pages stands above" if status else "every page is there"
        )
        print(report(failures, f"After {took}: {pages_are}, and these failed"))
        return 1
    if status:
        print(f"After {took}: every notebook ran; what Sphinx said against the pages stands above.")
        return status
    still = "".join(f"{line}\n" for line in english(root))
    print(f"{still}{without(root)}The book is in _build/html/index.html, after {took}.")
    print(buttons(root))
    return 0


def buttons(root: Path) -> str:
    """Whether cells can be run in the pages, and what is missing where they cannot."""
    if (root / ".venv" / "live" / "LICENCES.txt").exists():
        return "Cells of a dozen pages and exercises have a Run button, from disk too."
    lacking = "make live" if shutil.which("npm") else "npm (Debian: apt-get install npm)"
    return f"No cell has a Run button: that needs {lacking}, then make book again."


def without(root: Path) -> str:
    """Which pages the contents leave out, and how many links to them machine/left_out.py undid."""
    pages = left_out(root)
    if not pages:
        return ""
    written = (root / "_build" / "html").rglob("*.html")
    links = sum(path.read_text(encoding="utf-8").count("attn-left-out") for path in written)
    return (
        f"_toc.yml has no line for {', '.join(pages)}: the book leaves them out, and {links} links "
        f"to them are plain words. To list one: - file: {pages[0]}\n"
    )


def report(failures: dict[str, str], head: str) -> str:
    return "\n".join([f"{head}:", *(f"  {name}: {what}" for name, what in failures.items())])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, help="notebooks at a time; one for each processor")
    given = parser.parse_args(arguments)
    try:
        return build(ROOT, given.jobs)
    except (OSError, OperationalError) as error:  # the latter is the cache's, which is SQLite
        full = "database or disk is full" in str(error)
        if not full and getattr(error, "errno", None) != errno.ENOSPC:
            raise
        print("The disk is full: free about 1 GB for _build/. What was executed is kept.")
        return 1


if __name__ == "__main__":
    sys.exit(main())
