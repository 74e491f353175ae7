"""A task of lab 5, the parameters, and what makes a number of the lab a task."""

from collections.abc import Callable, Sequence

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
MISTAKES.change("queries-of-a-group-for-groups", "* kv_heads *", "* (heads // kv_heads) *").says("""
    Your W_k and W_v write heads / kv_heads heads, the number of queries that share one. They write
    kv_heads: d_model × (kv_heads · head_dim).
""")
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
