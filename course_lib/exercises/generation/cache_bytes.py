"""Task `kv_cache_bytes`: how large the cache of a model is."""

from collections.abc import Callable
from math import prod

import numpy as np
import torch

from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task


def kv_cache_bytes(layers, kv_heads, head_dim, length, batch, bytes_per_number):
    return 2 * layers * kv_heads * head_dim * length * batch * bytes_per_number


def ragged(s: Sampler) -> Inputs:
    """Six different numbers, none of them 1: a factor left out or squared always shows."""
    return Inputs(s.dims(6, low=3))


def with_one(place: int) -> Callable[[Sampler], Inputs]:
    """`ragged` with a 1 at one place."""

    def draw(s: Sampler) -> Inputs:
        numbers = list(s.dims(6, low=3))
        numbers[place] = 1
        return Inputs(tuple(numbers))

    return draw


def huge(s: Sampler) -> Inputs:
    """Above 2^53 and odd but for one factor 2: a float on the way cannot hold it."""
    low = 1001 + 2 * s.size
    return Inputs((low, low + 2, low + 4, low + 6, low + 8, low + 10))


def _without(place: int):
    return lambda *numbers: 2 * prod(numbers[:place] + numbers[place + 1 :])


def _left_out(place: int, name: str, sentence: str) -> Mistake:
    return Mistake(f"without-{name}", sentence, _without(place))


CACHE_BYTES = Task(
    name="kv_cache_bytes",
    points=1,
    reference=kv_cache_bytes,
    idea=(
        "Count what one word leaves behind: in each layer a key and a value, head_dim numbers "
        "each, for every head of keys. Then multiply by all that there is of it: layers, "
        "positions, texts, and bytes for a number. The number of *query* heads does not "
        "occur, which is why sharing keys helps."
    ),
    cost="Seven factors; the result is what a server has to find room for.",
    cases=(
        Case("a small model", ragged, dtypes=("float32",)),
        Case("a batch of one", with_one(4), dtypes=("float32",)),
        Case("one head of keys", with_one(1), hidden=True, dtypes=("float32",)),
        Case("one byte a number", with_one(5), hidden=True, dtypes=("float32",)),
        Case("a number that no float can hold", huge, hidden=True, dtypes=("float32",)),
    ),
    mistakes=(
        Mistake(
            "keys-only",
            "You count the keys alone. Each position leaves a key *and* a value of the same size: "
            "twice as much.",
            lambda *numbers: prod(numbers),
        ),
        Mistake(
            "queries-too",
            "You count three arrays. Keys and values are kept; a query is used once and forgotten.",
            lambda *numbers: 3 * prod(numbers),
        ),
        Mistake(
            "bits",
            "You multiply by eight: `bytes_per_number` is in bytes already, and bytes are asked.",
            lambda *numbers: 16 * prod(numbers),
        ),
        Mistake(
            "bits-for-bytes",
            "You divide by eight, as if `bytes_per_number` were in bits. It is in bytes.",
            lambda *numbers: 2 * prod(numbers) // 8,
        ),
        Mistake(
            "numpy-integer",
            "You return a NumPy integer, which goes wrong without a word beyond 2^63. Multiply the "
            "ints themselves: the result is a Python int.",
            lambda *numbers: np.int64(2 * prod(numbers)),
        ),
        Mistake(
            "float",
            "Your result is a float. A number of bytes is whole: return an int, without `/` and "
            "without 2.0.",
            lambda *numbers: 2.0 * prod(numbers),
        ),
        Mistake(
            "through-a-float",
            "On the way your number was a float, which holds 53 bits: beyond 2^53 it is rounded. "
            "Multiply the ints themselves.",
            lambda *numbers: int(2.0 * prod(numbers)),
        ),
        Mistake(
            "tensor",
            "You return a tensor. Multiply the ints themselves: the result is a Python int.",
            lambda *numbers: torch.tensor(2 * prod(numbers)),
        ),
        Mistake(
            "kibibytes",
            "You return KiB (a 1,024th). Return bytes, without dividing.",
            lambda *numbers: 2 * prod(numbers) // 1024,
        ),
        _left_out(0, "layers", "You count one layer. Every layer has keys and values of its own."),
        _left_out(1, "heads", "You count one head. Every head of keys keeps its own."),
        _left_out(
            2, "head_dim", "You count one number for each key. A key has `head_dim` numbers."
        ),
        _left_out(
            3,
            "length",
            "You count one position. The cache keeps all `length` of them; so it grows.",
        ),
        _left_out(4, "batch", "You count one text. Each text of the batch has a cache of its own."),
        _left_out(
            5, "bytes", "You count numbers. Bytes are asked: each number takes `bytes_per_number`."
        ),
    ),
    hints=(
        "How many numbers does *one* position of *one* text leave behind in *one* layer?",
        "A key of `head_dim` numbers for each of the `kv_heads` heads, and a value as large. Then "
        "as often as there are layers, positions and texts.",
        "A product of seven factors: a 2 (for what?) and the six arguments. Ints multiplied give "
        "an int.",
    ),
)
