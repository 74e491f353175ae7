"""Run a page's cells in the browser as a notebook does: one namespace, text as it comes."""

import ast
import contextlib
import dis
import importlib.abc
import importlib.machinery
import json
import linecache
import sys
import traceback
from pathlib import Path

MOST = 20_000  # characters that one cell prints
# A browser has no matplotlib: what draws does nothing, and pages keep the figures they have.
DRAWS = ("matplotlib", "seaborn", "course_lib.figures", "ipywidgets")
HERE = Path(__file__).parent
namespace = {"__name__": "__main__"}
cells = []  # (task or None, source) of every cell of the page, as it is typed now


class TooMuch(Exception):
    """The cell has printed more than a page shows."""


class Printed:
    """A stream whose text goes to the page, up to MOST characters a cell."""

    encoding = "utf-8"

    def __init__(self, emit, kind):
        self.emit, self.kind, self.left = emit, kind, MOST

    def write(self, text):
        if self.left <= 0:
            raise TooMuch(f"The cell was stopped: it has printed {MOST:,} characters.")
        if text:  # a loop that prints nothing sends nothing
            self.emit(text[: self.left], self.kind)
        self.left -= len(text)
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


class Drawing:
    """Takes the place of figures, axes and everything on them; does nothing."""

    def __init__(self, *given, **named):
        pass

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return Drawing()

    def __call__(self, *given, **named):
        return Drawing()

    def __getitem__(self, key):
        return Drawing()

    def __add__(self, other):
        return Drawing()

    def __setitem__(self, key, value):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __iter__(self):
        """As many as `figure, axes = …` asks for; none for a loop."""
        frame = sys._getframe(1)
        line = next(i for i in dis.get_instructions(frame.f_code) if i.offset == frame.f_lasti)
        return iter([Drawing()] * (line.arg if line.opname == "UNPACK_SEQUENCE" else 0))


class Drawings(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that draw, each a package in which every name is a Drawing, but for the modules of
    ours that a page brings."""

    def find_spec(self, name, path=None, target=None):
        draws = any(name == one or name.startswith(f"{one}.") for one in DRAWS)
        if draws and not _comes_along(name):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        def missing(name):
            if name.startswith("__"):
                raise AttributeError(name)
            return Drawing()

        module.__getattr__ = missing
        module.__path__ = [str(HERE / module.__name__.replace(".", "/"))]


def _comes_along(name: str) -> bool:
    """Whether a page brings this module of ours: beside this file, where the library is packed."""
    place = HERE / name.replace(".", "/")
    packed = (HERE / "course_lib" / "figures" / "numbers.py").exists()
    return packed and (place.with_suffix(".py").exists() or (place / "__init__.py").exists())


sys.meta_path.insert(0, Drawings())


def run(number: int, source: str, emit, page=()) -> list[str] | None:
    """Run one cell of the page whose cells are `page`; `emit(text, kind)` gets what it prints and
    its last value.

    Returns None, or the error's last line and the whole traceback.
    """
    name = f"<cell {number}>"
    cells[:] = [tuple(cell) for cell in page]
    # What `inspect.getsource` reads: the checker shows a student's own lines.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    out, err = Printed(emit, "out"), Printed(emit, "err")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            value = _value(ast.parse(source, name), name)
            if value is None or isinstance(value, Drawing):
                return None
            figure = getattr(value, "page", None)
            if type(figure) is str:
                emit(figure, "figure")
            elif type(value).__module__ == "book.helpers.tables":
                emit(json.dumps(vars(value), ensure_ascii=False), "table")
            else:
                out.write(repr(value))
        except BaseException as error:
            return _failure(error, name)
    return None


def _value(tree: ast.Module, name: str):
    """Run the statements; the value of the last one if it is an expression."""
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, name, "exec"), namespace)
    return None if last is None else eval(compile(last, name, "eval"), namespace)


def _failure(error: BaseException, name: str) -> list[str]:
    lines = traceback.format_exception_only(error)
    if isinstance(error, SyntaxError) and error.filename == name:  # nothing ran: its line says all
        said = f"{type(error).__name__}: line {error.lineno}: {error.msg}"
        return [_cut(said), _cut("".join(lines))]
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.endswith("live_runner.py")]
    text = "".join(["Traceback, the last call last:\n", *traceback.format_list(own), *lines])
    said = str(error) if isinstance(error, TooMuch) else lines[-1].strip()
    return [_cut(said), _cut(text)]


def _cut(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST]} … (cut after {MOST:,} characters)"
