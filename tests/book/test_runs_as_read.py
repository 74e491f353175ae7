"""The code of a page runs as it is read: a cell that the page removes only asserts."""

import builtins
import re
import symtable
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from tools.notebooks import canonical, dumps, read

BOOK = Path(__file__).parents[2] / "book"
REMOVED = {"remove-cell", "remove-input"}
MAGIC = re.compile(r"^([ \t]*)[%!].*$", re.MULTILINE)


def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from scopes(child)


def names(source: str) -> tuple[set[str], set[str]]:
    """What a cell binds for the cells below it, and what it reads from outside its functions."""
    top = symtable.symtable(MAGIC.sub(r"\1pass", source), "cell", "exec")
    binds = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    reads = {
        symbol.get_name()
        for scope in scopes(top)
        for symbol in scope.get_symbols()
        if symbol.is_referenced() and (scope is top or symbol.is_global())
    }
    return binds, reads - set(dir(builtins))


def faults(path: Path) -> list[str]:
    """Names that a reader's cell uses and only a removed cell defines, as sentences."""
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    removed = [REMOVED & set(cell.metadata.get("tags", [])) for cell in cells]
    found = [names(cell.source) for cell in cells]
    shown, hidden = (
        set().union(
            *(binds for (binds, _), gone in zip(found, removed, strict=True) if bool(gone) == side)
        )
        for side in (False, True)
    )
    return [
        f"{path.stem}, cell {cell.id}: `{name}` is defined in a removed cell alone"
        for cell, (_, reads), gone in zip(cells, found, removed, strict=True)
        if not gone
        for name in sorted(reads & (hidden - shown))
    ]


@pytest.mark.parametrize("path", sorted(BOOK.glob("*.ipynb")), ids=lambda path: path.stem)
def test_what_a_reader_sees_needs_no_removed_cell(path):
    assert not (found := faults(path)), "\n".join(found)


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ("print(hidden)", True),
        ("def f():\n    return hidden", True),
        ("[hidden for x in range(2)]", True),
        ("[hidden for hidden in range(2)]", False),
        ("def f(hidden):\n    return hidden", False),
        ("hidden = 2\nprint(hidden)", False),
        ("print(len([]))", False),
    ],
)
def test_a_name_is_missed_where_python_would_miss_it(shown, told, tmp_path):
    cells = [nbformat.v4.new_code_cell(source) for source in ("%pip x\nhidden = 1", shown)]
    cells[0].metadata["tags"] = ["remove-cell"]
    path = tmp_path / "page.ipynb"
    path.write_text(dumps(canonical(nbformat.v4.new_notebook(cells=cells))), encoding="utf-8")
    assert bool(faults(path)) == told
