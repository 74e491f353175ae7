"""What the course has: the pages that _toc.yml lists. Tools and tests ask here.

A chapter or an exercise whose line is deleted, or begins with #, is not in the course; its file may
stay.
"""

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
NO_CHAPTERS = ("Practise", "Study aids", "Teaching with it", "Reference")


def parts(root: Path = ROOT) -> dict[str, list[str]]:
    """The pages of each part, by its caption."""
    contents = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    return {one["caption"]: files(one.get("chapters")) for one in contents["parts"]}


def listed(root: Path = ROOT) -> list[str]:
    """Every page, in the order of the contents, such as `book/softmax`."""
    return files(yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8")))


def files(part) -> list[str]:
    """The pages below a piece of the contents, at any depth."""
    if isinstance(part, list):
        return [name for item in part for name in files(item)]
    if isinstance(part, dict):
        own = [part["file"]] if "file" in part else []
        return own + files(list(part.values()))
    return []


def chapters(root: Path = ROOT) -> list[str]:
    """The pages that teach."""
    named = parts(root).items()
    return [page for caption, pages in named if caption not in NO_CHAPTERS for page in pages]


def left_out(root: Path = ROOT) -> list[str]:
    """The notebooks of book/ and exercises/ that the contents do not list."""
    there = [
        f"{f}/{path.stem}" for f in ("book", "exercises") for path in (root / f).glob("*.ipynb")
    ]
    return sorted(set(there) - set(listed(root)))
