"""What goes wrong in `MultiHeadAttention`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_mistakes import (
    WEIGH,
    axis_mistakes,
    given_mask_mistakes,
    maximum_mistakes,
    weighing_mistakes,
)
from course_lib.exercises.common import family
from course_lib.exercises.multi_head.module.task import MultiHeadAttention

PROJECTED = "self.W_q(query), self.W_k(key), self.W_v(value)"
SPLIT = "split_heads(x, self.num_heads)"
JOINED = "merge_heads(weights @ v)"
OUTPUT = "self.W_o(merge_heads(weights @ v))"


def _positions_cut(x, num_heads):
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)


def _every_hth(x, num_heads):
    return x.unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)


def _mask_on_one_head(scores, mask):
    weights = parts.weigh(scores, mask)
    return torch.cat([weights[:, :1], parts.weigh(scores[:, 1:], None)], dim=1)


MISTAKES = Mistakes(MultiHeadAttention, globals())
maximum_mistakes(MISTAKES)
MISTAKES.change("residual", "self.W_o(merge", "query + self.W_o(merge").says("""
    You add the query to the output. That sum belongs to the block around attention, not to the
    module.
""")
MISTAKES.change("unscaled", "math.sqrt(q.shape[-1])", "1").says("""
    You do not scale the scores. Divide them by the square root of a head's size, d_model /
    num_heads, before the softmax.
""")
MISTAKES.change("scaled-by-d_model", "math.sqrt(q.shape", "math.sqrt(query.shape").says("""
    You divide by √d_model. A head's dot product has d_model / num_heads terms: divide by the root
    of that.
""")
MISTAKES.change("scaled-without-root", "math.sqrt(q.shape[-1])", "q.shape[-1]").says("""
    You divide by the size of a head. Divide by its square root.
""")
MISTAKES.change(
    "scaled-by-the-number-of-heads", "math.sqrt(q.shape[-1])", "math.sqrt(q.shape[1])"
).says("""
    You divide by the root of the second axis, which after the split is the heads. Divide by the
    root of a head's size, the last axis: `q.shape[-1]`.
""")
MISTAKES.change(
    "scaled-by-the-number-of-queries", "math.sqrt(q.shape[-1])", "math.sqrt(q.shape[-2])"
).says("""
    You divide by the root of the number of queries. Divide by the root of a head's size, the last
    axis after the split: `q.shape[-1]`.
""")
MISTAKES.change(
    "weights-averaged", "return output, weights", "return output, weights.mean(1)"
).says("""
    You average the weights over the heads. Return them all, (B, H, T, S): each head's map is worth
    a look.
""")
MISTAKES.change(
    "no-output-projection", "self.W_o(merge_heads(weights @ v))", "merge_heads(weights @ v)"
).says("""
    W_o is never applied. Merge the heads, then send the result through W_o, which mixes them.
""")
MISTAKES.change("output-alone", "return output, weights", "return output").says("""
    You return the output alone. Return the pair (output, weights).
""")
MISTAKES.change("weights-missing", "return output, weights", "return output, None").says("""
    Your second result is None. Return the weights of all heads: (output, weights).
""")
MISTAKES.change("keys-for-values", "self.W_v(value)", "self.W_v(key)").says("""
    You mix the keys: W_v is applied to `key`. What is mixed is `value`; it may be something else
    than `key`.
""")
MISTAKES.change(
    "not-projected", "self.W_q(query), self.W_k(key), self.W_v(value)", "query, key, value"
).says("""
    You split the inputs as they are. Send query, key and value through W_q, W_k and W_v first.
""")
MISTAKES.change("positions-cut-into-heads", "split_heads(x,", "_positions_cut(x,").says("""
    You reshape straight to (B, H, T, d/H), which deals out positions instead of features. Reshape
    to (B, T, H, d/H), then swap T and H; if you call your `split_heads`, repair it there.
""")
MISTAKES.change(
    "every-h-th-feature",
    "split_heads(x,",
    "_every_hth(x,",
    "merge_heads(weights @ v)",
    "(weights @ v).permute(0, 2, 3, 1).flatten(2)",
).says("""
    Your head h takes every H-th feature. It owns neighbours, h·d/H to (h + 1)·d/H: put H before d/H
    when you reshape, in your `split_heads` if you call it.
""")
MISTAKES.change("every-h-th-feature-when-splitting", "split_heads(x,", "_every_hth(x,").says("""
    Your head h takes every H-th feature, but is merged as a run of neighbours. It owns neighbours:
    put H before d/H when you reshape, in your `split_heads` if you call it.
""")
MISTAKES.change(
    "view", "merge_heads(weights @ v)", "(weights @ v).transpose(1, 2).view(query.shape)"
).says("""
    `view` cannot join axes that are not neighbours in memory, and after a transpose they are not.
    Use `reshape`, or `.contiguous()` before `view`.
""")
MISTAKES.change(
    "merged-without-transpose", "merge_heads(weights @ v)", "(weights @ v).reshape(query.shape)"
).says("""
    You reshape (B, H, T, d/H) straight to (B, T, d), which mixes the words. Swap H and T first; if
    you call your `merge_heads`, repair it there.
