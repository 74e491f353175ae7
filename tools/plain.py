"""Chapters in plain Markdown, for Colab and VS Code, which know none of the book's directives.

    python3 tools/plain.py        rewrite book/*.ipynb in place, on the branch that is launched

Answers stay folded (`<details>`), boxes become quotations with a title, pages and exercises become
links to their notebooks, terms become words, citations become names and years. Needs no package.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^(:{3,}|`{3,})(?:\{([\w:-]+)\}(.*))?\s*$")
OPTION = re.compile(r"^:[\w-]+:.*$")
ROLE = re.compile(r"(?<!\w)\{([\w:-]+)\}`([^`]+)`")
TARGET = re.compile(r"^(?P<words>.*?)\s*<(?P<target>[^<>]+)>$", re.S)
ENTRY = re.compile(r"^@\w+\{(\w+),(.*?)^\}", re.M | re.S)
FOLDED = {"dropdown"}


def title_of(path: Path) -> str:
    """The first heading of a notebook or of a page of text; its name where there is none."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join(
            "".join(c["source"]) for c in json.loads(text)["cells"] if c["cell_type"] == "markdown"
        )
    found = re.search(r"^# (.+)$", text, re.M)
    return found[1] if found else path.stem


def family(author: str) -> str:
    """`Bahdanau` of `Bahdanau, Dzmitry`; a name in braces is one name."""
    author = author.strip()
    if not author.startswith("{"):
        author = author.partition(",")[0] if "," in author else author.split()[-1]
    return re.sub(r"[{}\\\"']", "", author)


def authors_and_year(entry: str) -> tuple[str, str]:
    """`Bahdanau et al.` and `2015` from the fields of a BibTeX entry."""
    field = dict(re.findall(r"^\s*(\w+)\s*=\s*\{(.*)\},?\s*$", entry, re.M))
    families = [family(author) for author in field["author"].split(" and ")]
    names = f"{families[0]} et al." if len(families) > 2 else " and ".join(families)
    return names, field["year"]


class Plain:
    """Markdown without directives and roles, for the notebooks of one copy of the course."""

    def __init__(self, root: Path) -> None:
        self.root = root
        bib = (root / "book" / "references.bib").read_text(encoding="utf-8")
        self.cited = {key: authors_and_year(entry) for key, entry in ENTRY.findall(bib)}

    def notebook(self, path: Path) -> str:
        """The file's text with every Markdown cell rewritten."""
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                text = self.markdown("".join(cell["source"]), path.parent)
                cell["source"] = text.splitlines(keepends=True)
        return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"

    def markdown(self, text: str, folder: Path) -> str:
        """One cell. Raises ValueError for a directive or role that has no plain form."""
        parts: list[tuple[str, str, list[str]]] = [("", "", [])]  # kind, title, lines
        code = ""  # the fence of a block of code, whose lines are nobody's markup
        for line in text.split("\n"):
            fence = FENCE.match(line)
            if code:
                parts[-1][2].append(line)
                code = "" if line.startswith(code) else code
            elif fence and fence[2]:
                parts.append((fence[2], fence[3].strip(), []))
            elif fence and len(parts) > 1:
                kind, title, lines = parts.pop()
                parts[-1][2].extend(self.block(kind, title, lines, folder))
            elif line.startswith("```"):
                code = "```"
                parts[-1][2].append(line)
            elif not re.match(r"^\([\w-]+\)=$", line):  # a label
                parts[-1][2].append(line)
        prose = "\n".join(parts[0][2])

        def words(found: re.Match) -> str:
            text = self.role(found[1], found[2], folder)
            begins = re.search(r"(^|\n|[.?!] )$", prose[: found.start()])
            return text[:1].upper() + text[1:] if begins and found[1] == "numref" else text

        return ROLE.sub(words, prose)

    def block(self, kind: str, title: str, lines: list[str], folder: Path) -> list[str]:
        """A directive's lines in plain Markdown."""
        while lines and (OPTION.match(lines[0]) or not lines[0].strip()):
            lines = lines[1:]
        if kind in FOLDED:
            return [f"<details><summary>{title}</summary>", "", *lines, "", "</details>", ""]
        if kind in ("admonition", "warning"):
            quoted = [f"> {line}".rstrip() for line in lines]
            return [f"> **{title or kind.capitalize()}**", ">", *quoted, ""]
        if kind == "math":
            return ["$$", *lines, "$$"]
        if kind == "div":
            return lines
        if kind == "literalinclude":
            source = (folder / title).read_text(encoding="utf-8").rstrip("\n")
            return ["```python", *source.split("\n"), "```"]
        raise ValueError(f"the directive {kind} has no plain form; add one to tools/plain.py.")

    def role(self, kind: str, text: str, folder: Path) -> str:
        """A role's words."""
        found = TARGET.match(text)
        words, target = (found["words"], found["target"]) if found else ("", text)
        if kind in ("doc", "exercise"):
            return self.link(words, target if kind == "doc" else f"/exercises/{target}", folder)
        if kind in ("cite:p", "cite:t"):
            cited = [self.cited[key.strip()] for key in text.split(",")]
            if kind == "cite:t":
                return ", ".join(f"{names} ({year})" for names, year in cited)
            return "(" + "; ".join(f"{names}, {year}" for names, year in cited) + ")"
        if kind == "numref":
            return words or "the figure"
        if kind == "eq":
            return "the formula of the page"
        if kind in ("term", "ref", "level"):
            return words or target
        raise ValueError(f"the role {kind} has no plain form; add one to tools/plain.py.")

    def link(self, words: str, target: str, folder: Path) -> str:
        """A link to a page from a notebook in `folder`."""
        place = self.root / target[1:] if target.startswith("/") else folder / target
        for path in (place.with_suffix(".ipynb"), place.with_suffix(".md")):
            if path.exists():
                up = "" if path.parent == folder else f"../{path.parent.name}/"
                return f"[{words or title_of(path)}]({up}{path.name})"
        return words or target  # a page that this copy of the course does not have


def main() -> int:
    plain = Plain(ROOT)
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        path.write_text(plain.notebook(path), encoding="utf-8", newline="\n")
    print("The chapters in book/ are in plain Markdown now; git restore book takes it back.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
