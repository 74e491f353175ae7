"""What goes wrong in `kv_cache_bytes`, in the order in which it is looked for."""

import numpy as np
import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.generation.cache_bytes.task import kv_cache_bytes

MISTAKES = Mistakes(kv_cache_bytes, globals())
MISTAKES.change("keys-only", "2 * ", "").says("""
    You count the keys alone. Each position leaves a key *and* a value of the same size: twice as
    much.
""")
MISTAKES.change("queries-too", "2 * ", "3 * ").says("""
    You count three arrays. Keys and values are kept; a query is used once and forgotten.
""")
MISTAKES.change("bits", "2 * ", "16 * ").says("""
    You multiply by eight: `bytes_per_number` is in bytes already, and bytes are asked.
""")
MISTAKES.change("divided-by-bytes", "* bytes_per_number", "// bytes_per_number").says("""
    You divide by `bytes_per_number`. Each number takes so many bytes: multiply.
""")
MISTAKES.by("bits-for-bytes", lambda *numbers: kv_cache_bytes(*numbers) // 8).says("""
    You divide by eight, as if `bytes_per_number` were in bits. It is in bytes.
""")
MISTAKES.by("numpy-integer", lambda *numbers: np.int64(kv_cache_bytes(*numbers))).says("""
    You return a NumPy integer, which goes wrong without a word beyond 2^63. Multiply the ints
    themselves: the result is a Python int.
""")
MISTAKES.change("float", "2 * ", "2.0 * ").says("""
    Your result is a float. A number of bytes is whole: return an int, without `/` and without 2.0.
""")
MISTAKES.by("through-a-float", lambda *numbers: int(float(kv_cache_bytes(*numbers)))).says("""
    On the way your number was a float, which holds 53 bits: beyond 2^53 it is rounded. Multiply the
    ints themselves.
""")
MISTAKES.by("tensor", lambda *numbers: torch.tensor(kv_cache_bytes(*numbers))).says("""
    You return a tensor. Multiply the ints themselves: the result is a Python int.
""")
family(
    MISTAKES,
    """You square `head_dim`. A key is a row of `head_dim` numbers and a value another: `2 *
    head_dim` for each head and position, and nothing is multiplied with itself.""",
    head_dim_squared=("2 * layers * kv_heads * head_dim", "layers * kv_heads * head_dim**2"),
    head_dim_squared_and_two=("head_dim * ", "head_dim**2 * "),
)
family(
    MISTAKES,
    """You square `length`, or one of the other numbers. The cache has one key and one value for a
    position, no score for each pair of positions: each of the seven factors stands once.""",
    length_squared=("length * ", "length**2 * "),
    length_squared_for_two=(
        "2 * layers * kv_heads * head_dim * length",
        "layers * kv_heads * head_dim * length**2",
    ),
    layers_squared=("2 * layers", "2 * layers**2"),
    heads_squared=("kv_heads * ", "kv_heads**2 * "),
)
family(
    MISTAKES,
    """You count four rows where a key and a value are two. That a multiplication and an addition
    are two operations belongs to arithmetic, not to memory: begin with 2 · layers.""",
    four_for_two=("2 * ", "4 * "),
)
family(
    MISTAKES,
    """A bracket is missing or in the wrong place: you add where all is multiplied. A product of
    seven factors has no `+`.""",
    heads_and_width_apart=(
        "2 * layers * kv_heads * head_dim",
        "(2 * layers * kv_heads + head_dim)",
    ),
    two_added=("2 * layers", "(2 + layers)"),
)
MISTAKES.change("without-layers", "layers * ", "").says("""
    You count one layer. Every layer has keys and values of its own.
""")
MISTAKES.change("without-heads", "kv_heads * ", "").says(
    "You count one head. Every head of keys keeps its own."
)
MISTAKES.change("without-head_dim", "head_dim * ", "").says("""
    You count one number for each key. A key has `head_dim` numbers.
""")
MISTAKES.change("without-length", "length * ", "").says("""
    You count one position. The cache keeps all `length` of them; so it grows.
""")
MISTAKES.change("without-batch", "batch * ", "").says("""
    You count one text. Each text of the batch has a cache of its own.
""")
MISTAKES.change("without-bytes", " * bytes_per_number", "").says("""
    You count numbers. Bytes are asked: each number takes `bytes_per_number`.
""")
family(
    MISTAKES,
    """You add where you should multiply. Each head has `head_dim` numbers, each text `length`
    positions, each layer all of them: a product of seven factors.""",
    heads_and_numbers_added=("kv_heads * head_dim", "(kv_heads + head_dim)"),
    texts_and_positions_added=("length * batch", "(length + batch)"),
    layers_and_heads_added=("2 * layers * kv_heads", "2 * (layers + kv_heads)"),
    numbers_and_positions_added=("head_dim * length", "(head_dim + length)"),
    one_more_position=("length * batch", "(length + 1) * batch"),
)
family(
    MISTAKES,
    """You do not use `bytes_per_number`: a number of your own stands in its place. With another
    format, one byte a number or four, the cache has another size.""",
    two_bytes=("* bytes_per_number", "* 2"),
    four_bytes=("* bytes_per_number", "* 4"),
)
family(
    MISTAKES,
    """You add where you should multiply. Each head has `head_dim` numbers, each text `length`
    positions, each layer all of them: a product of seven factors.""",
    two_layers_added=("2 * layers * kv_heads", "2 * layers + kv_heads"),
)
MISTAKES.change(
    "keys-in-numbers", "return 2 * ", "return (1 + bytes_per_number) * ", " * bytes_per_number", ""
).says("""
    One of the two, the keys or the values, counts in numbers and not in bytes. Both take
    `bytes_per_number`: add them first, then multiply.
""")
MISTAKES.change("heads-share-head_dim", "head_dim *", "(head_dim // kv_heads) *").says("""
    You divide `head_dim` by the number of heads. It is what one head has already: each of
    `kv_heads` heads keeps `head_dim` numbers.
""")
MISTAKES.change("megabytes", "return 2 *", "return 10**-6 * 2 *").says("""
    You return megabytes. Bytes are asked, a whole number.
""")
MISTAKES.change("whole-megabytes", "* bytes_per_number", "* bytes_per_number // 10**6").says("""
    You return megabytes. Bytes are asked, a whole number.
""")
