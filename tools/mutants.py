"""How many small faults in the code the tests find: `python -m tools.mutants 300 --seed 1`.

A mutant is the code with one operator, number or condition changed. So many are drawn from all
those of the rooms asked for; each is tried in a fork of one process that has collected the tests of
its room, which runs them until one fails. The first fork of each room changes nothing, and no test
may fail in it. Printed are, for each room, how many were drawn, killed by a test, ended by the
limit, and survived, with the line of each survivor.

What runs in a process of its own (a sealed cell, a page's build) and what Triton compiles is not
changed here: a survivor of the grader may be killed by such a test.
"""

import argparse
import ast
import contextlib
import gc
import inspect
import os
import random
import resource
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

import pytest

ROOT = Path(__file__).parents[1]
ATTENTION = ("tests/attention", "tests/kernels", "tests/test_arguments.py")
TESTS = {
    "course_lib/formulas": ATTENTION,
    "course_lib/gate": ATTENTION,
    "course_lib/kernels": ATTENTION,
    "course_lib/modules": ATTENTION,
    "course_lib/generation": ("tests/generation", "tests/transformer"),
    "course_lib/checker": ("tests/checker", "tests/exercises/test_told.py"),
    "grader": ("tests/grader",),
}
OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
FATES = ("killed", "over the limit", "survived")


@dataclass(frozen=True)
class Mutant:
    """The change with this number in a file, counted as `changes` yields them."""

    room: str
    path: Path
    number: int


def changes(tree: ast.AST) -> Iterator[tuple[ast.AST, str, object]]:
    """Each node of a function's body, its field and what would stand there in a mutant."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and not _compiled_elsewhere(function):
            for statement in function.body:
                if not isinstance(statement, ast.FunctionDef):
                    yield from _within(statement)


def _compiled_elsewhere(function: ast.FunctionDef) -> bool:
    return any("jit" in ast.unparse(one) for one in function.decorator_list)


def _within(node: ast.AST) -> Iterator[tuple[ast.AST, str, object]]:
    """Not in annotations, in what an error says, or in functions within, which come themselves."""
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "args") and isinstance(node, ast.AnnAssign | ast.arg):
            continue
        children = field if isinstance(field, list) else [field]
        for child in children:
            if not isinstance(child, ast.expr | ast.stmt | ast.comprehension | ast.keyword):
                continue
            if isinstance(child, ast.FunctionDef | ast.Raise | ast.JoinedStr | ast.Assert):
                continue
            yield from _of(child)
            yield from _within(child)
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node, "test", ast.UnaryOp(ast.Not(), node.test)


def _of(node: ast.AST) -> Iterator[tuple[ast.AST, str, object]]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        yield node, "ops", [OTHER[type(node.ops[0])](), *node.ops[1:]]
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in OTHER:
        yield node, "op", OTHER[type(node.op)]()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node, "op", ast.UAdd()
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, "value", not node.value
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield node, "value", node.value + 1


def changed(mutant: Mutant) -> tuple[ast.Module, str]:
    """The file's tree with the mutant's change, and where and what it is."""
    tree = ast.parse(mutant.path.read_text(encoding="utf-8"))
    node, field, new = list(changes(tree))[mutant.number]
    line, before = getattr(node, "lineno", 0), ast.unparse(node).partition("\n")[0]
    setattr(node, field, new)
    after = ast.unparse(ast.fix_missing_locations(node)).partition("\n")[0]
    where = mutant.path.relative_to(ROOT)
    return ast.fix_missing_locations(tree), f"{where}:{line}  {before}  ->  {after}"


def install(mutant: Mutant) -> None:
    """Give each function of the file that has been imported the mutant's code."""
    codes, todo = {}, [compile(changed(mutant)[0], str(mutant.path), "exec")]
    while todo:
        code = todo.pop()
        codes[code.co_qualname, code.co_firstlineno] = code
        todo += [one for one in code.co_consts if inspect.iscode(one)]
    gc.unfreeze()
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename == str(mutant.path):
            key = one.__code__.co_qualname, one.__code__.co_firstlineno
            with contextlib.suppress(KeyError, ValueError):
                one.__code__ = codes[key]


