"""What goes wrong in `split_heads`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Inputs, Mistakes, Sampler, Transposed
from course_lib.exercises.common import family
from course_lib.exercises.multi_head.heads.task import split_heads, whole


def heads(s: Sampler, stored: tuple[int, int] | None = None, **lengths) -> Inputs:
    """x (B, H, T, d_head); `stored` names two axes that are swapped in memory."""
    x, num_heads = whole(s, **lengths)
    batch, length, d_model = x.shape
    x = x.reshape(batch, num_heads, length, d_model // num_heads)
    return Inputs((Transposed(x, stored) if stored else x,))


MISTAKES = Mistakes(split_heads, globals())


@MISTAKES.says("""
    You reshape straight to (B, H, T, d/H), which deals out positions instead of features: a head
    then sees pieces of several words. Reshape to (B, T, H, d/H) first, then swap the axes T and H.
""")
def positions_cut_into_heads(x, num_heads):
    batch, length, d_model = x.shape
    return x.reshape(batch, num_heads, length, d_model // num_heads)


@MISTAKES.says("""
    Your head h takes every H-th feature. It owns neighbours, h·d/H to (h + 1)·d/H: put H before d/H
    when you reshape.
""")
def every_h_th_feature(x, num_heads):
    batch, length, d_model = x.shape
    return x.reshape(batch, length, d_model // num_heads, num_heads).permute(0, 3, 1, 2)


@MISTAKES.says("""
    You cut the positions into pieces, where the features are to be cut. Each head sees every word,
    and d/H of its features: `x[:, :, h * size : (h + 1) * size]`.
""")
def positions_in_whole_pieces(x, num_heads):
    size = x.shape[1] // num_heads
    return torch.stack([x[:, h * size : (h + 1) * size] for h in range(num_heads)], dim=1)


MISTAKES.by(
    "not-transposed", lambda x, num_heads: split_heads(x, num_heads).transpose(1, 2)
).says("""
    You return (B, T, H, d/H). Swap T and H, so that each head holds a matrix (T, d/H).
""")
MISTAKES.by(
    "head-axis-first", lambda x, num_heads: split_heads(x, num_heads).transpose(0, 1)
).says("""
    You return (H, B, T, d/H). The batch stays in front: (B, H, T, d/H).
""")
MISTAKES.by(
    "features-before-positions", lambda x, num_heads: split_heads(x, num_heads).transpose(2, 3)
).says("""
    You return (B, H, d/H, T). Each head holds one row for each word: (B, H, T, d/H).
""")
MISTAKES.by(
    "folded-into-the-batch", lambda x, num_heads: split_heads(x, num_heads).flatten(0, 1)
).says("""
    You fold the heads into the batch, (B·H, T, d/H). Keep them as an axis of their own: (B, H, T,
    d/H).
""")


@MISTAKES.says("""
    You take `num_heads` for the size of a head. It is the number of heads; the size is d_model //
    num_heads.
""")
def size_for_number(x, num_heads):
    batch, length, _d_model = x.shape
    return x.reshape(batch, length, -1, num_heads).transpose(1, 2)


sentence = """
    You return the heads one by one. Return one tensor with an axis for the heads: stack them along
    axis 1.
"""
MISTAKES.by("list-of-heads", lambda x, num_heads: list(x.chunk(num_heads, dim=-1))).says(sentence)
MISTAKES.by("tuple-of-heads", lambda x, num_heads: x.chunk(num_heads, dim=-1)).says(sentence)
MISTAKES.by("detached", lambda x, num_heads: split_heads(x.detach(), num_heads)).says("""
    Your numbers are right, but no gradient flows back. Reshape the input itself, without .detach(),
    .data or a new tensor.
""")

family(
    MISTAKES,
    """Each head gets all features. A head owns a slice of d/H neighbours: cut, do not
    repeat.""",
    all_features=(
        "return x.transpose(1, 2)",
        "return x.flatten(2)[:, None].repeat(1, num_heads, 1, 1)",
    ),
)
family(
    MISTAKES,
    """Your slices overlap: head h begins at h. It begins at h · d/H: `x[..., h * k : (h + 1) *
    k]`.""",
    overlapping=(
        "return x.transpose(1, 2)",
        "x = x.flatten(2); return x.unfold(-1, d_model // num_heads, 1)[:, :, :num_heads]"
        ".transpose(1, 2)",
    ),
)
family(
    MISTAKES,
    """You exchange positions and features before you cut, so the numbers of a head stand in
    wrong places. Cut the features first, then move the axis of the heads.""",
    exchanged_first=(
        "return x.transpose(1, 2)",
        "return x.flatten(2).transpose(1, 2).reshape(batch, num_heads, length, -1)",
    ),
)
family(
    MISTAKES,
    """The heads stand in reverse order. Head 0 has the first d/H features.""",
    reversed_heads=("return x.transpose(1, 2)", "return x.transpose(1, 2).flip(1)"),
)
MISTAKES.by(
    "positions-cut", lambda x, num_heads: torch.stack(x.chunk(num_heads, dim=1), 1)
).says("""
    You cut the positions into pieces, `chunk(H, dim=1)`. A head sees all positions and some
    features: cut along the last axis.
""")
family(
    MISTAKES,
    """You keep one head alone. All H are needed, along a new axis.""",
    one_head=("return x.transpose(1, 2)", "return x.transpose(1, 2)[:, :1]"),
)
