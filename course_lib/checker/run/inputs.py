"""What goes into an answer and what came out of it: plain data, the same on both sides.

A value is None, a bool, int, float or str; a tuple, list, set or dict of values; an `Array`; or
`Opaque`, of which only the type's name is known.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

# Begin the message of an error that no line of the answer raised.
AFTERWARDS = "what the checker does with your result raises "
INSIDE = "what you call, with what you give it, raises "
MAX_KEYS = 200  # members of one set, keys of one dictionary
MAX_KEY_PARTS = 8


def is_key(value: Any) -> bool:
    """Whether a value can be in a set: a scalar, or a short tuple of scalars. Numbers can be chosen
    so that all of them hash alike, which makes a set's cost quadratic: so keys are short and few.
    """
    if type(value) is tuple:
        return (
            len(value) <= MAX_KEY_PARTS
            and not any(type(v) is tuple for v in value)
            and all(map(is_key, value))
        )
    return value is None or type(value) in (bool, int, float, str)


@dataclass(frozen=True)
class Inputs:
    """What an answer is called with, as plain data (arrays are NumPy arrays).

    A function is called `answer(*args, **kwargs)`. With `init`, the answer is a class:
    `module = answer(*init)`, `module.load_state_dict(state, strict=True)`, `module.eval()`, or
    `module.train()` if it `is_training`, then `module(*args, **kwargs)`.
    With `upstream` (one array for each floating output, in order)
    the gradients of `sum(output * upstream)` are compared too, for each floating array in `args`
    and each parameter of the module. With `largest` the answer may make no tensor of more numbers,
    and may not leave the whole task to torch. With `examiner` the answer is not called but handed
    to that function, before the arguments; what the function finds is the value. On a `device`
    other than the CPU every tensor is moved there first, and the results are brought back.
    Where `in_blocks` is a number, an answer that takes two arguments is called with the first and
    with `Blocks` of those between, of as many places as the last says; it may then make no tensor
    of more than that many numbers, if the number is not 0. One that takes all is called with all.
    `kept` is for the judge alone: no frame holds it, so it never enters a cell.
    """

    args: tuple = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    init: tuple | None = None
    state: dict[str, Any] = field(default_factory=dict)
    upstream: tuple | None = None
    largest: int | None = None
    examiner: "Candidate | None" = None
    device: str = "cpu"
    is_training: bool = False
    in_blocks: int | None = None
    kept: Any = None

    @property
    def unwatched(self) -> "Inputs":
        """The same, where nobody asks how an implementation was used."""
        if not any(isinstance(one, Candidate) for one in self.args):
            return self
        return replace(self, args=tuple(Candidate(one.name, one.source) for one in self.args))


@dataclass(frozen=True, eq=False)
class Array:
    """An array that came out of an answer: its library, its dtype's name, and its numbers."""

    library: str  # "numpy" or "torch"
    dtype: str
    data: np.ndarray


@dataclass(frozen=True)
class Opaque:
    """Something that is not data; `type_name` is what to call it in a sentence."""

    type_name: str

    def __repr__(self) -> str:
        return f"<{self.type_name}>"


@dataclass(frozen=True, eq=False)
class Transposed:
    """An input array that reaches the answer as a non-contiguous view: `data` with axes swapped."""

    data: np.ndarray
    axes: tuple[int, int]


@dataclass(eq=False)
class LookupStep:
    """A decoder step to call: `step(tokens (B,), state (B,)) -> (logits (B, V), state (B,))`.

    logits = table[state mod P, tokens] with `table` (P, V, V); the state counts up by one. One that
    `is_wide` holds the same number several times, (B, n). Calls beyond `limit` raise, so a decoder
    that does not stop is caught.
    """

    table: np.ndarray
    limit: int
    is_wide: bool = False
    calls: int = 0

    def __call__(self, tokens: Any, state: Any) -> tuple[Any, Any]:
        import torch

        self.calls += 1
        if self.calls > self.limit:
            raise RuntimeError(f"step was called more than max_length = {self.limit} times")
        if not isinstance(tokens, torch.Tensor) or tokens.shape != (len(state),):
            given = tuple(tokens.shape) if isinstance(tokens, torch.Tensor) else type(tokens)
            raise ValueError(f"step wants a tensor of {len(state)} words, one a sentence: {given}")
        table = torch.from_numpy(self.table).to(state.device)
        phase = state[:, 0] if self.is_wide else state
        return table[phase % len(table), tokens], state + 1


@dataclass(frozen=True)
class Candidate:
    """A function as text that defines `name`: an implementation that an answer, which is a test, is
    to judge (the answer receives it; what becomes of it is a `Verdict`), or an `Inputs.examiner`.
    Where it `is_watched`, the verdict says how the test used it. What an examiner that `hands_on`
    returns is what the answer did, and is looked at as the answer's own.
    """

    name: str
    source: str
    is_watched: bool = False
    hands_on: bool = False


# An argument of a call: its name, dtype or type, shape, largest number, and what is odd about it.
Given = tuple[str, str, tuple[int, ...], float, str]
Call = tuple[Given, ...]


@dataclass(frozen=True)
class Verdict:
    """Whether a test refused a candidate, by raising, in which words and at which line of its own.
    Of a candidate that is watched also its `calls`, and the faults of its results that the test
    lets pass: (kind, number of the part, size), as `watching` names them. Where it accepts, `line`
    is an `assert` that cannot fail."""

    refused: bool
    words: str = ""
    line: str = field(default="", compare=False)
    calls: tuple[Call, ...] = field(default=(), compare=False)
    passes: tuple[tuple[str, int, float], ...] = field(default=(), compare=False)


@dataclass(frozen=True, eq=False)
class Observation:
    """What one run of an answer did: its value, or the error it raised, and its side effects.

    `gradients` are those of `Inputs.upstream`, by the argument's position ("0", "1", …) or the
    parameter's name; None when none were asked for, an Opaque when they could not be taken.
    """

    value: Any = None
    error: str | None = None  # the exception's type
    message: str = ""
    gradients: Any = None
    changed: tuple[int, ...] = field(default=())  # arguments changed in place: args, then kwargs
    printed: bool = False
    shapes: str = ""  # of the arrays in the expression that raised the error
    line: str = ""  # of the answer, where it raised


def out_of_memory(seen: Observation) -> bool:
    """Whether this is Python's, NumPy's or torch's way to say that memory is short."""
    error = seen.error or ""
    return "MemoryError" in error or "can't allocate memory" in seen.message
