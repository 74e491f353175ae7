"""Task `merge_heads`: the heads of a word are joined to one vector again."""

import torch

from course_lib.checker.tasks import Cases, Inputs, Mistakes, task
from course_lib.exercises.common import ORDER, family
from course_lib.exercises.multi_head.heads import heads


def merge_heads(x):
    """Undo `split_heads` in reverse order: move the heads back beside their features, then make one
    axis of the two. After the first step neighbours in the tensor are no longer neighbours in
    memory, so the second needs a copy: `reshape` makes it, `view` refuses.

    Cost: One copy of B·T·d numbers."""
    batch, num_heads, length, d_head = x.shape
    return x.transpose(1, 2).reshape(batch, length, num_heads * d_head)  # (B, T, d)


merge_case = Cases()
merge_case("two heads", lambda s: heads(s, batch=1, num_heads=2))
merge_case("all axes of different length", heads)
merge_case(
    "what `split_heads` returns (not contiguous)", lambda s: heads(s, stored=(1, 2)), perhaps=ORDER
)
merge_case.hidden(
    "as many heads as positions", lambda s: heads(s, batch=3, length=4, num_heads=4, d_head=4)
)
merge_case.hidden("stored in another order", lambda s: heads(s, stored=(2, 3)), perhaps=ORDER)
merge_case.hidden("a single position", lambda s: heads(s, length=1))


@merge_case.hidden("gradients flow back")
def merge_gradient(s):
    (x,) = heads(s).args
    batch, num_heads, length, d_head = x.shape
    return Inputs((x,), upstream=(s.floats(batch, length, num_heads * d_head),))


MERGE_MISTAKES = Mistakes(merge_heads)
family(
    MERGE_MISTAKES,
    """You exchange positions and features of a head. What changes places is the axis of the
    heads and that of the positions: `transpose(1, 2)`.""",
    features_exchanged=("x.transpose(1, 2)", "x.transpose(2, 3)"),
)
family(
    MERGE_MISTAKES,
    """You join along the batch. The heads of one word stand side by side, along the last axis:
    go through axis 1, the heads, and join with dim=-1.""",
    joined_along_batch=(
        "return x.transpose(1, 2)",
        "return torch.cat(x.unbind(1), 0); x.transpose(1, 2)",
    ),
    batch_joined=(
        "return x.transpose(1, 2)",
        "return torch.cat(x.unbind(0), -1); x.transpose(1, 2)",
    ),
)
family(
    MERGE_MISTAKES,
    """The heads stand in reverse order. Head 0 comes first.""",
    reversed_heads=("x.transpose(1, 2)", "x.flip(1).transpose(1, 2)"),
)
family(
    MERGE_MISTAKES,
    """The last two axes are exchanged: the result is (B, T, d), a row for each word.""",
    turned=("(batch, length, num_heads * d_head)", "(batch, num_heads * d_head, length)"),
    turned_whole=(
        "(batch, length, num_heads * d_head)",
        "(batch, length, num_heads * d_head).transpose(1, 2)",
    ),
)
family(
    MERGE_MISTAKES,
    """You return one head alone. All of them stand side by side.""",
    first_head=("return x.transpose(1, 2)", "return x[:, 0]; x.transpose(1, 2)"),
    last_head=("return x.transpose(1, 2)", "return x[:, -1]; x.transpose(1, 2)"),
)
MERGE_MISTAKES.by("not-transposed", lambda x: x.reshape(x.shape[0], x.shape[2], -1)).says("""
    You reshape (B, H, T, d/H) straight to (B, T, d), which mixes the words. Swap H and T first:
    then the features of one word stand side by side.
""")
MERGE_MISTAKES.by("view", lambda x: x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)).says("""
    `view` cannot join axes that are not neighbours in memory, and after a transpose they are not.
    Use `reshape`, or `.contiguous()` before `view`.
""")
MERGE_MISTAKES.by("features-interleaved", lambda x: x.permute(0, 2, 3, 1).flatten(2)).says("""
    You put the heads side by side feature by feature. Head h belongs in one piece, at h·d/H to (h +
    1)·d/H: move H before d/H, not behind it.
""")
MERGE_MISTAKES.by("heads-averaged", lambda x: x.mean(1)).says("""
    You average the heads. They are concatenated: each keeps its own features.
""")
MERGE_MISTAKES.by("heads-added", lambda x: x.sum(1)).says("""
    You add the heads up. They are concatenated: each keeps its own features.
""")
family(
    MERGE_MISTAKES,
    """You add the heads up, or average them, and repeat the result. They stand side by side, each
    with its own features: swap H and T, then reshape.""",
    added_and_repeated=(
        "return x.transpose(1, 2)",
        "return x.sum(1).repeat(1, 1, num_heads); x.transpose(1, 2)",
    ),
    averaged_and_repeated=(
        "return x.transpose(1, 2)",
        "return x.mean(1).repeat(1, 1, num_heads); x.transpose(1, 2)",
    ),
)
family(
    MERGE_MISTAKES,
    """You join the wrong axes: a word keeps a row of its own, (B, T, d), and its d features are the
    H heads side by side. Swap H and T, then join the last two axes.""",
    positions_and_heads_joined=("reshape(batch, length, num_heads * d_head)", "flatten(1, 2)"),
    batch_and_positions_exchanged=(
        "x.transpose(1, 2).reshape(batch, length, num_heads * d_head)",
        "x.permute(2, 0, 1, 3).flatten(2)",
    ),
    batch_joined_in=(
        "reshape(batch, length, num_heads * d_head)",
        "flatten(0, 1).flatten(1)",
    ),
    all_turned=("x.transpose(1, 2)", "x.permute(0, 3, 1, 2)"),
    all_turned_back=("x.transpose(1, 2)", "x.permute(0, 3, 2, 1)"),
)
MERGE_MISTAKES.by("not-joined", lambda x: x.transpose(1, 2)).says("""
    You return four axes, (B, T, H, d/H). Join the last two into d.
""")
MERGE_MISTAKES.by("joined-along-positions", lambda x: torch.cat(list(x.unbind(1)), dim=1)).says("""
    You concatenate the heads along the positions. They go side by side, along the features.
""")
MERGE_MISTAKES.by("joined-positions-and-features", lambda x: x.flatten(2)).says("""
    You join positions and features, (B, H, T·d/H). Join heads and features: swap H and T first,
    then make (B, T, d).
""")
MERGE_MISTAKES.by("detached", lambda x: merge_heads(x.detach())).says("""
    Your numbers are right, but no gradient flows back. Reshape the input itself, without .detach(),
    .data or a new tensor.
""")


MERGE_HINTS = (
    "Undo `split_heads` step by step, the last step first.",
    "`x.transpose(1, 2)` gives (B, T, H, d/H); then the last two axes become one.",
    "A transposed tensor is not contiguous, so `view` refuses it and `reshape` copies: "
    "`.reshape(B, T, H * d_head)`.",
)
MERGE = task(MERGE_MISTAKES, 1, merge_case.all, MERGE_HINTS)
