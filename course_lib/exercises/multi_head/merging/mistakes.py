"""What goes wrong in `merge_heads`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.multi_head.merging.task import merge_heads

MISTAKES = Mistakes(merge_heads, globals())
family(
    MISTAKES,
    """You exchange positions and features of a head. What changes places is the axis of the
    heads and that of the positions: `transpose(1, 2)`.""",
    features_exchanged=("x.transpose(1, 2)", "x.transpose(2, 3)"),
)
family(
    MISTAKES,
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
    MISTAKES,
    """The heads stand in reverse order. Head 0 comes first.""",
    reversed_heads=("x.transpose(1, 2)", "x.flip(1).transpose(1, 2)"),
)
family(
    MISTAKES,
    """The last two axes are exchanged: the result is (B, T, d), a row for each word.""",
    turned=("(batch, length, num_heads * d_head)", "(batch, num_heads * d_head, length)"),
    turned_whole=(
        "(batch, length, num_heads * d_head)",
        "(batch, length, num_heads * d_head).transpose(1, 2)",
    ),
)
family(
    MISTAKES,
    """You return one head alone. All of them stand side by side.""",
    first_head=("return x.transpose(1, 2)", "return x[:, 0]; x.transpose(1, 2)"),
    last_head=("return x.transpose(1, 2)", "return x[:, -1]; x.transpose(1, 2)"),
)
MISTAKES.by("not-transposed", lambda x: x.reshape(x.shape[0], x.shape[2], -1)).says("""
    You reshape (B, H, T, d/H) straight to (B, T, d), which mixes the words. Swap H and T first:
    then the features of one word stand side by side.
""")
MISTAKES.by("view", lambda x: x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)).says("""
    `view` cannot join axes that are not neighbours in memory, and after a transpose they are not.
    Use `reshape`, or `.contiguous()` before `view`.
""")
MISTAKES.by("features-interleaved", lambda x: x.permute(0, 2, 3, 1).flatten(2)).says("""
    You put the heads side by side feature by feature. Head h belongs in one piece, at h·d/H to (h +
    1)·d/H: move H before d/H, not behind it.
""")
MISTAKES.by("heads-averaged", lambda x: x.mean(1)).says("""
    You average the heads. They are concatenated: each keeps its own features.
""")
MISTAKES.by("heads-added", lambda x: x.sum(1)).says("""
    You add the heads up. They are concatenated: each keeps its own features.
""")
family(
    MISTAKES,
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
    MISTAKES,
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
MISTAKES.by("not-joined", lambda x: x.transpose(1, 2)).says("""
    You return four axes, (B, T, H, d/H). Join the last two into d.
""")
MISTAKES.by("joined-along-positions", lambda x: torch.cat(list(x.unbind(1)), dim=1)).says("""
    You concatenate the heads along the positions. They go side by side, along the features.
""")
MISTAKES.by("joined-positions-and-features", lambda x: x.flatten(2)).says("""
    You join positions and features, (B, H, T·d/H). Join heads and features: swap H and T first,
    then make (B, T, d).
""")
MISTAKES.by("detached", lambda x: merge_heads(x.detach())).says("""
    Your numbers are right, but no gradient flows back. Reshape the input itself, without .detach(),
    .data or a new tensor.
""")
