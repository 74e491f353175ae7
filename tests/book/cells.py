"""The cells of a page as they are stored, and which cell makes what another reads."""

import ast
import re
import symtable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.book.test_runs_as_read import MAGIC, names
from tools.notebooks import printed, read

BOOK = Path(__file__).parents[2] / "book"
HEADING = re.compile(r"^(?:#+ |:{3,}\{dropdown\} (?:\d+\. )?)(.+)$", re.M)


@dataclass(frozen=True)
class Part:
    """A cell or a section: its prose, its code, what the code printed, and a figure's words."""

    name: str
    prose: str = ""
    code: str = ""
    output: str = ""
    caption: str = ""

    def holds(self, kind: str) -> str:
        """What may show an item of this kind."""
        return {"output": self.output, "text": self.prose, "figure": self.caption}[kind]


@cache
def parts(page: str) -> tuple[Part, ...]:
    """The cells of a notebook, or the whole of a text page ("") and its sections."""
    path = BOOK / (page if page.endswith(".md") else f"{page}.ipynb")
    if not path.exists():
        return ()
    if path.suffix == ".md":
        text = path.read_text("utf-8")
        starts = [(found[1], found.start()) for found in HEADING.finditer(text)]
        ends = [start for _, start in starts[1:]] + [len(text)]
        sections = zip(starts, ends, strict=True)
        return (
            Part("", prose=text),
            *(Part(name, prose=text[start:end]) for (name, start), end in sections),
        )
    found = []
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            found.append(Part(cell.id, prose=cell.source))
            continue
        drawn = cell.metadata.get("mystnb", {})
        words = (
            drawn.get("figure", {}).get("caption", ""),
            drawn.get("image", {}).get("alt", ""),
        )
        found.append(Part(cell.id, "", cell.source, "\n".join(printed(cell)), "\n".join(words)))
    return tuple(found)


@cache
def labels(code: str) -> tuple[str, ...]:
    """The first arguments of the calls of `claim`, an f-string with its braces."""
    if "claim(" not in code:
        return ()
    nodes = ast.walk(ast.parse(MAGIC.sub(r"\1pass", code)))
    calls = (node for node in nodes if isinstance(node, ast.Call))
    firsts = (c.args[0] for c in calls if isinstance(c.func, ast.Name) and c.func.id == "claim")
    return tuple(ast.unparse(first).removeprefix("f")[1:-1] for first in firsts)


@cache
def made_and_read(code: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a cell makes, imports apart, and those that it reads."""
    bound, reads = names(code)
    top = symtable.symtable(MAGIC.sub(r"\1pass", code), "cell", "exec")
    imported = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_imported()}
    return frozenset(bound - imported), frozenset(reads)


def makers(page: tuple[Part, ...], place: int) -> set[int]:
    """The cells above that last made what the cell at this place reads."""
    found = set()
    for name in made_and_read(page[place].code)[1]:
        above = (i for i in range(place - 1, -1, -1) if name in made_and_read(page[i].code)[0])
        found |= {i for i in [next(above, None)] if i is not None}
    return found


def depends(page: tuple[Part, ...], check: int, cell: int) -> bool:
    """Whether a check reads what the cell made, at any remove, or what the cell itself reads."""
    found, waiting = set(), [check]
    while waiting:
        new = makers(page, waiting.pop()) - found
        found |= new
        waiting += new
    return cell in found or bool(makers(page, check) & makers(page, cell))
