"""A public function is documented where its formula stands; the gate adds what it refuses."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Public = TypeVar("Public", bound=Callable[..., Any])


def documented_by(formula: Callable[..., Any]) -> Callable[[Public], Public]:
    """Put the docstring of the formula before that of the public function: what is computed, from
    what and after whom, and then what is refused."""

    def document(public: Public) -> Public:
        parts = (inspect.getdoc(formula), inspect.getdoc(public))
        public.__doc__ = "\n\n".join(part.strip() for part in parts if part)
        return public

    return document
