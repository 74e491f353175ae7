"""Paths of before 2027: what was imported from them still is, from where it stands today.

`course_lib.attention.softmax.softmax` is now `course_lib.gate.softmax.softmax`, and so on; the
public names of `course_lib` and `course_lib.kernels` never moved. This file goes after a term.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "attention": (),
    **{
        f"attention.{name}": (f"modules.{name}",)
        for name in ("additive", "cache", "decoder", "hard", "latent", "luong", "multi_head")
    },
    **{
        f"attention.{name}": (f"formulas.{name}", f"gate.{name}")
        for name in ("linear", "masks", "positions", "scores", "softmax")
    },
    "attention.arrays": ("validation.arrays",),
    "attention.precision": ("formulas.precision",),
    "attention.scaled_dot_product": ("gate.attention",),
    "arguments": ("validation.arguments",),
    "checks": ("validation.tensors", "formulas.precision", "kernels.choose"),
    "from_torch": ("modules.from_torch",),
    "given_layers": ("validation.layers",),
    "given_state": ("modules.rotary_state",),
    "given_tensors": ("validation.positions", "validation.scores", "validation.choices"),
}
RENAMED = {"masked_softmax": "attention_weights"}  # the formula, which takes tensors alone


class MovedModules:
    """Finds what nobody else does: a module that has the names of those which took its place."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.removeprefix("course_lib.") not in MOVED:
            return None
        return ModuleSpec(fullname, self, is_package=fullname == "course_lib.attention")

    def create_module(self, spec: ModuleSpec) -> None:
        return None  # an empty one, as Python makes it

    def exec_module(self, module: ModuleType) -> None:
        for place in MOVED[module.__name__.removeprefix("course_lib.")]:
            found = vars(import_module(f"course_lib.{place}"))
            names = {name: found[name] for name in found if not name.startswith("__")}
            if place == "formulas.softmax":
                names |= {old: names[new] for new, old in RENAMED.items()}
            vars(module).update(names)


def register() -> None:
    """Let `import` ask here last."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(MovedModules())
