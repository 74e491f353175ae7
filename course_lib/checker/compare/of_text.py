"""Which constructs an answer's text holds: a guess may name a loop only where there is one."""

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache

LOOP, SLICE, RETURN, FIRST, LAST = "a loop", "a slice", "a return in a loop", "[0]", "[-1]"
ALL = frozenset((LOOP, SLICE, RETURN, FIRST, LAST))
LOOPS = (ast.For, ast.While)
IN_BRACKETS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Guess = tuple[str, str]  # a construct, or "" for none; what may be wrong with it


def perhaps(text: str, *guesses: Guess) -> str:
    """What may be wrong, as a sentence behind another: the guesses whose construct is there."""
    found = constructs(text)
    *most, last = [says for kind, says in guesses if not kind or kind in found] or [""]
    listed = f"{', '.join(most)}, or {last}" if most else last
    return f" Perhaps {listed}." if listed else ""


@lru_cache(maxsize=8)
def constructs(text: str) -> frozenset[str]:
    """All that there may be, where a text is not known."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ALL
    return frozenset(_found(tree)) if text.strip() else ALL


def _found(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, LOOPS + IN_BRACKETS):
            yield LOOP
        if isinstance(node, LOOPS) and any(isinstance(one, ast.Return) for one in ast.walk(node)):
            yield RETURN
        if isinstance(node, ast.Slice) and (node.lower or node.upper):
            yield SLICE
        if isinstance(node, ast.Subscript) and not _is_shape(node.value):
            index = node.slice
            yield from _numbers(index.elts if isinstance(index, ast.Tuple) else [index])
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("select", "take"):
            yield from _numbers(node.args)


def _numbers(nodes: Sequence[ast.expr]) -> Iterator[str]:
    called = {"0": FIRST, "-1": LAST}
    yield from (called[text] for one in nodes if (text := ast.unparse(one)) in called)


def _is_shape(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else node
    return getattr(called, "attr", "") in ("shape", "size")
