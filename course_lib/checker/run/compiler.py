"""Torch's optimizers and `torch.func` without torch's compiler.

Every optimizer, and every gradient of `torch.func`, imports `torch._dynamo`, only to be left alone:
3 seconds of a processor and 900 modules, in the middle of the first verdict on an answer. Torch has
no public switch for it: its environment variables turn the compiler off and import it all the same.
"""

import contextlib
import importlib
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

NAME = "torch._dynamo"
KEPT = "__dynamo_disable"  # where torch keeps what `disable` made of a function


@contextlib.contextmanager
def without_compiler() -> Iterator[None]:
    """Within it an optimizer or a gradient finds a compiler that leaves each function as it is.
    Whoever asks for more, as `torch.compile` does, gets torch's own; nothing is changed where that
    is there already.
    """
    if "torch" not in sys.modules or NAME in sys.modules:
        yield
        return
    stand_in = sys.modules[NAME] = _StandIn()
    try:
        yield
    finally:
        if sys.modules.get(NAME) is stand_in:
            del sys.modules[NAME]
        for function in stand_in.left_alone:
            vars(function).pop(KEPT, None)  # torch asks again, its own compiler the next time


class _StandIn(types.ModuleType):
    """Has what an optimizer and `torch.func` ask for."""

    compiled_autograd = types.SimpleNamespace(_disable=contextlib.nullcontext)

    def __init__(self) -> None:
        super().__init__(NAME)
        self.left_alone: list[Callable] = []

    def disable(self, function: Callable, *_: Any, **__: Any) -> Callable:
        self.left_alone.append(function)
        return function

    def graph_break(self, *_: Any, **__: Any) -> None:
        """Nothing: torch's own does nothing outside a function that is compiled."""

    def __getattr__(self, name: str) -> Any:
        # Whoever looks through all modules asks each for its file: that is no wish for a compiler.
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)
        if sys.modules.get(NAME) is self:
            del sys.modules[NAME]
        return getattr(importlib.import_module(NAME), name)
