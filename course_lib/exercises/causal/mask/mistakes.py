"""What goes wrong in `causal_mask`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.causal.mask.task import causal_mask
from course_lib.exercises.common import family

MISTAKES = Mistakes(causal_mask, globals())
MISTAKES.change("aligned-top-left", " + n_keys - n_queries", "").says("""
    Your triangle starts at the first key. The newest query stands beside the newest key: with more
    keys than queries the first row already sees the older ones. Move the diagonal by n_keys -
    n_queries.
""")
MISTAKES.change(
    "top-left-when-queries-are-more", "+ n_keys - n_queries", "+ max(n_keys - n_queries, 0)"
).says("""
    With more queries than keys your first query sees the first key. The last query stands beside
    the last key; the surplus queries come before every key and see nothing.
""")
MISTAKES.change(
    "diagonal-without-its-sign", "+ n_keys - n_queries", "+ abs(n_keys - n_queries)"
).says("""
    With more queries than keys n_keys - n_queries is below 0, and you drop its sign. Keep it: the
    first rows are then all False.
""")
MISTAKES.change("strictly-before", "<=", "<").says("""
    A query does not see its own position. It sees every position up to and including its own; else
    the first row would be empty.
""")
MISTAKES.change("strictly-before-top-left", "<=", "<", " + n_keys - n_queries", "").says("""
    A query does not see its own position, and your triangle starts at the first key. Include the
    diagonal, and move it by n_keys - n_queries.
""")
MISTAKES.change("one-too-far", "<= queries", "<= queries + 1").says("""
    Every query sees one position of the future. The diagonal is its own position, and the last one
    it may see.
""")
MISTAKES.change("shifted-the-wrong-way", "+ n_keys - n_queries", "- n_keys + n_queries").says("""
    You move the diagonal the wrong way. With more keys than queries the first row sees more than
    one key: move it by n_keys - n_queries.
""")
MISTAKES.change("inverted", "<=", ">").says("""
    Your mask is True where attention is forbidden. Here True means “may attend”.
""")
MISTAKES.change("inverted-top-left", "<=", ">", " + n_keys - n_queries", "").says("""
    Your mask is True where attention is forbidden, and its triangle starts at the first key. True
    means “may attend”, and the last query stands beside the last key.
""")
MISTAKES.change("sees-the-future", "<=", ">=").says("""
    Your triangle is the upper one: queries see what comes after them. Take the lower one, `tril`.
""")
MISTAKES.by("transposed", lambda t, s=None: causal_mask(t, s).T).says("""
    Rows and columns have changed places. Rows are queries, columns are keys.
""")
sentence = """
    Your mask holds numbers. Return booleans: make it with dtype=torch.bool, or compare.
"""
MISTAKES.by("float", lambda t, s=None: causal_mask(t, s).float()).says(sentence)
MISTAKES.by("integer", lambda t, s=None: causal_mask(t, s).long()).says(sentence)
MISTAKES.by("additive", lambda t, s=None: torch.where(causal_mask(t, s), 0.0, -torch.inf)).says("""
    You return 0 and -inf, to be added to scores. Return booleans: True where a query may attend.
""")
MISTAKES.by("keys-ignored", lambda t, s=None: causal_mask(t)).says("""
    You ignore n_keys. The mask has n_queries rows and n_keys columns.
""")
MISTAKES.change("both-needed", "n_keys = n_queries if n_keys is None else n_keys", "pass").says("""
    You need both numbers. Without n_keys there are as many keys as queries.
""")
MISTAKES.by("leading-axes", lambda t, s=None: causal_mask(t, s)[None, None]).says("""
    You return leading axes of length one. Return (n_queries, n_keys): it broadcasts without them.
""")
family(
    MISTAKES,
    """With more queries than keys the first rows see nothing. There your slice ends at a number
    below 0, which counts from the end: `[: max(n, 0)]`.""",
    counted_from_the_end=(
        "torch.arange(n_keys) <= queries",
        "torch.arange(n_keys) <= torch.where(queries < -1, queries + n_keys, queries)",
    ),
)
family(
    MISTAKES,
    """Rows are queries and columns are keys: the shape is (n_queries, n_keys), yours is the
    other way round.""",
    shape_exchanged=(
        "    queries = ",
        "    n_queries, n_keys = n_keys, n_queries\n    queries = ",
        "+ n_keys - n_queries",
        "+ n_queries - n_keys",
    ),
)
family(
    MISTAKES,
    """Each query sees its own place alone. It sees all before it as well: `<=`.""",
    itself_alone=("torch.arange(n_keys) <= queries", "torch.arange(n_keys) == queries"),
)
family(
    MISTAKES,
    """With more queries than keys the first rows see nothing, and yours do. The last query
    stands beside the last key, whichever are more: add n_keys − n_queries with its sign.""",
    never_empty=("<= queries", "<= queries.clamp(min=0)"),
)
