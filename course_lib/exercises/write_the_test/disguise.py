"""A function written otherwise that does the same: so no test can know a right one by its code."""

import ast
from collections.abc import Iterator

import numpy as np

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def disguised(text: str, rng: np.random.Generator) -> str:
    """The source with other names for what is local to a function, values that nothing uses, and
    results that have a name before they are returned; which and where, `rng` draws.

    The text is the course's own. Whoever drew it again would get another one, so a test that tells
    candidates apart by their code and not by what they do holds for no other run.
    """
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    taken = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    taken |= {one.name for one in functions}
    for function in functions:
        own = set(_bound(function)) - taken
        names = {name: _word(rng) for name in sorted(own)}
        for node in ast.walk(function):
            if isinstance(node, ast.Name):
                node.id = names.get(node.id, node.id)
        function.body = _body(function.body, rng)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _bound(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _body(statements: list[ast.stmt], rng: np.random.Generator) -> list[ast.stmt]:
    """The statements behind a docstring, with others that change nothing between them."""
    first = statements[0]
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    body = statements[:1] if text else []
    for one in statements[text:]:
        body += [_assign(_word(rng), _number(rng)) for _ in range(rng.integers(0, 3))]
        if isinstance(one, ast.Return) and one.value is not None:
            name = _word(rng)
            body += [_assign(name, one.value), ast.Return(ast.Name(name, ast.Load()))]
        else:
            body.append(one)
    body.insert(len(body) - 1, _assign(_word(rng), _number(rng)))
    return body


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _number(rng: np.random.Generator) -> ast.expr:
    return ast.Constant(int(rng.integers(1 << 30)))


def _word(rng: np.random.Generator) -> str:
    return "v_" + "".join(LETTERS[i] for i in rng.integers(0, len(LETTERS), 8))
