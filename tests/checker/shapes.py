# ruff: noqa: E501 — cells read better on one line
"""Notebooks as students write them: each is a list of cells, right where `TWO` is 2 and wrong where
it is 3."""

from dataclasses import dataclass

IMPORTS = "import numpy as np\nfrom course_lib import check, hint"
STUB = "def double(x, times=1):\n    # YOUR CODE HERE\n    raise NotImplementedError"
ANSWER = "def double(x, times=1):\n    return x * TWO**times"
PLAIN = ANSWER.replace("TWO", "§")
HELPS = "def double(x, times=1):\n    return helper(x, times)"
HELPER = "def helper(x, times):\n    return x * §**times"
AGAIN = "def again(x):\n    return x + 1"


@dataclass(frozen=True)
class Cell:
    """One cell of code; `ran`: what ran in it, one text after the other (None: what it holds)."""

    source: str
    task: str | None = None
    ran: tuple[str, ...] | None = None


def answer(source: str, *ran: str) -> Cell:
    return Cell(source, "double", ran or None)


def never(source: str, task: str | None = None) -> Cell:
    return Cell(source, task, ())


def returns(value: str, above: str = "") -> Cell:
    return answer(f"{above}def double(x, times=1):\n    return {value}")


def helped(source: str) -> list:
    """A cell above the answer that defines TWO."""
    return [source, answer(ANSWER)]


STEP = """
def step(x):
    at = torch.zeros_like(x, requires_grad=True)
    optimizer = torch.optim.Adam([at], lr=0.1, eps=0.0)
    optimizer.zero_grad()
    ((at - x) ** 2).sum().backward()
    optimizer.step()
    return at.detach()
"""

