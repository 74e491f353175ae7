"""Run with a folder that holds the core's files alone: no other file of ours and no package but
torch, NumPy and jaxtyping, what these need, and what runs tests can be imported."""

import re
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from types import ModuleType

from packaging.requirements import Requirement

NEEDED = ("torch", "numpy", "jaxtyping")
TESTING = ("pytest", "pytest-xdist", "hypothesis", "beartype", "packaging", "triton")


def with_theirs(names: Sequence[str]) -> set[str]:
    """These distributions, and those that they need."""
    found, todo = set(), list(names)
    while todo:
        name = re.sub("[-_.]+", "-", todo.pop()).lower()
        if name in found:
            continue
        found.add(name)
        try:
            needs = map(Requirement, requires(name) or ())
        except PackageNotFoundError:  # not on this system
            continue
        todo += [need.name for need in needs if not need.marker or need.marker.evaluate()]
    return found


class Absent:
    """Finds first, and finds nothing: what is installed here and would not be there."""

    def __init__(self, allowed: set[str]) -> None:
        self.absent = {
            module
            for module, packages in packages_distributions().items()
            if not allowed & {re.sub("[-_.]+", "-", name).lower() for name in packages}
        } - {"course_lib"}

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> None:
        if name.partition(".")[0] in self.absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


if __name__ == "__main__":
    folder, *words = sys.argv[1:]
    sys.path.insert(0, folder)
    # An editable install finds every file of the checkout.
    sys.meta_path[:] = [x for x in sys.meta_path if "editable" not in str(x).lower()]
    sys.meta_path.insert(0, Absent(with_theirs(NEEDED + TESTING)))
    if words[0] == "-c":
        exec(words[1])
    else:
        import pytest

        sys.exit(pytest.main(words))
