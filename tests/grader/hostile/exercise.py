"""A small exercise to attack: two tasks that every hostile notebook answers honestly, and the
target, which it does not. So a hostile notebook is worth exactly `EARNED` points."""

import json

import numpy as np

from course_lib.checker.tasks import Case, Exercise, Inputs, Mistake, Task

STEM = "98_attacked"
EARNED = 3


def honest(x):
    return 2 * x + 1


def tensor_target(x):
    return x * x.exp()


def target(x):
    shifted = np.exp(x - x.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def _draw(sampler):
    rows, columns = sampler.dims(2)
    return Inputs((sampler.floats(rows, columns),))


def _draw_with_gradient(sampler):
    rows, columns = sampler.dims(2)
    x = sampler.floats(rows, columns)
    return Inputs((x,), upstream=(sampler.floats(rows, columns),))


CASES = (Case("small", _draw), Case("of any size", _draw, hidden=True))
EXERCISE = Exercise(
    STEM,
    "Under attack",
    (
        Task("honest", 1, honest, CASES, (), ("Twice, plus one.",), library="numpy"),
        Task(
            "target",
            4,
            target,
            CASES,
            (Mistake("no maximum", "Subtract the maximum first.", lambda x: np.exp(x)),),
            ("Exponentials first.",),
            library="numpy",
        ),
        Task(
            "tensor_target",
            2,
            tensor_target,
            (Case("gradients", _draw_with_gradient),),
            (),
            ("The exponential is `x.exp()`.",),
        ),
    ),
)

EXERCISES = {STEM: EXERCISE}

HONEST = "def honest(x):\n    return 2 * x + 1\n"
TENSOR = "def tensor_target(x):\n    return x * torch.exp(x)\n"
RIGHT = (
    "import numpy as np\n"
    "def right(x):\n"
    "    e = np.exp(x - x.max(axis=-1, keepdims=True))\n"
    "    return e / e.sum(axis=-1, keepdims=True)\n"
)
GOOD_TARGET = RIGHT + "def target(x):\n    return right(x)\n"


def code(source, task=None):
    metadata = {"tags": ["answer"], "task": task} if task else {}
    return {
        "cell_type": "code",
        "id": task or "imports",
        "metadata": metadata,
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def notebook(target_source):
    """The bytes of a notebook whose answer to `target` is the given source."""
    cells = [
        code("import numpy as np\nimport torch\nfrom course_lib import check"),
        code(HONEST, "honest"),
        code(target_source, "target"),
        code(TENSOR, "tensor_target"),
    ]
    content = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content).encode()
