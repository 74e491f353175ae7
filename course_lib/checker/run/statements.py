"""What each statement of a cell defines, changes and uses, read from its text.

A cell is a stranger's text: whatever Python's parser makes of it (an error, no room, too deep), a
cell that cannot be read is one without statements, and the names that its text seems to define.
"""

import ast
import re
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from course_lib.checker.run.jupyter import cleaned, plain

PERHAPS = (ast.If, ast.For, ast.While, ast.Try, ast.Match, getattr(ast, "TryStar", ast.Try))
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = ("listcomp", "setcomp", "dictcomp", "genexpr")
BINDING = re.compile(
    r"^(?:(?:async )?def|class)\s+([^\W\d]\w*)|^([^\W\d]\w*)\s*(?::[^=\n]*)?=", re.M
)


@dataclass(frozen=True)
class Statement:
    """One statement at the left margin of a cell, and the names of the notebook's that matter."""

    binds: frozenset[str]
    changes: frozenset[str]  # those of which it sets an attribute or an item
    calls: frozenset[str]  # those of which it calls a method: `table.append(3)`
    uses: frozenset[str]
    at_once: frozenset[str]  # those that it uses when it runs, not when it is called later
    names: frozenset[str]  # every identifier in it, attributes and keywords too
    perhaps: bool  # whether what it binds depends on how it goes: `if`, `for`, `try`
    kind: str  # "import", "star", "future", "definition", "value" or "effect"
    lines: tuple[int, int]  # the first, from 0, and the one behind the last
    texts: frozenset[int]  # lines in which nothing stands but a text that nobody uses: docstrings


@lru_cache(1024)
def read_statements(source: str) -> tuple[Statement, ...] | None:
    """The statements of a cell, in order; None for a cell that Python cannot read."""
    try:
        text = plain(source)
        lines = text.split("\n")
        return tuple(_read(statement, lines) for statement in ast.parse(text).body)
    except Exception:  # SyntaxError, RecursionError, MemoryError, ValueError, …
        return None


def without_texts(source: str) -> str:
    """The source without docstrings. For text of the course's own: it is parsed here."""
    unused = {line for one in read_statements(source) or () for line in one.texts}
    return "\n".join(t for n, t in enumerate(source.split("\n")) if n not in unused)


def named_in_text(source: str) -> set[str]:
    """The names that lines at the left margin seem to define by `def`, `class` or `=`."""
    return {first or second for first, second in BINDING.findall(cleaned(source))}


def _read(statement: ast.stmt, lines: Sequence[str]) -> Statement:
    table = symtable.symtable(ast.unparse(statement), "<cell>", "exec")
    now, later = _used(table)
    kept_now, kept_later = _kept(statement)
    now, later = now | kept_now, later | kept_later
    stored, called = _touched(statement)
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
    return Statement(
        binds=frozenset(
            s.get_name()
            for s in table.get_symbols()
            if s.is_assigned() or s.is_imported() or s.is_namespace()
        )
        | {n.target.id for n in _outside_functions(statement) if isinstance(n, ast.NamedExpr)},
        changes=frozenset(stored),
        calls=frozenset(called),
        uses=frozenset(now | later),
        at_once=frozenset(now),
        names=frozenset(_identifiers(statement)),
        perhaps=isinstance(statement, PERHAPS),
        kind=_kind(statement),
        lines=(first - 1, statement.end_lineno or first),
        texts=frozenset(_unused_texts(statement, lines)),
    )


def _unused_texts(statement: ast.stmt, lines: Sequence[str]) -> Iterator[int]:
    """The lines that hold a docstring, or another text that stands for itself, and nothing else.
    Columns are bytes, as Python's parser counts them."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Expr) and _is_text(node):
            first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
            before = lines[first].encode()[: node.col_offset]
            behind = lines[last].encode()[node.end_col_offset :]
            if not before.strip() and behind.strip()[:1] in (b"", b"#"):
                yield from range(first, last + 1)


def _is_text(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    return isinstance(value, ast.Constant) and type(value.value) is str


def _used(table: symtable.SymbolTable, later: bool = False) -> tuple[set[str], set[str]]:
    """The global names that a scope uses: when it runs, and when a function in it is called."""
    at_top = table.get_type() == "module"
    mine = {
        s.get_name() for s in table.get_symbols() if s.is_referenced() and (at_top or s.is_global())
    }
    now, then = (set(), mine) if later else (mine, set())
    for child in table.get_children():
        waits = child.get_type() == "function" and child.get_name() not in COMPREHENSIONS
        more_now, more_then = _used(child, later or waits)
        now, then = now | more_now, then | more_then
    return now, then


def _kept(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """The global names that `+=` and `del` take for granted, which a symbol table calls assigned
    alone: when the statement runs, and when a function in it is called."""
    now, later = set(), set()
    queue: list[tuple[ast.AST, set[str] | None]] = [(statement, None)]
    while queue:
        node, known = queue.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = (one for one in ast.walk(node) if isinstance(one, ast.Global))
            known = {name for one in inside for name in one.names}
        deleted = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)
        target = node.target if isinstance(node, ast.AugAssign) else node if deleted else None
        if isinstance(target, ast.Name):
            if known is None:
                now.add(target.id)
            elif target.id in known:
                later.add(target.id)
        queue += [(child, known) for child in ast.iter_child_nodes(node)]
    return now, later


def _touched(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """The names of which a statement sets a part, and those of which it calls a method."""
    stored, called = set(), set()
    for node in _outside_functions(statement):
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            stored.add(_root(node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called.add(_root(node.func))
    return stored - {""}, called - {""}


def _outside_functions(statement: ast.stmt) -> Iterator[ast.AST]:
    queue: list[ast.AST] = [statement]
    while queue:
        node = queue.pop()
        yield node
        if not isinstance(node, SCOPES):
            queue += ast.iter_child_nodes(node)


def _root(node: ast.AST) -> str:
    """`a` of `a.b[c].d`; "" where it begins with something else."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _identifiers(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        for name in ("id", "attr", "arg", "name", "asname"):
            if type(value := getattr(node, name, None)) is str:
                yield from value.split(".")


def _kind(statement: ast.stmt) -> str:
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return "future"
    if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
        return "star"
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return "import"
    if isinstance(statement, SCOPES):
        return "definition"
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Expr | ast.Assert) and not is_text:
        return "effect"
    return "value"
