"""How what is returned is related to what is needed by its kind: a type, its parts, their order."""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any

from course_lib.checker.compare.kept import equal
from course_lib.checker.compare.of_lists import ITERATORS, of_lists
from course_lib.checker.run.inputs import Array, Opaque

TEXT = (
    "You return a text; a number is needed. Return the number itself, without quotation marks, "
    "`str(…)` or units."
)
NO_RETURN = (
    "Your function gives nothing back, in every call or in some. Each way through it ends with "
    "`return` and the result; `print` only shows it."
)
LIST = "You return a {0}; {1} is needed. {2}"
ONE_OF_THEM = "You return a {0}, and one thing in it is right. Return that alone."
TO_TENSOR = (
    "`torch.stack` makes one tensor of a list of tensors, and keeps their gradients; "
    "`torch.tensor` makes one of a list of numbers."
)
TO_LIST = "Make a list of it first, with square brackets: `np.array([… for …])`."
TO_ARRAY = "`np.array` or `np.stack` makes one array of it."
LIBRARY = (
    "You return {0} where {1} is needed. Turn the result at the end, or stay in one library from "
    "the inputs on: through another no gradient passes."
)
NUMBER = "You return a {0}; a Python number is needed: `float(…)` or `.item()` makes one of it."
NO_NUMBER = (
    "You return a Python number; {0} is needed. Leave out `.item()` and `float(…)`: what they give "
    "has no gradient, so nothing could be learned from it."
)
ALONE = "You return {0} alone, and it is right. Return all that is asked for: `return {1}`."
FEWER = "What you return is right, but not all that is asked for: {0} missing. `return {1}`."
ORDER = "What you return is right, but not in its order: `return {0}`."
OTHER_ORDER = (
    "Your results have the shapes that are needed, but in another order: `return {0}`. What else "
    "is wrong shows when they stand in their places."
)
AS_LIST = "What you return is right, but in a list. Return a tuple: `return {0}`."
STACKED = "You return one {0} where several results are asked for. Return a tuple: `return {1}`."
NO_TUPLE = "You return a {0}. Return a tuple: `return {1}`."


def of_kinds(want: Any, have: Any, parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Relations of what is returned: its type, its parts and their order."""
    listed = ", ".join(parts)
    if have is None:
        yield "none", NO_RETURN
    elif isinstance(want, Array):
        kind = "a tensor" if want.library == "torch" else "a NumPy array"
        if isinstance(have, list | tuple) and any(equal(want, one) for one in have):
            yield "one of them", ONE_OF_THEM.format(type(have).__name__)
        elif isinstance(have, list | tuple):
            to = TO_TENSOR if want.library == "torch" else TO_ARRAY
            yield "list", LIST.format(type(have).__name__, kind, to)
        elif isinstance(have, Opaque) and have.type_name in ITERATORS:
            yield "iterator", LIST.format(have.type_name, kind, TO_LIST)
        elif type(have) in (int, float):
            yield "number", NO_NUMBER.format(kind)
        elif isinstance(have, Array) and have.library != want.library:
            yield "library", LIBRARY.format(f"{have.library}'s", f"{want.library}'s")
    elif isinstance(want, int | float) and isinstance(have, Array) and have.data.size == 1:
        if have.library == "numpy" and not have.data.ndim:
            return  # a NumPy number is one
        yield "no number", NUMBER.format("tensor" if have.library == "torch" else "NumPy array")
    elif isinstance(want, int | float) and isinstance(have, str):
        yield "text", TEXT
    elif isinstance(want, list):
        yield from of_lists(want, have)
    elif isinstance(want, tuple) and listed and isinstance(have, dict | set | str):
        yield "no tuple", NO_TUPLE.format(type(have).__name__, listed)
    elif isinstance(want, tuple) and listed:
        if isinstance(have, Array):
            right = [i for i, one in enumerate(want) if equal(one, have)]
            if right:
                yield "alone", ALONE.format(f"`{parts[right[0]]}`", listed)
            elif have.data.shape[:1] == (len(want),):
                yield "stacked", STACKED.format("tensor or array", listed)
        elif isinstance(have, list | tuple) and 0 < len(have) < len(want):
            places = [next((i for i, w in enumerate(want) if equal(w, h)), None) for h in have]
            if None not in places and len({*places}) == len(places):
                missing = [f"`{p}`" for i, p in enumerate(parts) if i not in places]
                verb = "are" if len(missing) > 1 else "is"
                yield f"fewer {missing}", FEWER.format(f"{' and '.join(missing)} {verb}", listed)
        elif isinstance(have, list | tuple) and len(have) == len(want):
            if isinstance(have, list) and all(map(equal, want, have)):
                yield "as list", AS_LIST.format(listed)
            elif _reordered(want, have, equal):
                yield "order", ORDER.format(listed)
            elif _reordered(want, have, _same_shape):
                yield "order of shapes", OTHER_ORDER.format(listed)


def _reordered(want: Sequence[Any], have: Sequence[Any], alike: Callable[[Any, Any], bool]) -> bool:
    """Whether every part has its like, and not all of them at their own places."""
    orders = (order for order in permutations(have) if all(map(alike, want, order)))
    return not all(map(alike, want, have)) and next(orders, None) is not None


def _same_shape(want: Any, have: Any) -> bool:
    return (
        isinstance(want, Array) and isinstance(have, Array) and want.data.shape == have.data.shape
    )
