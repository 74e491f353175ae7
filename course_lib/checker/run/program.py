"""The program that a notebook hands in for a task: which statements of which cells run.

Cells are `(task, source)`, in the notebook's order: the task that the cell's metadata names, or
None. A task's answer is the last cell that defines its name, as the last definition wins in a
notebook; else the last cell whose metadata names it. It runs from its top to the last line that
the answer needs; what is below, a print or a test, is not needed. Of every other cell those
statements run that define or change a name that the program uses. For a name that is defined more
than once the last definition at or above the answer counts, else the first cell below.

Only text is read here and nothing is run. `check`, `attn check` and the grader all run what this
module chose: that makes their verdicts one.
"""

import builtins
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from course_lib.checker.run.jupyter import cleaned
from course_lib.checker.run.statements import Statement, named_in_text, read_statements

Cells = Sequence[tuple[str | None, str]]
Place = tuple[int, int]  # a cell, a statement in it
BUILTINS = frozenset(vars(builtins))
TOOLS = {"check", "hint", "show"}  # of course_lib; an answer that still calls them is an answer
MAX_NAMES = 2_000  # of one program, sent back from the process that read it


@dataclass(frozen=True)
class Program:
    """What runs for one task.

    `pieces` are the cells, the answer's own last, each with the numbers of its statements that run
    (None: the whole cell, which Python cannot read). `lines` are the lines of text, from 0, of the
    definitions among them, without docstrings.
    """

    task: str
    pieces: tuple[tuple[str, tuple[int, ...] | None], ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    others: tuple[str, ...] = ()  # other tasks whose answers it uses
    names: tuple[str, ...] = ()  # every identifier in it
    undefined: tuple[str, ...] = ()  # names that it uses and no cell defines
    idle: tuple[str, ...] = ()  # the first line of what is below the answer in its own cell
    shadows: bool = False  # whether the notebook gives `check` another meaning

    @property
    def text(self) -> str:
        """The lines of all definitions."""
        parts = []
        for (source, _), lines in zip(self.pieces, self.lines, strict=True):
            of_cell = cleaned(source).split("\n")
            parts += [of_cell[number] for number in lines if number < len(of_cell)]
        return "\n".join(parts)


def assemble(cells: Cells, tasks: Iterable[str]) -> dict[str, Program]:
    """The program of each task; without pieces where the notebook has no answer."""
    notebook = _Notebook(cells)
    tasks = list(tasks)
    return {task: notebook.program(task, tasks) for task in tasks}


def source_of(cells: Cells, task: str, elsewhere: Collection[str] = ()) -> str:
    """The text of a task's answer and of what it needs, in the order in which it runs: imports,
    helpers, values. Names that are found `elsewhere` are left out; "" where there is no answer that
    Python can read."""
    notebook = _Notebook(cells)
    own = notebook.own_cell(task)
    if own is None or own in notebook.broken:
        return ""
    needed, _ = notebook._choose(task, own, from_top=False, elsewhere=elsewhere)
    parts = []
    for c, s in sorted(needed, key=lambda place: (place[0] == own, place)):
        if s < 0 or notebook.read[c][s].kind == "future":
            continue
        lines = cleaned(cells[c][1]).split("\n")
        first, end = notebook.read[c][s].lines
        while first and lines[first - 1].startswith("#") and "SOLUTION" not in lines[first - 1]:
            first -= 1  # what is said above a function goes with it
        parts.append((notebook.read[c][s].kind, "\n".join(lines[first:end]).rstrip()))
    text = ""
    for number, (kind, part) in enumerate(parts):
        near = number and kind == parts[number - 1][0] != "definition"
        text += ("" if not number else "\n" if near else "\n\n\n") + part
    return text


class _Notebook:
    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self.read = [read_statements(source) or () for _, source in cells]
        self.binds: dict[str, list[Place]] = {}
        self.touches: dict[str, list[Place]] = {}
        for place, one in self._all():
            for name in one.binds:
                self.binds.setdefault(name, []).append(place)
            for name in one.binds | one.changes | one.calls:
                self.touches.setdefault(name, []).append(place)
        self.shadows = any(
            self.read[c][s].kind not in ("import", "star") for c, s in self.binds.get("check", ())
        )
        self.broken = {
            number: named_in_text(source)
            for number, (_, source) in enumerate(cells)
            if read_statements(source) is None
        }

    def _all(self) -> Iterable[tuple[Place, Statement]]:
        for c, statements in enumerate(self.read):
            for s, one in enumerate(statements):
                yield (c, s), one

    def own_cell(self, task: str) -> int | None:
        """The place of a task's answer; None when there is none."""
        own = [c for c, _ in self.binds.get(task, ())]
        own += [c for c, names in self.broken.items() if task in names]
        own = own or [c for c, (name, _) in enumerate(self.cells) if name == task]
        return max(own, default=None)

    def program(self, task: str, tasks: Collection[str]) -> Program:
        own = self.own_cell(task)
        if own is None:
            return Program(task)
        if own in self.broken:
            return Program(task, ((self.cells[own][1], None),), ((),))
        needed, undefined = self._choose(task, own, from_top=False)
        chosen, _ = self._choose(task, own, from_top=True)
        broken = {c for c, s in chosen if s < 0} - {own}
        order = [*sorted({c for c, _ in chosen} - {own}), own]
        pieces, lines = [], []
        for c in order:
            mine = tuple(sorted(s for cell, s in chosen if cell == c and s >= 0))
            pieces.append((self.cells[c][1], None if c in broken else mine))
            lines.append(self._lines(c, [s for s in mine if (c, s) in needed]))
        run = [self.read[c][s] for c, s in needed if s >= 0]
        used = {name for one in run for name in one.uses} - {task}
        return Program(
            task=task,
            pieces=tuple(pieces),
            lines=tuple(lines),
            others=tuple(name for name in tasks if name in used),
            names=tuple(sorted({name for one in run for name in one.names})[:MAX_NAMES]),
            undefined=tuple(sorted(undefined)[:MAX_NAMES]),
            idle=self._idle(own, chosen),
            shadows=self.shadows,
        )

    def _choose(
        self, task: str, own: int, from_top: bool, elsewhere: Collection[str] = ()
    ) -> tuple[set[Place], set[str]]:
        """The statements that a task needs, a broken cell as statement -1, and with `from_top` all
        above them in its own cell; the names that have no definition. Names that are `elsewhere`
        are not looked for."""
        stars = [place for place, one in self._all() if one.kind == "star"]
        chosen = {place for place, one in self._all() if one.kind == "future"}
        undefined: set[str] = set()
        queue, seen = [task], {task, *elsewhere}
        while queue:
            name = queue.pop()
            found = self._defining(name, own)
            if not found and name not in BUILTINS:
                undefined.add(name)
                found = set(stars)
            if from_top:
                last = max((s for c, s in found if c == own), default=-1)
                found |= {(own, s) for s in range(last + 1)}
            while found := found - chosen:
                chosen |= found
                here = [(c, s) for c, s in found if s >= 0]
                more = {name for c, s in here for name in self.read[c][s].uses} - seen
                seen |= more
                queue += more
                above = [
                    self._before(name, (c, s)) for c, s in here for name in self.read[c][s].at_once
                ]
                found = set().union(*above)
        if task in undefined:  # the whole cell says why
            chosen |= {(own, s) for s in range(len(self.read[own]))}
        return chosen, undefined

    def _defining(self, name: str, own: int) -> set[Place]:
        """The statements that give a name its value where the answer is."""
        bound = self.binds.get(name, [])
        above = [c for c, _ in bound if c <= own] + [
            c for c, names in self.broken.items() if name in names and c <= own
        ]
        below = [c for c, _ in bound if c > own]
        if above and max(above) in self.broken:
            return {(max(above), -1)}
        if not above and not below:
            return set()
        last = own if above else min(below)
        return self._before(name, (last + 1, 0))

    def _before(self, name: str, end: Place) -> set[Place]:
        """The statements above a place that give a name its value there: where it is defined anew
        below, `old = f` means the `f` above."""
        found = set()
        for c, s in reversed([place for place in self.touches.get(name, ()) if place < end]):
            one = self.read[c][s]
            if name in one.binds or name in one.changes or self._is_value(name):
                found.add((c, s))
            if name in one.binds and not one.perhaps and name not in one.at_once:
                break
        return found

    def _is_value(self, name: str) -> bool:
        """Whether a name is given by `=`, not by `def` or `import`: its methods may change it."""
        kinds = {self.read[c][s].kind for c, s in self.binds.get(name, ())}
        return kinds == {"value"}

    def _lines(self, cell: int, numbers: Iterable[int]) -> tuple[int, ...]:
        kept = [self.read[cell][s] for s in numbers]
        kept = [one for one in kept if one.kind in ("definition", "value")]
        return tuple(n for one in kept for n in range(*one.lines) if n not in one.texts)

    def _idle(self, own: int, chosen: set[Place]) -> tuple[str, ...]:
        lines = cleaned(self.cells[own][1]).split("\n")
        left = [one for s, one in enumerate(self.read[own]) if (own, s) not in chosen]
        shown = [lines[one.lines[0]].strip()[:80] for one in left if not one.names & TOOLS]
        return tuple(shown[:1])