""")
MISTAKES.change(
    "positions-cut-and-glued",
    "split_heads(x,",
    "_positions_cut(x,",
    "merge_heads(weights @ v)",
    "(weights @ v).reshape(query.shape)",
).says("""
    You reshape to (B, H, T, d/H) and back without a transpose on either side: heads then hold
    pieces of several words. Use your `split_heads` and `merge_heads`.
""")
MISTAKES.change("softmax-over-heads", WEIGH, "parts.weigh(scores, mask, 1)").says("""
    Your softmax runs over the heads. Each head shares its attention among the keys: take the last
    axis.
""")
MISTAKES.change("softmax-over-queries", WEIGH, "parts.weigh(scores, mask, -2)").says("""
    Your softmax runs over the queries. Each query shares its attention among the keys: take the
    last axis.
""")
MISTAKES.change("mask-inverted", WEIGH, "parts.inverted(scores, mask)").says("""
    You read the mask the wrong way round. True means “may attend”.
""")
MISTAKES.change("mask-ignored", WEIGH, "parts.weigh(scores, None)").says("""
    Your mask changes nothing. Where it is False, take the score out of the softmax.
""")
MISTAKES.change("mask-after-softmax", WEIGH, "parts.masked_after(scores, mask)").says("""
    You multiply the weights by the mask after the softmax, so rows no longer sum to one. Take the
    forbidden scores out before the softmax.
""")
MISTAKES.change("scores-multiplied", WEIGH, "parts.filled(scores, mask, 0.0)").says("""
    You multiply the scores by the mask. A score of 0 still gets weight, because exp(0) is 1. Set it
    to -inf.
""")
MISTAKES.change("mask-for-the-first-head", WEIGH, "_mask_on_one_head(scores, mask)").says("""
    Your mask reaches the first head only. It holds for every head: let it broadcast over the axis
    of heads.
""")
axis_mistakes(MISTAKES)
for joins, cells in (("flattened", ".flatten(2)"), ("reshaped", ".reshape(*query.shape[:2], -1)")):
    MISTAKES.change(
        f"mask-given-axis-1-{joins}",
        WEIGH,
        "parts.weigh(scores, None if mask is None else mask.unsqueeze(1))",
        JOINED,
        f"(weights @ v).transpose(1, 2){cells}",
    ).says("""
        You add an axis to the mask. It broadcasts to the scores as it comes.
    """)
MISTAKES.change(
    "uniform-when-nothing-is-allowed", WEIGH, "parts.filled(scores, mask, -1e9)"
).says("""
    A query that may attend to nothing gets equal weights, because all its scores became the same
    large negative number. Its weights have to be zero.
""")
MISTAKES.change("constant-too-high", WEIGH, "parts.filled_and_zeroed(scores, mask)").says("""
    You fill forbidden scores with a negative number, but an allowed score may be lower still: then
    the forbidden ones take all the weight. Fill with -inf.
""")
MISTAKES.change("mask-not-broadcast", WEIGH, "parts.not_broadcast(scores, mask)").says("""
    `scores[~mask]` needs a mask of the scores' own shape, (B, H, T, S), but one mask may serve many
    heads and queries. `masked_fill` and `torch.where` stretch it.
""")
MISTAKES.change(
    "nan-when-nothing-is-allowed", WEIGH, "parts.filled(scores, mask, -parts.INF)"
).says("""
    A query that may attend to nothing gets NaN: the softmax of a row of -inf divides zero by zero.
    Set the weights of such a row to zero afterwards.
""")
MISTAKES.change("wrong-parameters", "setattr(self, name", "setattr(self, name.lower()").says("""
    The weights cannot be loaded. The module needs exactly four layers, W_q, W_k, W_v and W_o, each
    nn.Linear(d_model, d_model) with bias, and no other parameter.
""")
sentence = """
    A layer lacks its bias. Make all four with nn.Linear(d_model, d_model), without `bias=False`.
"""
for lacking in ("W_q", "W_k", "W_v", "W_o", "W_q W_k W_v", "W_q W_k W_v W_o"):
    MISTAKES.change(
        f"no-bias-in-{lacking.replace(' ', '-')}",
        "nn.Linear(d_model, d_model)",
        f"nn.Linear(d_model, d_model, bias=name not in '{lacking}')",
    ).says(sentence)
MISTAKES.change(
    "weights-detached", "return output, weights", "return output, weights.detach()"
).says("""
    Your numbers are right, but the weights are cut off from the parameters. Return them as they
    are, without .detach().
""")
MISTAKES.change(
    "keys-kept", "self.W_k(key)", "vars(self).setdefault('kept', self.W_k(key))"
).says("""
    Your module keeps the projected keys of its first call, so the next batch is answered with the
    first one's. Project in each call.
""")
MISTAKES.change(
    "mask-kept", WEIGH, "parts.weigh(scores, vars(self).setdefault('mask', mask))"
).says("""
    Your module keeps the mask of its first call. A mask belongs to one batch: use the one that
    comes as an argument.
