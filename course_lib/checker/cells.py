"""The cells of the notebook in which `check` is called: those that ran, and the saved file's.

IPython keeps the text of every cell that ran. Where Jupyter says which file the notebook is, its
cells give the order, and those that did not run; of a cell that ran later than the file was saved,
what ran counts.
"""

import ast
import linecache
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_lib.checker.notebook import Unreadable, code_of, read_cells, read_file

Cell = tuple[str | None, str]
Saved = tuple[str | None, str | None, str]  # id, task, source
_runs: dict[int, tuple[str | None, float]] = {}  # number of a run: its cell, when


def watch(check: Callable | None = None, is_answer: Callable[[Any], bool] | None = None) -> None:
    """From now on, note which cell of the notebook runs, and when; and where a student has given
    `check` another meaning, a line `check(answer)` still calls the course's."""
    shell = shell_here()
    if shell and _note not in shell.events.callbacks.get("pre_run_cell", []):
        shell.events.register("pre_run_cell", _note)
    if (
        shell
        and check
        and is_answer
        and not any(type(one) is StillCheck for one in shell.ast_transformers)
    ):
        shell.ast_transformers.append(StillCheck(shell, check, is_answer))


def _note(info: Any) -> None:
    if info.store_history:
        _runs[len(shell_here().history_manager.input_hist_raw)] = (
            getattr(info, "cell_id", None),
            time.time(),
        )


class StillCheck(ast.NodeTransformer):
    """Makes a line `check(answer)` of the notebook call the course's check, whatever the name has
    come to mean; with anything but an answer it calls the student's own."""

    NAME = "_still_check"

    def __init__(self, shell: Any, check: Callable, is_answer: Callable[[Any], bool]) -> None:
        self.shell, self.course, self.is_answer = shell, check, is_answer

    def visit_Module(self, node: ast.Module) -> ast.Module:
        for one in node.body:
            call = one.value if isinstance(one, ast.Expr) else None
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "check":
                self.shell.user_ns[self.NAME] = self._choose
                call.func = ast.Call(ast.Name(self.NAME, ast.Load()), [call.func], [])
        return ast.fix_missing_locations(node)

    def _choose(self, own: Any) -> Callable:
        if own is self.course:
            return own
        return lambda *args, **kwargs: (self.course if args and self.is_answer(args[0]) else own)(
            *args, **kwargs
        )


def cells_here() -> tuple[list[Cell], list[Cell] | None] | None:
    """The notebook's cells as they ran, and as the file has them (None: the file is not known);
    None where there is no notebook."""
    shell = shell_here()
    if shell is None:
        return None
    ran, saved = _ran(shell), _saved(shell)
    if saved is None or not _same_notebook(ran, saved[0]):
        return [(None, one.source) for one in ran], None
    return _merged(ran, *saved), [(task, source) for _, task, source in saved[0]]


def folder_here() -> Path:
    """The folder of the notebook, where its front end says which file it is; else the one in which
    Python runs, which for a notebook is the same."""
    shell = shell_here()
    path = _file(shell) if shell else None
    return path.parent if path and path.parent.is_dir() else Path.cwd()


def names_here() -> Mapping[str, Any]:
    """What the notebook, or the program, has given a name."""
    shell = shell_here()
    return shell.user_ns if shell else vars(sys.modules["__main__"])


def shell_here() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


@dataclass(frozen=True)
class _Ran:
    """A cell as it ran last; `name` is None where the front end does not say which cell it was."""

    name: str | None
    source: str
    at: float


def _ran(shell: Any) -> list[_Ran]:
    """Each cell that ran, in the order of first runs; where the front end does not say which cell
    it was, each text that ran, in the order of last runs, as in the memory."""
    found: dict[str, _Ran] = {}
    history = shell.history_manager.input_hist_raw
    if not any(history):  # a front end that keeps none, as nbval: what was compiled is there
        names = filter(shell.compile.format_code_name, list(linecache.cache))
        sources = ("".join(linecache.getlines(name)) for name in names)
        return [_Ran(None, source, 0.0) for source in dict.fromkeys(sources)]
    for number, source in enumerate(history):
        if source:
            name, at = _runs.get(number, (None, 0.0))
            if name is None:
                found.pop(source, None)
            found[name or source] = _Ran(name, source, at)
    return list(found.values())


def _saved(shell: Any) -> tuple[list[Saved], float] | None:
    """The saved notebook's cells of code, and when it was saved; None where no file is known."""
    path = _file(shell)
    if path is None:
        return None
    try:
        cells, at = read_cells(read_file(str(path))[0]), path.stat().st_mtime
    except (Unreadable, OSError):
        return None
    parts = [(one.get("id"), code_of(one)) for one in cells if type(one) is dict]
    return [(name, *code) for name, code in parts if code], at


def _file(shell: Any) -> Path | None:
    name = shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME", "")
    if type(name) is not str or not name.endswith(".ipynb"):
        return None
    return Path(name) if Path(name).is_absolute() else Path(Path(name).name)


def _same_notebook(ran: list[_Ran], saved: list[Saved]) -> bool:
    """Whether the file is this notebook: it may have been renamed, or be another's."""
    ids, sources = {name for name, _, _ in saved}, {source for _, _, source in saved}
    return any(one.name in ids or one.source in sources for one in ran)


def _merged(ran: list[_Ran], saved: list[Saved], saved_at: float) -> list[Cell]:
    """The file's cells, those that ran since it was saved as they ran; a cell that the file does
    not have yet follows the one that ran before it."""
    since: dict[str | None, str] = {
        one.name: one.source for one in ran if one.name and one.at > saved_at
    }
    merged: list[Saved] = [(name, task, since.get(name, source)) for name, task, source in saved]
    at = 0
    for one in ran:
        place = next(
            (
                i
                for i, (name, _, text) in enumerate(merged)
                if one.source == text or one.name == name
            ),
            None,
        )
        if place is None and one.at > saved_at:
            merged.insert(at, (one.name or one.source, None, one.source))
            place = at
        at = at if place is None else place + 1
    return [(task, source) for _, task, source in merged]