# What earns the points where `§` is 2, and nothing where it is 3.
HOLDS = {
    "as released": [answer(PLAIN)],
    "helper above": [HELPER, answer(HELPS)],
    "helper below": [answer(HELPS), HELPER],
    "helper defined anew around itself": [
        f"{HELPER}\nold = helper\ndef helper(x, times):\n    return old(x, times)",
        answer(HELPS),
    ],
    "helper wrapped in another cell": [
        HELPER,
        "old = helper\ndef helper(x, times):\n    return old(x, times)",
        answer(HELPS),
    ],
    "helper in the answer's cell": [answer(f"{HELPER}\n\n{HELPS}")],
    "constants and answer pasted": [answer(f"ONE, TWO = 1, §\n{ANSWER}")],
    "constants in one cell, functions in another": ["ONE, TWO = 1, §", HELPER, answer(ANSWER)],
    "tuple": helped("ONE, TWO = 1, §"),
    "nested tuple": helped("ONE, (TWO, *MORE) = 1, (§, 3)"),
    "chained": helped("ONE = TWO = §"),
    "annotated": helped("TWO: int = §"),
    "augmented": helped("TWO = 1\nTWO += § - 1"),
    "augmented in another cell": ["TWO = 1", "TWO += § - 1", answer(ANSWER)],
    "walrus": helped("print(TWO := §)"),
    "under if": helped("if True:\n    TWO = §\nelse:\n    TWO = 0"),
    "def under if": ["if True:\n    " + HELPER.replace("\n", "\n    "), answer(HELPS)],
    "answer under if": [answer("if True:\n    " + PLAIN.replace("\n", "\n    "))],
    "try import": helped("try:\n    import nowhere\nexcept ImportError:\n    TWO = §"),
    "try finally": helped("try:\n    TWO = §\nfinally:\n    pass"),
    "with": helped("import io\nwith io.StringIO('§') as file:\n    TWO = int(file.read())"),
    "for": helped("for TWO in range(§ + 1):\n    pass"),
    "while": helped("TWO = 0\nwhile TWO < §:\n    TWO += 1"),
    "match": helped("match 1:\n    case 1:\n        TWO = §"),
    "table filled by a loop": [
        "T = {}\nfor i in range(5):\n    T[i] = float(§**i)",
        returns("x * T[times]"),
    ],
    "list filled by append": [
        "T = []\nT.append(§)",
        returns("x * T[0]**times"),
    ],
    "attribute set later": [
        "class T: two = 0",
        "T.two = §",
        returns("x * T.two**times"),
    ],
    "array changed later": [
        "T = np.zeros(3)",
        "T[0] = §",
        returns("x * int(T[0])**times"),
    ],
    "decorator": [
        "def plain(f):\n    return lambda x, times=1: f(x, times)",
        answer(f"@plain\n{PLAIN}"),
    ],
    "default argument": [
        "TWO = §",
        answer("def double(x, times=1, two=TWO):\n    return x * two**times"),
    ],
    "closure": [
        answer("def made(two):\n    return lambda x, times=1: x * two**times\ndouble = made(§)")
    ],
    "lambda": [answer("double = lambda x, times=1: x * §**times")],
    "alias": [answer("def mine(x, times=1):\n    return x * §**times\ndouble = mine")],
    "alias of another cell": [PLAIN.replace("double", "mine"), answer("double = mine")],
    "partial": [
        answer(
            "import functools\ndef scaled(two, x, times=1):\n    return x * two**times\n"
            "double = functools.partial(scaled, §)"
        )
    ],
    "callable object": [
        answer(
            "class Two:\n    def __call__(self, x, times=1):\n        return x * §**times\ndouble = Two()"
        )
    ],
    "bound method": [
        answer(
            "class Two:\n    def of(self, x, times=1):\n        return x * §**times\ndouble = Two().of"
        )
    ],
    "a class that answers": [
        answer("class double:\n    def __new__(cls, x, times=1):\n        return x * §**times")
    ],
    "dataclass helper": [
        "from dataclasses import dataclass\n@dataclass\nclass T:\n    two: int = §",
        returns("x * T().two**times"),
    ],
    "recursion": [returns("x if times == 0 else double(x * §, times - 1)")],
    "memo in a global": ["memo = {}", answer(f"{PLAIN}\nmemo[1] = 2")],
    "helper cell prints": [f"{HELPER}\nprint(helper(1, 1))", answer(HELPS)],
    "helper cell seeds": [f"np.random.seed(0)\n{HELPER}", answer(HELPS)],
    "helper cell sets print options": [
        f"np.set_printoptions(precision=2)\n{HELPER}",
        answer(HELPS),
    ],
    "helper cell ends in an error": [f"{HELPER}\n1 / 0", answer(HELPS)],
    "helper cell begins with an error": [f"{HELPER}", f"1 / 0\n{HELPER}", answer(HELPS)],
    "helper cell plots": [f"import matplotlib\n{HELPER}", answer(HELPS)],
    "helper cell asks": [f"name = input()\n{HELPER}", HELPER, answer(HELPS)],
    "print below": [answer(f"{PLAIN}\nprint(double(3))")],
    "bare call below": [answer(f"{PLAIN}\ndouble(3)")],
    "assert below": [answer(f"{PLAIN}\nassert double(1) == §")],
    "failing assert below": [answer(f"{PLAIN}\nassert double(1) == 7")],
    "main below": [answer(f"{PLAIN}\nif __name__ == '__main__':\n    print(double(3))")],
    "loop below": [answer(f"{PLAIN}\nfor i in range(3):\n    print(double(i))")],
    "timeit below": [answer(f"{PLAIN}\n%timeit -n1 -r1 double(3)")],
    "check below": [answer(f"{PLAIN}\ncheck(double)")],
    "check and hint between": [answer(f"{HELPER}\ncheck(helper)\nhint('double')\n{HELPS}")],
    "check is a number": ["check = 3", answer(PLAIN)],
    "check is a number in the answer's cell": [answer(f"{PLAIN}\ncheck = double(3)")],
    "check is a student's function": ["def check(x):\n    return x", answer(PLAIN)],
    "the answer uses a check of its own": [
        "def check(x):\n    return x",
        returns("check(x) * §**times"),
    ],
    "check and hint are overwritten by a loop": [
        "for check, hint in [(1, 2)]: pass",
        answer(PLAIN),
    ],
    "demonstration above": [answer(f"x = np.ones(3)\nprint(x)\n{PLAIN}")],
    "broken demonstration above": [answer(f"{PLAIN}"), answer(f"print(nothing)\n{PLAIN}")],
    "help": ["np.exp?", answer(PLAIN)],
    "shell": ["!true\nfiles = !true", answer(f"!true\n{PLAIN}")],
    "time": [answer(f"%%time\n{PLAIN}")],
    "capture": [f"%%capture\n{HELPER}\nprint(1)", answer(HELPS)],
    "another language": ["%%script true\ndef double(x): return 7", answer(PLAIN)],
    "matplotlib inline": ["import matplotlib.pyplot as plt", answer(PLAIN)],
    "scratch that does not parse": ["scores = softmax(", answer(PLAIN)],
    "other cells raise": ["1 / 0", "undefined", answer(PLAIN), "raise ValueError('no')"],
    "empty cells": ["", "# a comment", answer(f"# mine\n\n{PLAIN}\n"), ""],
    "other line endings": [answer(f"{HELPER}\n\n{HELPS}".replace("\n", "\r\n"))],
    "defined twice, the last is right": [answer(PLAIN.replace("§", "7")), answer(PLAIN)],
    "right in a new cell below the stub": [answer(STUB), PLAIN],
    "two cells for one task": [answer(STUB), answer(PLAIN)],
    "metadata lost": [PLAIN],
    "in another task's cell": [Cell(f"{AGAIN}\n{PLAIN}", "again")],
    "helper named again below": [HELPER, answer(HELPS), "helper = 3"],
    "helper named again above": ["helper = 3", HELPER, answer(HELPS)],
    "another helper of the same name below": [
        HELPER,
        answer(HELPS),
        Cell("def helper(x):\n    return x\ndef again(x):\n    return helper(x) + 1", "again"),
    ],
    "numpy overwritten below": [
        returns("np.multiply(x, §**times).astype(x.dtype)"),
        "np = None",
    ],
    "numpy under another name": [
        "import numpy as xp",
        returns("xp.multiply(x, §**times).astype(x.dtype)"),
    ],
    "from numpy import star": [
        "from numpy import *",
        returns("multiply(x, §**times).astype(x.dtype)"),
    ],
    "import in the function": [
        answer(
            "def double(x, times=1):\n    import numpy\n    return numpy.multiply(x, §**times).astype(x.dtype)"
        )
    ],
    "future": [
        "from __future__ import annotations",
        answer("def double(x: nothing, times: nothing = 1):\n    return x * §**times"),
    ],
    "course imported and not used": ["from course_lib import softmax", answer(PLAIN)],
    "all of the course imported": ["from course_lib import *", answer(PLAIN)],
    "uses another answer": [Cell(AGAIN, "again"), answer(PLAIN.replace("x *", "(again(x) - 1) *"))],
    "prints when called": [answer(PLAIN.replace("return", "print('x')\n    return"))],
    "letters of any language": [
        "größe = §",
        returns("x * größe**times"),
    ],
    "a name deleted below": [HELPER, answer(HELPS), "scratch = 1\ndel scratch"],
    "edited and run again": [answer(PLAIN, PLAIN.replace("§", "7"), PLAIN)],
    "helper edited and run again": [
        Cell(HELPER, None, (HELPER.replace("§", "7"), HELPER)),
        answer(HELPS),
    ],
    "run twice": [HELPER, answer(HELPS, HELPS, HELPS)],
    "default dtype": [
        "import torch\ntorch.set_default_dtype(torch.float64)",
        answer(PLAIN),
        "torch.set_default_dtype(torch.float32)",
    ],
}
