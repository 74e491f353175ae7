"""A table that a cell ends in: HTML on a page, aligned text in a terminal and for the tests."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence

ABOUT = "≈"
# `tests/nbval.cfg` takes a number after ≈ out, and the blanks before it. So that nothing else of a
# line depends on that number's width, a column with ≈ is at least so wide.
ABOUT_WIDTH = 12


def table(
    rows: Iterable[Sequence[object]], columns: Iterable[str] | Mapping[str, str], caption: str = ""
) -> "Table":
    """Rows of values under their headings, numbers to the right.

    In a notebook it is the last line of its cell:

        table([(2, 0.51), (4, 0.127)], {"heads": "", "loss": "≈ .2f"})

    Args:
        rows: each with one value a column; None is shown as –.
        columns: the headings, or a heading → format for each: ".2f", ",", ".0%". With ≈ before the
            format (what training makes unstable) the sign is shown and the number is not compared.
            A format is for numbers: text stays as it is.
        caption: what the table shows, in a few words.

    Raises ValueError for no row, or a row with more or fewer values than there are columns.
    """
    formats = dict(columns) if isinstance(columns, Mapping) else dict.fromkeys(columns, "")
    values = [list(row) for row in rows]
    if not values:
        raise ValueError(f"A table of {', '.join(formats)} needs at least one row; it got none.")
    for number, row in enumerate(values, 1):
        if len(row) != len(formats):
            raise ValueError(
                f"Row {number} has {len(row)} values and the table {len(formats)} columns "
                f"({', '.join(formats)}): give one value for each."
            )
    cells = [
        [_shown(value, spec) for value, spec in zip(row, formats.values(), strict=True)]
        for row in values
    ]
    right = [not any(isinstance(v, str) for v in column) for column in zip(*values, strict=True)]
    return Table(list(formats), cells, right, caption)


def _shown(value: object, spec: str) -> str:
    """One value as it stands in the table."""
    if value is None or isinstance(value, str):
        return "–" if value is None else value
    about = spec.startswith(ABOUT)
    return f"{ABOUT} " * about + format(value, spec.removeprefix(ABOUT).strip())


def _joined(cell: str) -> str:
    """A range and a per cent sign stay in one line: 0.08–0.14, 93 %."""
    return re.sub(r"(?<=\d) %", "\u00a0%", re.sub(r"(?<=\d)–(?=\d)", "–\u2060", cell))


class Table:
    """What `table` returns: `print` shows text, a notebook and the book's pages show HTML."""

    def __init__(
        self, heads: list[str], cells: list[list[str]], right: list[bool], caption: str
    ) -> None:
        self.heads, self.cells, self.right, self.caption = heads, cells, right, caption

    def __repr__(self) -> str:
        columns = [[head, *cells] for head, *cells in zip(self.heads, *self.cells, strict=True)]
        about = [any(ABOUT in cell for cell in column) for column in columns]
        widths = [
            max(ABOUT_WIDTH * unsure, *map(len, column))
            for unsure, column in zip(about, columns, strict=True)
        ]
        lines = [self.caption] if self.caption else []
        for row in (self.heads, *self.cells):
            placed = [
                cell.rjust(width) if right or unsure else cell.ljust(width)
                for cell, width, right, unsure in zip(row, widths, self.right, about, strict=True)
            ]
            lines.append("  ".join(placed).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        heads = self._row(self.heads, ["th scope='col'"] * len(self.heads))
        kinds = ["th scope='row'", *["td"] * (len(self.heads) - 1)]
        body = "\n".join(self._row(cells, kinds) for cells in self.cells)
        caption = f"<caption>{html.escape(self.caption)}</caption>\n" if self.caption else ""
        return (
            f'<table class="attn-table">\n{caption}<thead>{heads}</thead>\n'
            f"<tbody>\n{body}\n</tbody>\n</table>"
        )

    def _row(self, cells: list[str], kinds: list[str]) -> str:
        """One row; each kind is a cell's tag with its attributes."""
        placed = (
            f"<{kind} style='text-align: {'right' if right else 'left'}'>"
            f"{_joined(html.escape(cell))}</{kind.split()[0]}>"
            for cell, kind, right in zip(cells, kinds, self.right, strict=True)
        )
        return f"<tr>{''.join(placed)}</tr>"
