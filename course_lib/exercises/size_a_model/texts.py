"""A task of lab 5: how many texts a machine's memory has room for."""

import numpy as np

from course_lib.checker.tasks import Mistakes, Sampler
from course_lib.exercises.common import family
from course_lib.exercises.size_a_model.sizes import size


def most_texts(memory, parameters, bytes_per_number, cache_bytes):
    left = memory - parameters * bytes_per_number
    return float(max(left // cache_bytes, 0))


def served(s: Sampler, spare: float = 0.5) -> tuple:
    """A machine's memory, of which `spare` is left beside the weights."""
    parameters = int(s.integers(1, 9)) * 10**9 + int(s.integers(1, 10**6))
    left = int(2 * parameters * spare / (1 - spare))
    return filled(parameters, 2, left, int(s.integers(10**6, 10**7)) * 7)


def filled(parameters: int, bytes_per_number: int, left: int, cache: int, tenths: int = 7) -> tuple:
    """About so many bytes are left: whole texts, and some tenths of one more."""
    memory = parameters * bytes_per_number + left // cache * cache + tenths * cache // 10
    return memory, parameters, bytes_per_number, cache


def fitting(s: Sampler, less: int) -> tuple:
    """Room for one text or for many, less so many bytes, and more bytes than float32 can tell
    apart."""
    left = 10**9 if s.size == 1 else 10**10
    memory, *rest = filled(int(s.integers(1, 9)) * 10**9, 2, left, 7 * 10**8 + s.size, 0)
    return memory - less, *rest


MISTAKES = Mistakes(most_texts)
MISTAKES.change("weights-forgotten", "memory - parameters * bytes_per_number", "memory").says(
    "You forget that the weights lie in the same memory."
)
MISTAKES.change("numbers-for-bytes", "parameters * bytes_per_number", "parameters").says("""
    You subtract numbers from bytes: each parameter takes `bytes_per_number`.
""")
MISTAKES.change("full-memory-refused", "left // cache_bytes", "(left - 1) // cache_bytes").says("""
    Where texts fill the memory to the last byte, you count one too few: they fit. Is there a `<`
    where `<=` belongs?
""")
MISTAKES.by(
    "single-precision",
    lambda memory, parameters, width, cache: float(
        max(np.float32(memory - parameters * width) // np.float32(cache), 0)
    ),
).says("""
    One byte too few for a last text is lost on the way: float32 does not hold so many digits. Stay
    with whole numbers, and divide with `//`.
""")
MISTAKES.change("a-part-of-a-text", "//", "/").says("There is no part of a text: round down.")
MISTAKES.change("rounded-up", "left // cache_bytes", "-(-left // cache_bytes)").says(
    "You round up. A text that fits in part does not fit."
)
family(
    MISTAKES,
    """Where the weights alone do not fit, the answer is 0, not less.""",
    fewer_than_none=("max(left // cache_bytes, 0)", "left // cache_bytes"),
    fewer_than_none_truncated=("max(left // cache_bytes, 0)", "int(left / cache_bytes)"),
)
MISTAKES.change(
    "rounded-twice",
    "max(left // cache_bytes, 0)",
    "max(memory // cache_bytes - parameters * bytes_per_number // cache_bytes, 0)",
).says("""
    You round twice, the memory and the weights. Take the weights from the memory first, in bytes,
    then divide and round down once.
""")
MISTAKES.change("rounded", "left // cache_bytes", "round(left / cache_bytes)").says("""
    Your number is at times one too many. A text that fits in part does not fit: take the weights
    from the memory first, divide, and round down once, at the end.
""")
family(
    MISTAKES,
    """You multiply the memory by `bytes_per_number`, which is in bytes already. Only `parameters`
    are numbers: memory - parameters * bytes_per_number.""",
    bracket=("memory - parameters * bytes_per_number", "(memory - parameters) * bytes_per_number"),
    memory_alone=("memory - parameters * bytes_per_number", "memory * bytes_per_number"),
)
family(
    MISTAKES,
    """You count the weights for each text. They lie in the memory once: take them away first, then
    divide what is left by one text's cache.""",
    weights_for_each_text=(
        "left // cache_bytes",
        "memory // (parameters * bytes_per_number + cache_bytes)",
    ),
)
family(
    MISTAKES,
    """You say that one text fits where none does. If the weights alone do not fit, the answer is
    0.""",
    at_least_one=("max(left // cache_bytes, 0)", "max(left // cache_bytes, 1)"),
)
family(
    MISTAKES,
    """You drop the sign: where less than nothing is left, no text fits.""",
    without_sign=("left // cache_bytes", "abs(left) // cache_bytes"),
)
family(
    MISTAKES,
    """Memory and cache are not in one unit. Both are given in bytes: neither multiply the cache by
    `bytes_per_number` nor divide the memory by it.""",
    cache_in_bytes_twice=("left // cache_bytes", "left // (cache_bytes * bytes_per_number)"),
)
family(
    MISTAKES,
    """You count one text too few. What is left, divided by one text's cache and rounded down, all
    fits.""",
    one_too_few=("left // cache_bytes", "left // cache_bytes - 1"),
)
TEXTS = size(
    MISTAKES,
    2,
    (100, 20, 2, 25),
    (
        ("half of the memory is left", served),
        ("little is left", lambda s: served(s, 0.02)),
        ("one byte a number", lambda s: filled(served(s)[1], 1, 10**9, 10**8 + 7, 3)),
        ("the weights alone do not fit", lambda s: (10**9, *served(s)[1:])),
        ("the weights fill the memory", lambda s: (2 * (held := served(s)[1]), held, 2, 10**7)),
        ("texts that fit exactly", lambda s: fitting(s, 0)),
        ("texts that fit but for one byte", lambda s: fitting(s, 1)),
    ),
    (
        "What lies in the memory while a model writes?",
        "Weights once, and for each text its cache.",
        "`(memory - parameters * bytes_per_number) // cache_bytes`, and 0 where that is less than "
        "0.",
    ),
    within=None,
)
