"""What a task asks for, before any code is written: a few inputs, and beside each what is right.

A notebook shows it as one picture, a terminal as text.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.checker.escape import html, prose
from course_lib.checker.say.drawing import (
    CELL_HEIGHT,
    CELL_WIDTH,
    WIDTH,
    Rows,
    cells,
    image,
    label,
    largest,
)

GAP, LINE, TITLE = 22, 15, 26
LETTER, CODE_LETTER = 7.4, 6.7  # how wide one is, about
COLUMNS = 44  # letters of a line of code
ARROW = 28
CODE = ' font-family="monospace" font-size="11" xml:space="preserve"'
BOLD = ' font-weight="bold"'


@dataclass(frozen=True)
class Thing:
    """An argument or a result: as text, and as matrices where it holds numbers (or as lines)."""

    name: str
    about: str  # its shape, or nothing
    text: str
    matrices: tuple[tuple[str, Rows], ...] = ()  # ("[0]", its rows)

    @property
    def lines(self) -> list[str]:
        if self.matrices:
            return []
        return [
            part for line in self.text.split("\n") for part in textwrap.wrap(line, COLUMNS) or [""]
        ]

    @property
    def width(self) -> int | float:
        wide = [LETTER * (len(self.name) + len(self.about) + 2)]
        wide += [CODE_LETTER * len(line) for line in self.lines]
        wide += [CELL_WIDTH * len(rows[0]) for _, rows in self.matrices]
        return max(wide)

    @property
    def height(self) -> int | float:
        matrices = sum(CELL_HEIGHT * len(rows) + LINE * bool(part) for part, rows in self.matrices)
        return LINE + 6 + (matrices or LINE * len(self.lines))

    def drawn(self, left: int | float, top: int | float) -> Iterator[str]:
        yield label(self.name, left, top + 11, BOLD)
        yield label(self.about, left + LETTER * (len(self.name) + 1.5), top + 11)
        top += LINE + 3
        for number, line in enumerate(self.lines, 1):
            yield label(line, left, top + LINE * number - 4, CODE)
        most = max((largest(rows) for _, rows in self.matrices), default=1)
        for part, rows in self.matrices:
            if part:
                yield label(part, left, top + 10, CODE)
                top += LINE
            yield from cells(rows, left, top, most)
            top += CELL_HEIGHT * len(rows)


@dataclass(frozen=True)
class Shown:
    """One set of inputs and what is right for them; `title` says what it is an example of."""

    title: str
    given: tuple[Thing, ...]
    right: tuple[Thing, ...]


@dataclass(frozen=True)
class Target:
    """What `show` returns."""

    call: str  # how an answer is called
    examples: tuple[Shown, ...] = ()
    note: str = ""

    def __repr__(self) -> str:
        parts = [self.call] if self.call else []
        parts += [self.note] if self.note else []
        for one in self.examples:
            things = [_text(f"{thing.name} = ", thing.text) for thing in one.given]
            things += [_text(f"{thing.name}: ", thing.text) for thing in one.right]
            parts.append("\n".join([f"\n{one.title}", *things]))
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        call = f"<p><code>{html(self.call)}</code></p>" if self.call else ""
        note = f"<p>{prose(self.note)}</p>" if self.note else ""
        if not self.examples:
            return call + note
        return (
            f"{call}{note}{_picture(self.examples)}<details>"
            '<summary style="cursor:pointer;text-decoration:underline">The same as text</summary>'
            f"<pre>{html(repr(self))}</pre></details>"
        )


def _text(before: str, text: str) -> str:
    return "  " + before + text.replace("\n", "\n" + " " * (len(before) + 2))


def _picture(examples: Sequence[Shown]) -> Any:
    parts, top, right = [], 0.0, 0.0
    for one in examples:
        parts.append(label(one.title.replace("`", ""), GAP / 2, top + 17, ' font-style="italic"'))
        left, top, high = GAP / 2, top + TITLE, 0.0
        for thing in (*one.given, *one.right):
            arrow = (ARROW + GAP) * (thing is one.right[0])
            if left > GAP and left + arrow + thing.width > WIDTH:
                left, top, high = GAP / 2, top + high + GAP / 2, 0.0
            if arrow:
                parts.append(label("→", left, top + LINE + 22, ' font-size="24"'))
                left += arrow
            parts += thing.drawn(left, top)
            high = max(high, thing.height)
            left += thing.width + GAP
            right = max(right, left)
        top += high + GAP / 2
    titles = "; ".join(one.title for one in examples)
    words = f"Inputs and the right result for: {titles}. The same stands below as text."
    return image(parts, max(right, 320), top + GAP / 4, words)
