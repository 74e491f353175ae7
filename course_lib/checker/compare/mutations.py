"""Mutations that nobody listed: a right answer's own text with one thing in it otherwise.

What a student got wrong is often one name, number, axis, sign or step. Each that the text of the
reference has is changed by itself, which makes a wrong answer and the words that say it.
"""

import ast
import contextlib
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from course_lib.checker.compare.mutations_of_nodes import Mutation, mutations_of
from course_lib.checker.tasks.rewritten import defined
from course_lib.checker.tasks.task import Mistake

SAYS = (
    "Your answer does what a right one would do if in it {0}. In yours this may be written "
    "otherwise."
)
STANDS = "`{1}` stands where `{0}` belongs"
LONGEST = 70  # characters of a piece of text that is told
WHOLE = ast.Call | ast.Subscript | ast.BinOp | ast.Compare | ast.IfExp | ast.BoolOp
DEFINES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
PASSED_OVER = ast.While | ast.Raise | ast.Assert | ast.arguments | ast.Import | ast.JoinedStr


class Lazily:
    """What a generator gives, each made when it is first asked for: a thousand take seconds."""

    def __init__(self, made: Iterator[Mistake]) -> None:
        self.made = made
        self.kept: list[Mistake] = []

    def __iter__(self) -> Iterator[Mistake]:
        yield from self.kept
        for one in self.made:
            self.kept.append(one)
            yield one


@functools.cache
def mutations(reference: Callable) -> Lazily:
    """Every mutation of a function or class, and of what it calls from the same course."""
    return Lazily(Mistake("", SAYS.format(says), answer) for says, answer in _all(reference, 1))


def _all(function: Callable, depth: int) -> Iterator[tuple[str, Callable]]:
    """(what is otherwise, the function so)."""
    try:
        text = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(text)
        names = vars(inspect.getmodule(function)) | _enclosed(function)
        name = next(node.name for node in tree.body if isinstance(node, DEFINES))
        defined(name, text, names)
    except Exception:  # made while the course runs, or in a place: its text alone defines nothing
        return
    alike: dict[str, list[Place]] = {}
    places = _places(tree)
    exchanges = [place for place in places if depth and not place.mutation.is_alone]

    def each(these: list[Place]) -> Iterator[tuple[str, Callable]]:
        for place in these:
            with contextlib.suppress(SyntaxError):
                with place.changed():
                    changed = ast.unparse(tree)
                yield place.says, defined(name, changed, names)

    alone = [place for place in places if place.mutation.is_alone]
    yield from each(alone)
    for place in (*alone, *exchanges):
        if place.mutation.everywhere:
            alike.setdefault(place.mutation.everywhere, []).append(place)
    for says, places in alike.items():
        if len(places) > 1:
            with contextlib.suppress(SyntaxError):
                with contextlib.ExitStack() as stack:
                    for place in places:
                        stack.enter_context(place.changed())
                    changed = ast.unparse(tree)
                yield says, defined(name, changed, names)
    called = {one.id: None for one in ast.walk(tree) if isinstance(one, ast.Name)}
    for one in (one for one in called if one != name) if depth else ():
        other = names.get(one)
        if inspect.isfunction(other) and _course(other) == _course(function):
            for says, changed in _all(other, depth - 1):
                yield says, defined(name, text, {**names, one: changed})
    yield from each(exchanges)  # of what is called, the numbers and steps are enough


def _enclosed(function: Callable) -> dict[str, Any]:
    """What a function found around it where it was written, inside another one."""
    own = inspect.unwrap(function)  # as its text is
    return dict(inspect.getclosurevars(own).nonlocals) if inspect.isfunction(own) else {}


def _course(function: Callable) -> list[str]:
    return function.__module__.split(".")[:2]


@dataclass(frozen=True, eq=False)
class Place:
    """A mutation and where it belongs: a field of a node, or an entry of its list."""

    mutation: Mutation
    holder: Any
    key: Any
    node: ast.AST
    says: str

    @contextlib.contextmanager
    def changed(self) -> Iterator[None]:
        """Within it the tree has the mutation. Inner ones come later, and are taken back first."""
        try:
            _put(self.holder, self.key, self.mutation.node)
            yield
        finally:
            _put(self.holder, self.key, self.node)


def _places(tree: ast.Module) -> list[Place]:
    """All of a text's, none of which is in it yet."""
    found: list[Place] = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for i, statement in enumerate(function.body):
                if not isinstance(statement, PASSED_OVER | ast.FunctionDef) and not _is_text(
                    statement
                ):
                    found += _at(function.body, i, [], function)
    return found


def _at(holder: Any, key: Any, above: list[ast.AST], function: ast.FunctionDef) -> Iterator[Place]:
    """Those of what stands in a field or a list, and of all below it."""
    node = holder[key] if isinstance(holder, list) else getattr(holder, key)
    for mutation in mutations_of(node, above, function):
        if says := _said(holder, key, node, mutation, above):
            yield Place(mutation, holder, key, node, says)
    for field, value in ast.iter_fields(node):
        parts = enumerate(value) if isinstance(value, list) else [(None, value)]
        for i, part in parts:
            if isinstance(part, ast.AST) and not isinstance(
                part, PASSED_OVER | ast.expr_context | ast.operator | ast.cmpop
            ):
                where = (node, field) if i is None else (value, i)
                yield from _at(*where, [*above, node], function)


def _said(holder: Any, key: Any, node: ast.AST, mutation: Mutation, above: list[ast.AST]) -> str:
    """The words of one mutation: its own, or what stands around it, before and after."""
    if mutation.says:
        return mutation.says
    wholes = [one for one in above if isinstance(one, WHOLE)][-1:]
    for shown in (*wholes, node):
        before = ast.unparse(shown)
        _put(holder, key, mutation.node)
        after = ast.unparse(mutation.node if shown is node else shown)
        _put(holder, key, node)
        if max(len(before), len(after)) <= LONGEST:
            return STANDS.format(before, after)
    return ""


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _put(holder: Any, key: Any, node: ast.AST) -> None:
    if isinstance(holder, list):
        holder[key] = node
    else:
        setattr(holder, key, node)