""")
weighing_mistakes(MISTAKES)
given_mask_mistakes(MISTAKES)
family(
    MISTAKES,
    """One of query, key and value goes into its heads without its layer. Each has its own:
    `self.W_q(query)`, `self.W_k(key)`, `self.W_v(value)`.""",
    value_as_it_is=(PROJECTED, "self.W_q(query), self.W_k(key), value"),
    key_as_it_is=(PROJECTED, "self.W_q(query), key, self.W_v(value)"),
    query_as_it_is=(PROJECTED, "query, self.W_k(key), self.W_v(value)"),
)
family(
    MISTAKES,
    """Your keys, your values or both are made of `query`. Keys come from `key` and values from
    `value`, `self.W_k(key)` and `self.W_v(value)`: only in self-attention is it all one.""",
    keys_and_values_of_the_query=(
        PROJECTED,
        "self.W_q(query), self.W_k(query), self.W_v(query)",
    ),
    keys_of_the_query=(PROJECTED, "self.W_q(query), self.W_k(query), self.W_v(value)"),
    values_of_the_query=(PROJECTED, "self.W_q(query), self.W_k(key), self.W_v(query)"),
)
family(
    MISTAKES,
    """Your queries are not made of `query`. They come from it, `self.W_q(query)`: only in
    self-attention are key and value the same.""",
    queries_of_the_key=(PROJECTED, "self.W_q(key), self.W_k(key), self.W_v(value)"),
    queries_of_the_value=(PROJECTED, "self.W_q(value), self.W_k(key), self.W_v(value)"),
)
family(
    MISTAKES,
    """Your keys are made of `value`. They come from `key`: `self.W_k(key)`.""",
    keys_of_the_value=(PROJECTED, "self.W_q(query), self.W_k(value), self.W_v(value)"),
)
family(
    MISTAKES,
    """Keys and values have changed places: queries meet the keys, and the weights blend the
    values.""",
    key_and_value_exchanged=(PROJECTED, "self.W_q(query), self.W_k(value), self.W_v(key)"),
    keys_blended=("merge_heads(weights @ v)", "merge_heads(weights @ k)"),
)
family(
    MISTAKES,
    """You hand `split_heads` the size of a head, d_model / num_heads. It wants their number:
    `split_heads(x, self.num_heads)`.""",
    size_for_number=(SPLIT, "split_heads(x, x.shape[-1] // self.num_heads)"),
    size_for_number_and_its_root=(
        SPLIT,
        "split_heads(x, x.shape[-1] // self.num_heads)",
        "math.sqrt(q.shape[-1])",
        "math.sqrt(query.shape[-1] // self.num_heads)",
    ),
)
family(
    MISTAKES,
    """A layer is used twice in a row, or after one another. Each of the four works once:
    three before the attention, W_o after it.""",
    output_twice=(OUTPUT, f"self.W_o({OUTPUT})"),
    query_twice=(PROJECTED, "self.W_q(self.W_q(query)), self.W_k(key), self.W_v(value)"),
    value_output_twice=(OUTPUT, "self.W_o(self.W_v(merge_heads(weights @ v)))"),
)
family(
    MISTAKES,
    """The heads are not side by side: one of them, or their sum or mean, stands in for all.
    Join them along the last axis, (B, T, H · d/H).""",
    first_head_for_all=(JOINED, "(weights @ v)[:, 0].repeat(1, 1, self.num_heads)"),
    heads_added=(JOINED, "(weights @ v).sum(1).repeat(1, 1, self.num_heads)"),
    heads_averaged=(JOINED, "(weights @ v).mean(1).repeat(1, 1, self.num_heads)"),
)
family(
    MISTAKES,
    """You put the result through a function that is not asked for. Between the heads and
    W_o stands nothing, and after W_o neither.""",
    relu_before=(JOINED, "torch.relu(merge_heads(weights @ v))"),
    relu_after=(OUTPUT, f"torch.relu({OUTPUT})"),
    tanh_after=(OUTPUT, f"torch.tanh({OUTPUT})"),
)
family(
    MISTAKES,
    """Your attention is always causal. Only the mask that is given forbids anything.""",
    always_causal=(
        "weights = parts.weigh(scores, mask)",
        "below = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()\n"
        "        weights = parts.weigh(scores, below if mask is None else mask & below)",
    ),
)
family(
    MISTAKES,
    """You multiply the scores by the mask, or add it: a score of 0 still gets weight, for
    exp(0) = 1. Set forbidden scores to -inf.""",
    mask_added_then_zeros=(
        "parts.weigh(scores, mask)",
        "parts.weigh(scores, None) if mask is None else torch.softmax(scores + mask, -1) * mask",
    ),
    mask_added_alone=(
        "parts.weigh(scores, mask)",
        "parts.weigh(scores if mask is None else scores + mask, None)",
    ),
)
MISTAKES.change(
    "keys-of-the-queries-length",
    "split_heads(x, self.num_heads)",
    "x.reshape(*query.shape[:2], self.num_heads, x.shape[-1] // self.num_heads).transpose(1, 2)",
).says("""
    You give the keys, the values or both the length of the queries, T. They have one of their own,
    S: take it from `key.shape[1]`.
""")
