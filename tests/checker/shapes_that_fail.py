# ruff: noqa: E501 — cells read better on one line
"""Notebooks that earn nothing, however right their author thinks they are."""

from tests.checker.shapes import (
    AGAIN,
    ANSWER,
    HELPER,
    HELPS,
    PLAIN,
    STUB,
    Cell,
    answer,
    never,
    returns,
)

# What earns nothing, also where `§` is 2.
FAILS = {
    "not written": [answer(STUB)],
    "answer does not parse": [answer(PLAIN[:-1] + "(")],
    "answer no longer parses": [answer(PLAIN + " +", PLAIN, PLAIN + " +")],
    "helper does not parse": [HELPER + " +", answer(HELPS)],
    "no answer cell": [AGAIN],
    "only a comment": [answer("# later")],
    "another name": [answer(PLAIN.replace("double", "duoble"))],
    "returns nothing": [answer(PLAIN.replace("return ", "y = "))],
    "defined twice, the last is wrong": [answer(PLAIN), PLAIN.replace("§", "7")],
    "right in a new cell above the stub": [PLAIN, never(STUB, "double")],
    "leans on the course": [
        "from course_lib import softmax",
        returns("softmax(x)"),
    ],
    "leans on the course inside": [
        answer(
            "def double(x, times=1):\n    from course_lib import softmax\n    return x * §**times"
        )
    ],
    "leans on torch": [
        answer(
            "import torch\ndef double(x, times=1):\n    return (torch.from_numpy(x) * §**times).numpy()"
        )
    ],
    "leans on what a class has not": [
        answer(
            "import traitlets\ndef double(x, times=1):\n    traitlets.__name__\n    return x * §**times"
        )
    ],
    "leans on IPython": [
        answer("def double(x, times=1):\n    get_ipython()\n    return x * §**times")
    ],
    "made by exec": ["exec('TWO = §')", answer(ANSWER)],
    "made by globals": ["globals()['TWO'] = §", answer(ANSWER)],
    "made by a call": ["def begin():\n    global TWO\n    TWO = §\nbegin()", answer(ANSWER)],
    "a table filled by a function": [
        "T = []\ndef fill(t):\n    t.append(§)\nfill(T)",
        returns("x * T[0]**times"),
    ],
    "the keyboard": ["TWO = int(input())", answer(ANSWER)],
    "a deleted cell": [Cell("", None, ("TWO = §",)), answer(ANSWER)],
    "none": [answer("double = None")],
    "a number": [answer("double = 3.5")],
    "changes its input": [answer("def double(x, times=1):\n    x *= §**times\n    return x")],
}
