"""Functions as text, as they enter a cell."""

import inspect
from collections.abc import Callable

HEADER = "import math\n\nimport torch\nimport torch.nn.functional as F\n\n\n"


def source(function: Callable) -> str:
    """The text of a function, which needs nothing but what `HEADER` imports."""
    return inspect.getsource(function)
