"""A cell is read as IPython would run it: every cell of a few hundred, and those that were met."""

import ast
import random

import pytest

from course_lib.checker.run.jupyter import cleaned, plain
from course_lib.checker.run.program import assemble

transformer = pytest.importorskip("IPython.core.inputtransformer2")
F = "def f(x):\n    return x\n"
LINES = (  # what a cell is put together from
    "x = 1", "import numpy as np", "d = {}", "f(x)", "", "# a comment", "y = (7\n  % 4)",
    "%matplotlib inline",
        "%time x = 3",
        "%timeit f(1)",
        "% time x",
        "%%html",
        "%pwd?",
        "%%time?",
    "!ls", "!!ls", "!pip install -q \\\n    seaborn", "%pip install a \\\n  b", "!echo 'a' # b",
    "files = !ls",
        "d['x'] = !ls",
        "here = %pwd",
        "a = b = !ls \\\n -l",
        "x == !ls",
        "x: int = !ls",
    "x =!ls", "x = ! ls", "x = %pwd \\\n a", "x = \\\n  %pwd", "f(a=!ls)", "x = 7 %pwd",
    "np.exp?", "?np.exp", "np.*load*?", "f??", "np.exp ?", "3?", "d[0]?", "f(x)?", "x = 1?", "?",
    "np.exp? # what",
        ",f a b",
        ";f a b",
        "/f 1 2",
        "/f",
        ",f",
        ";",
        "/",
        "%",
        "!",
        "$x",
        "x ! y",
    "if x:\n    !ls\n    y = 2",
        "for i in d:\n    files = !ls\n    f?",
        "if x: !ls",
        "x = 1; !ls", "if x:\n# c\n    !ls\n\n    %pwd\n    y = 1",
    '"""\n!ls\n%pwd\nf?\n"""', '"""\n>>> f(1)\n"""', "g = (1,\n!ls\n)", "h = [\n  f?\n]",
    "@property\ndef g(x):\n    return x % 2",
        "x = 5 \\\n  % 3",
        "x = 1  # !ls",
        "s = '!ls' '%pwd'",
    "lambda: 1",
        "(",
        ")",
        "'",
        "\\",
        "class A:\n    !ls\n    a = 1",
        "async def g(): pass",
        "\f",
)  # fmt: skip
WHOLE = (  # and what is done to all of it
    lambda t: t,
    lambda t: t,
    lambda t: "\n\n  \n" + t,
    lambda t: t.replace("\n", "\r\n"),
    lambda t: "".join(f"    {line}\n" for line in t.splitlines()),
    lambda t: "".join(f"\t{line}\n" for line in t.splitlines()),
    lambda t: "  # first\n" + "".join(f"  {line}\n" for line in t.splitlines()),
    lambda t: prompted(t, ">>> ", "... "),
    lambda t: prompted(t, "In [3]: ", "   ...: "),
    lambda t: prompted(t, "[ins] In [12]: ", "      ....:"),
    lambda t: ">>> " + t,
    lambda t: "    " + t,
)


def prompted(text, first, more):
    rows = text.splitlines() or [""]
    return "\n".join([first + rows[0], *(more + row for row in rows[1:])])


def cells():
    draw = random.Random(47)
    for _ in range(600):
        lines = [draw.choice(LINES) for _ in range(draw.randint(1, 4))]
        if draw.random() < 0.7:
            lines.insert(draw.randint(0, len(lines)), F.rstrip())
        yield draw.choice(WHOLE)("\n".join(lines))


class Command(ast.NodeTransformer):
    """What IPython makes of its own commands, in the form that they have here."""

    def visit_Expr(self, node):
        return ast.Pass() if "get_ipython()" in ast.unparse(node) else node

    def visit_Call(self, node):
        return ast.Constant(None) if "get_ipython()" in ast.unparse(node) else node


def read(text):
    """The statements of a text; None where it is no Python."""
    try:
        return ast.dump(Command().visit(ast.parse(text)))
    except (SyntaxError, ValueError):
        return None


def as_ipython(cell):
    text = transformer.TransformerManager().transform_cell(cell)
    # What `%time` runs stays in the notebook; IPython hands it over as a text.
    return text.replace("get_ipython().run_line_magic('time', 'x = 3')", "x = 3")


def test_the_cells_are_of_both_kinds():
    read_by_ipython = [read(as_ipython(cell)) is not None for cell in cells()]
    assert 200 < sum(read_by_ipython) < 550


def test_each_cell_is_read_as_ipython_reads_it():
    """One that it cannot read may be read here: older versions took off other indents."""
    wrong = []
    for cell in cells():
        wanted = read(as_ipython(cell.replace("\r\n", "\n")))
        whole = cleaned(cell).lstrip().startswith("%%")
        if wanted and not whole and read(plain(cell)) != wanted:
            wrong.append(cell)
    assert not wrong, "\n---\n".join(wrong[:5])


@pytest.mark.parametrize("cell", [*LINES, *(f"{line}\n{F}" for line in LINES)])
def test_each_line_keeps_its_number(cell):
    whole = cell.startswith("%%") and not cell.startswith("%%time")
    assert plain(cell).count("\n") == (0 if whole else cleaned(cell).count("\n"))


@pytest.mark.parametrize(
    "first", ["%%time", "%%capture out", "%%prun -s time", "%%timeit", "%%html"]
)
def test_what_runs_its_cell_runs_it_as_jupyter_does(first):
    text = plain(f"{first}\n!ls\n" + "".join(f"    {line}\n" for line in F.splitlines()))
    assert ("def f" in text) == (first[2:].split()[0] in ("time", "capture", "prun"))
    assert plain(f"{first}\n  >>> def f(x):\n  ...     return x\n").count("def f") == (
        "def f" in text
    )


def test_the_text_of_an_answer_is_the_one_that_was_meant():
    program = assemble([("f", prompted(F, ">>> ", "... "))], ["f"])["f"]
    assert program.text == F.rstrip()
