"""Every form in which a statement gives a name its value: what is handed in does what the notebook
does when all of its cells run."""

import pytest

from course_lib.checker.run.answers import observe_program
from course_lib.checker.run.inputs import Inputs
from course_lib.checker.run.program import assemble

FIRST = "TWO = 5; ONE = 1"
# What makes TWO of what stands above; each can stand alone, in a block, or in a function.
FORMS = {
    "=": "TWO = 2",
    "chained": "TWO = OTHER = 2",
    "tuple": "OTHER, TWO = 1, 2",
    "list": "[OTHER, TWO] = 1, 2",
    "nested": "OTHER, (TWO, *REST) = 1, (2, 3)",
    "starred": "*REST, TWO = 1, 2",
    "annotated": "TWO: int = 2",
    "walrus": "print(TWO := 2)",
    "walrus in a comprehension": "OTHER = [TWO := each for each in (1, 2)]",
    "+=": "TWO += 1",
    "-=": "TWO -= 3",
    "*=": "TWO *= 2",
    "**=": "TWO **= ONE + 1",
    "<<=": "TWO <<= 1",
    "|=": "TWO |= 2",
    "for": "for TWO in range(3): pass",
    "for of a pair": "for OTHER, TWO in [(1, 2)]: pass",
    "with as": "from contextlib import nullcontext\nwith nullcontext(2) as TWO: pass",
    "match": "match 2:\n    case TWO: pass",
    "match of a part": "match [1, 2]:\n    case [_, TWO]: pass",
    "import as": "from math import tau as TWO",
    "import": "import math as TWO\nTWO = TWO.floor(2.5)",
    "def": "def TWO(): return 2\nTWO = TWO()",
    "class": "class TWO: value = 2\nTWO = TWO.value",
    "del": "del TWO\nTWO = 2",
    "swapped": "TWO, ONE = ONE, TWO",
}
WHERE = {
    "alone": "{}",
    "if": "if True:\n{}",
    "else": "if False:\n    pass\nelse:\n{}",
    "for": "for each_time in range(2):\n{}",
    "while": "while ONE < 2:\n    ONE = ONE + 1\n{}",
    "try": "try:\n{}\nfinally:\n    pass",
    "except": "try:\n    1 / 0\nexcept ZeroDivisionError:\n{}",
    "with": "import io\nwith io.StringIO() as FILE:\n{}",
    "match": "match 1:\n    case 1:\n{}",
}
ANSWER = "def double(x):\n    return x * TWO"
IN_FUNCTIONS = {
    name: form for name, form in FORMS.items() if name not in ("annotated",)
}  # Python itself refuses `global` beside an annotation


def indented(text, depth=1):
    return "\n".join("    " * depth + line for line in text.split("\n"))


def agree(*cells):
    """What the class sees is what the notebook does, called twice."""
    space = {"__annotations__": {}}  # Debian 12's Python forgets it in a `match`
    for cell in cells:
        exec(cell, space)
    (task,) = assemble([(None, cell) for cell in cells], ["double"]).values()
    seen = observe_program(task, [Inputs((3,)), Inputs((4,))], "numpy", ())
    assert [one.error for one in seen] == [None, None], seen
    assert [one.value for one in seen] == [space["double"](3), space["double"](4)]


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("form", FORMS)
def test_a_statement_in_a_cell(form, where):
    depth = 0 if where == "alone" else 2 if where == "match" else 1
    agree(FIRST, WHERE[where].format(indented(FORMS[form], depth)), ANSWER)


@pytest.mark.parametrize("form", IN_FUNCTIONS)
def test_a_global_of_the_answer(form):
    body = "    global TWO, ONE\n" + indented(FORMS[form])
    agree(FIRST, f"def double(x):\n{body}\n    return x * TWO")


@pytest.mark.parametrize("form", IN_FUNCTIONS)
def test_a_global_that_only_counts(form):
    body = "    global TWO, ONE\n" + indented(FORMS[form])
    agree(FIRST, f"def double(x):\n{body}\n    return 2 * x")


def test_a_global_of_a_nested_function_and_a_class():
    counted = (
        "def double(x):\n    def count():\n        global TWO\n        TWO += 1\n    count()\n"
    )
    agree(FIRST, counted + "    return 2 * x")
    agree(FIRST, "class Here:\n    TWO += 1\n\n\ndef double(x):\n    return x * Here.TWO")
    agree(FIRST, counted.replace("def double(x):", "def double(x):\n    TWO = 1") + "    return x")
