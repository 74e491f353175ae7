"""Two tasks of lab 5, parameters and memory, and what makes a number of the lab a task."""

from collections.abc import Callable, Sequence

import numpy as np

from course_lib.checker.tasks import Cases, Mistakes, Sampler, Task, task
from course_lib.exercises.common import family
from course_lib.exercises.size_a_model.ideas import IDEAS

WITHIN = 0.05


def count_parameters(layers, d_model, heads, kv_heads, d_ff, vocabulary, tied):
    head_dim = d_model // heads
    queries = d_model * d_model  # W_q, and W_o is as large
    keys = d_model * kv_heads * head_dim  # W_k, and W_v is as large
    feed_forward = 3 * d_model * d_ff  # gate, up and down
    tables = 1 if tied else 2
    embeddings = tables * vocabulary * d_model
    return float(layers * (2 * queries + 2 * keys + feed_forward) + embeddings)


def most_texts(memory, parameters, bytes_per_number, cache_bytes):
    left = memory - parameters * bytes_per_number
    return float(max(left // cache_bytes, 0))


def size(
    mistakes: Mistakes,
    points: int,
    example: tuple,
    cases: Sequence[tuple[str, Callable[[Sampler], tuple]]],
    hints: tuple[str, str, str],
    within: float | None = WITHIN,
) -> Task:
    """A task whose answer is a number. Every second case is hidden."""
    answer = mistakes.reference
    idea, cost = IDEAS[answer.__name__]
    case = Cases(dtypes=("float32",), within=within)
    case.example(example)
    for i, (name, draw) in enumerate(cases):
        (case.hidden if i % 2 else case)(name, draw)
    return task(mistakes, points, case.all, hints, library="numpy", idea=idea, cost=cost)


def shape(
    s: Sampler, share: int = 8, tied: bool = False, words: int = 160_000, quarters: int = 8
) -> tuple:
    """A model: heads of 128, `share` query heads for each head of keys, and a feed-forward block of
    so many quarters of its width. So many layers and words that each part of it is more than the
    share by which an answer may be off."""
    kv_heads, layers = s.dims(2, low=3)
    layers += 20
    heads = share * kv_heads
    d_model = 128 * heads
    return layers, d_model, heads, kv_heads, quarters * d_model // 4 + 64, words, tied


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
    """Room for whole texts, less so many bytes, and more bytes than float32 can tell apart."""
    memory, *rest = filled(int(s.integers(1, 9)) * 10**9, 2, 10**10, 7 * 10**8 + s.size, 0)
    return memory - less, *rest


MISTAKES = Mistakes(count_parameters)
MISTAKES.change("keys-as-wide-as-queries", "kv_heads * head_dim", "d_model").says("""
    Your W_k and W_v are as large as W_q. They make `kv_heads` heads only: d_model × (kv_heads ·
    head_dim) each, with head_dim = d_model // heads, whoever's head it is.
""")
MISTAKES.change("heads-without-their-width", "kv_heads * head_dim", "kv_heads").says("""
    `kv_heads` alone is no width: W_k and W_v make kv_heads · head_dim features each.
""")
MISTAKES.change("no-output-matrix", "2 * queries", "queries").says("""
    You forget W_o, which puts the heads together: another d_model × d_model.
""")
MISTAKES.change("narrow-output-matrix", "2 * queries + 2 * keys", "queries + 3 * keys").says("""
    Your W_o is as narrow as W_k. The heads of the queries all go through it: d_model × d_model.
""")
MISTAKES.change("keys-alone", "2 * keys", "keys").says(
    "You count W_k and forget W_v, which is as large."
)
MISTAKES.change("two-matrices", "3 * d_model", "2 * d_model").says("""
    You count two matrices in the feed-forward block. With a gate there are three.
""")
MISTAKES.change("always-tied", "1 if tied else 2", "1").says("""
    You count one table of embeddings, also where reading and writing have their own.
""")
MISTAKES.change("always-two-tables", "1 if tied else 2", "2").says("""
    You count two tables of embeddings, also where they are one.
""")
MISTAKES.change("no-embeddings", " + embeddings", "").says(
    "You forget the embeddings: vocabulary × d_model."
)
MISTAKES.change("one-layer", "layers * (", "(").says("You count a single layer.")
MISTAKES.change(
    "embeddings-in-every-layer", "feed_forward) + embeddings", "feed_forward + embeddings)"
).says("""
    You count the embeddings in every layer; the model has them once.
""")
MISTAKES.change("tied-turned", "1 if tied else 2", "2 if tied else 1").says("""
    You have turned *tied* round: tied, reading and writing share one table.
""")
family(
    MISTAKES,
    """You multiply a matrix by the number of heads. W_q and W_o are d_model × d_model for all heads
    together, each of which has d_model / heads numbers.""",
    matrices_for_each_head=("2 * queries", "2 * heads * queries"),
    queries_for_each_head=("2 * queries", "(1 + heads) * queries"),
    keys_for_each_head=("2 * keys", "2 * heads * keys"),
)
family(
    MISTAKES,
    """Your W_k and W_v read too few numbers. Each reads the whole of the model and writes the heads
    of keys: d_model × (kv_heads · head_dim).""",
    narrow_on_both_sides=("d_model * kv_heads * head_dim", "(kv_heads * head_dim) ** 2"),
    reading_one_head=("d_model * kv_heads * head_dim", "head_dim * kv_heads * head_dim"),
)
family(
    MISTAKES,
    """You count W_q and W_o for a single head. They are d_model × d_model for all heads
    together.""",
    queries_of_one_head=("d_model * d_model", "d_model * head_dim"),
)
family(
    MISTAKES,
    """Your feed-forward block is of another size: three matrices of d_model × d_ff.""",
    square_feed_forward=("3 * d_model * d_ff", "3 * d_ff * d_ff"),
    no_feed_forward=("3 * d_model * d_ff", "0"),
    one_matrix=("3 * d_model * d_ff", "d_model * d_ff"),
)
PARAMETERS = size(
    MISTAKES,
    3,
    (1, 4, 2, 1, 8, 100, True),
    (
        ("heads that share", shape),
        ("no sharing", lambda s: shape(s, 1, words=500)),
        ("one table for reading and writing", lambda s: shape(s, 8, True)),
        ("many query heads for each head of keys", lambda s: shape(s, 8, words=500)),
        ("a narrow feed-forward block", lambda s: shape(s, 2, words=500, quarters=1)),
    ),
    (
        "List the matrices of one layer with their shapes. Which of them know how many heads of "
        "keys there are?",
        "W_q and W_o are d_model × d_model, W_k and W_v are d_model × (kv_heads · head_dim), the "
        "feed-forward block has three of d_model × d_ff.",
        "layers · (2 d² + 2 d · kv_heads · head_dim + 3 d · d_ff), and vocabulary · d once if "
        "tied, else twice; head_dim is d_model // heads.",
    ),
)
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
MISTAKES.change("fewer-than-none", "max(left // cache_bytes, 0)", "left // cache_bytes").says("""
    Where the weights alone do not fit, the answer is 0, not less.
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