class Forks:
    """A plugin that runs the collected tests once for each mutant, each time in a fork."""

    def __init__(self, mutants: list[Mutant], limit: int):
        self.mutants, self.limit = mutants, limit
        self.fates: dict[Mutant, str] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for room in dict.fromkeys(mutant.room for mutant in self.mutants):
            if self._fate(session, Mutant(room, ROOT / room, -1)) == FATES[0]:
                raise pytest.UsageError(f"A test of {room} fails in a fork without any change.")
        for mutant in self.mutants:
            self.fates[mutant] = self._fate(session, mutant)
            say(f"{self.fates[mutant]}: {changed(mutant)[1]}")
        return True

    def _fate(self, session: pytest.Session, mutant: Mutant) -> str:
        child = os.fork()
        if not child:
            resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit))
            ended = 3
            try:
                if mutant.number >= 0:
                    install(mutant)
                ended = int(_fails(session, own_first(session.items, mutant)))
            finally:
                os._exit(ended)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == 3:
            raise RuntimeError(f"{changed(mutant)[1]} could not be tried.")
        return FATES[2] if status == 0 else FATES[0] if status == 1 else FATES[1]


def say(words: str) -> None:
    print(words, file=sys.__stderr__, flush=True)


def own_first(items: list[pytest.Item], mutant: Mutant) -> list[pytest.Item]:
    """The room's tests: those of the mutant's file, then one of each function, then the second."""
    tests = [ROOT / test for test in TESTS[mutant.room]]
    items = [one for one in items if {one.path, *one.path.parents} & {*tests}]
    seen: Counter[str] = Counter()

    def order(item: pytest.Item) -> tuple[bool, int]:
        name = item.nodeid.partition("[")[0]
        seen[name] += 1
        return mutant.path.stem not in item.path.stem, seen[name]

    return sorted(items, key=order)


def _fails(session: pytest.Session, items: list[pytest.Item]) -> bool:
    for item, after in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed:
            say(f"  {item.nodeid} fails")
            return True
    return False


def draw(rooms: list[str], count: int, seed: int) -> list[Mutant]:
    """So many mutants, as many of each room, in an order by chance."""
    chance, drawn = random.Random(seed), []
    for room in rooms:
        every = [
            Mutant(room, path, number)
            for path in sorted((ROOT / room).rglob("*.py"))
            for number, _ in enumerate(changes(ast.parse(path.read_text(encoding="utf-8"))))
        ]
        drawn += chance.sample(every, min(-(-count // len(rooms)), len(every)))
    return chance.sample(drawn, min(count, len(drawn)))


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="How many small faults the tests find.")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=60, help="seconds of processor a mutant has")
    parser.add_argument("--rooms", nargs="+", choices=TESTS, default=[*TESTS])
    asked = parser.parse_args(words)
    forks = Forks(draw(asked.rooms, asked.count, asked.seed), asked.limit)
    tests = {str(ROOT / test) for room in asked.rooms for test in TESTS[room]}
    options = ["-q", "-m", "not nightly and not slow", "-p", "no:cacheprovider"]
    pytest.main([*sorted(tests), *options], plugins=[forks])
    print(f"{'room':24}{'drawn':>8}" + "".join(f"{fate:>16}" for fate in FATES))
    for room in asked.rooms:
        of_room = Counter(fate for one, fate in forks.fates.items() if one.room == room)
        print(f"{room:24}{of_room.total():8}" + "".join(f"{of_room[fate]:16}" for fate in FATES))
    for one, fate in forks.fates.items():
        if fate == FATES[2]:
            print(changed(one)[1])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
