"""Values as plain data: what goes into an answer and what came out, safe to compare and to show.

A value is None, a bool, int, float or str; a tuple, list, set or dict of values; an `Array`; or
`Opaque`, of which only the type's name is known. `observe_value` turns whatever an answer returned
into one; `build_value` turns an input into what the answer receives.
"""

import sys
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import (
    MAX_KEYS,
    Array,
    Candidate,
    LookupStep,
    Opaque,
    Transposed,
    is_key,
)
from course_lib.checker.run.where import EXAMINER

# Whose errors have a name of their own: what an answer defines goes by what it is made from.
KNOWN = {"numpy", "torch", "course_lib", "grader", *sys.stdlib_module_names}
MAX_DEPTH = 8
MAX_ITEMS = 2_000  # of all lists, tuples, sets and dictionaries of one value


def build_value(value: Any, library: str, requires_grad: bool = False, device: str = "cpu") -> Any:
    """A fresh copy of an input for an answer: arrays become `library`'s own, on the device."""
    match value:
        case np.ndarray():
            return _build_array(value.copy(), library, requires_grad, device)
        case Transposed(data, axes):
            contiguous = np.ascontiguousarray(data.swapaxes(*axes))
            if library == "numpy":
                return contiguous.swapaxes(*axes)
            return _build_array(contiguous, library, requires_grad, device).transpose(*axes)
        case Candidate():
            return _define(value)
        case LookupStep():
            return LookupStep(value.table.copy(), value.limit, value.is_wide)
        case tuple() | list():
            return type(value)(build_value(v, library, requires_grad, device) for v in value)
        case dict():
            return {k: build_value(v, library, requires_grad, device) for k, v in value.items()}
        case set():
            return set(value)
        case _:
            return value


def _define(candidate: Candidate) -> Any:
    space: dict[str, Any] = {"__name__": "candidate"}
    exec(compile(candidate.source, EXAMINER, "exec"), space)
    return space[candidate.name]


def _build_array(data: np.ndarray, library: str, requires_grad: bool, device: str) -> Any:
    if library == "numpy":
        return data
    import torch

    tensor = torch.from_numpy(data).to(device)
    return tensor.requires_grad_(requires_grad and tensor.is_floating_point())


def observe_value(value: Any) -> Any:
    """Plain data for whatever an answer returned. Never raises; never runs the value's own code
    beyond what NumPy and torch do for their exact types."""
    try:
        return _observe(value, MAX_DEPTH, [MAX_ITEMS])
    except Exception:  # hostile or broken objects: what they are is all that can be said
        return Opaque(type_name(value))


def _observe(value: Any, depth: int, budget: list[int]) -> Any:
    budget[0] -= 1
    if budget[0] < 0 or depth < 0:
        return Opaque("value that is too deep or too long")
    kind = type(value)
    if kind is int and value.bit_length() > 128:
        return Opaque("int with too many digits")  # printing it could take a minute, or raise
    if value is None or kind in (bool, int, float, str):
        return value
    if issubclass(kind, str):  # a word out of a NumPy array is a str too
        return str.__str__(value)
    if kind in (set, frozenset, dict) and len(value) > MAX_KEYS:
        return Opaque(f"{kind.__name__} that is too long")
    if kind in (tuple, list) and len(value) > MAX_ITEMS:
        return Opaque(f"{kind.__name__} that is too long")
    if issubclass(kind, tuple):  # so is a named tuple a tuple
        return tuple(_observe(item, depth - 1, budget) for item in tuple.__iter__(value))
    if kind is list:
        return [_observe(item, depth - 1, budget) for item in value]
    if kind in (set, frozenset):
        members = {_observe(item, depth - 1, budget) for item in value}
        return members if all(map(is_key, members)) else Opaque("set of what is no plain data")
    if kind is dict:
        return {str(k): _observe(v, depth - 1, budget) for k, v in value.items()}
    if kind is np.ndarray and value.dtype.kind in "biuf":
        return Array("numpy", value.dtype.name, value.copy())
    if kind is np.ndarray:
        return Opaque(f"NumPy array of dtype {value.dtype.name}")
    if issubclass(kind, np.generic) and value.dtype.kind in "biuf":
        return Array("numpy", value.dtype.name, np.asarray(value))
    return _observe_tensor(value)


def _observe_tensor(value: Any) -> Any:
    import torch

    if type(value) not in (torch.Tensor, torch.nn.Parameter) or value.is_complex():
        return Opaque(type_name(value))
    dense = value.detach().to("cpu").to_dense() if value.is_sparse else value.detach().to("cpu")
    half = dense.dtype in (torch.bfloat16, torch.float16)  # NumPy has no bfloat16
    data = (dense.float() if half else dense).numpy().copy()
    return Array("torch", str(value.dtype).removeprefix("torch."), data)


def type_name(value: Any) -> str:
    """The name of a value's type, past any metaclass that would lie about it or raise."""
    return _kind_name(type(value))


def error_name(error: BaseException) -> str:
    """The name of an error's type; where that is a class of the answer's own, of the class that it
    is made from: who raises a subclass of ValueError raises a ValueError. The class may stand in a
    file beside the notebook."""
    kinds = type.__dict__["__mro__"].__get__(type(error))
    wide = (Exception, BaseException, object)
    telling = (one for one in kinds if _home(one) in KNOWN and one not in wide)
    return _kind_name(next(telling, None) or next(k for k in kinds if _home(k) != "__main__"))


def _home(kind: type) -> str:
    """The package, or the file, in which a class stands."""
    module = type.__dict__["__module__"].__get__(kind)
    return module.partition(".")[0] if type(module) is str else ""


def _kind_name(kind: type) -> str:
    name = type.__dict__["__qualname__"].__get__(kind)
    module = type.__dict__["__module__"].__get__(kind)
    if type(module) is not str or module in ("builtins", "__main__"):
        return name[:80]
    return f"{module}.{name}"[:80]


def message_of(error: BaseException) -> str:
    """An exception's message on one line, short enough for a report."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # an exception whose own __str__ raises
        return ""
    return text[:300] if text != "None" else ""


def same_data(a: Any, b: Any) -> bool:
    """Whether two observed values are the same, bit for bit (NaN equals NaN)."""
    if type(a) is not type(b):
        return False
    if isinstance(a, Array):
        return a.dtype == b.dtype and a.library == b.library and same_bits(a.data, b.data)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same_data, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same_data(a[k], b[k]) for k in a)
    return a == b


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays of one dtype hold the same numbers, NaN included. Quicker than NumPy's
    own comparisons, which a class meets a million times."""
    return a.shape == b.shape and a.tobytes() == b.tobytes()
