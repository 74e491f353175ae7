"""Task `split_heads`: each head owns a run of neighbouring features."""

import torch

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, Transposed, task
from course_lib.exercises.common import family


def split_heads(x, num_heads):
    """Nothing is computed: the d features of a word are read as H groups of d/H, and then the axis
    of the heads moves in front of the axis of the positions. The order matters. Reshaping straight
    to (B, H, T, d/H) gives the right shape, too, but it cuts a sentence into stretches of words
    where it should cut words into groups of features.

    Cost: No arithmetic, and for a contiguous tensor no copy."""
    batch, length, d_model = x.shape
    x = x.reshape(batch, length, num_heads, d_model // num_heads)  # (B, T, H, d/H)
    return x.transpose(1, 2)  # (B, H, T, d/H)


def whole(s: Sampler, batch=None, length=None, num_heads=None, d_head=None) -> tuple:
    """(x (B, T, H·d_head), H); lengths that are not given are different from each other."""
    lengths = s.dims(4)
    given = (batch, length, num_heads, d_head)
    batch, length, num_heads, d_head = (n or m for n, m in zip(given, lengths, strict=True))
    return s.floats(batch, length, num_heads * d_head), num_heads


def heads(s: Sampler, stored: tuple[int, int] | None = None, **lengths) -> Inputs:
    """x (B, H, T, d_head); `stored` names two axes that are swapped in memory."""
    x, num_heads = whole(s, **lengths)
    batch, length, d_model = x.shape
    x = x.reshape(batch, num_heads, length, d_model // num_heads)
    return Inputs((Transposed(x, stored) if stored else x,))


split_case = Cases()
split_case("two heads", lambda s: whole(s, batch=1, num_heads=2))
split_case("all axes of different length", whole)
split_case("a single head", lambda s: whole(s, num_heads=1))
split_case.hidden("as many heads as positions", lambda s: whole(s, 3, 4, 4, 4))
split_case.hidden("heads of one feature", lambda s: whole(s, d_head=1))


@split_case.hidden("gradients flow back")
def split_gradient(s):
    x, num_heads = whole(s)
    batch, length, d_model = x.shape
    upstream = s.floats(batch, num_heads, length, d_model // num_heads)
    return Inputs((x, num_heads), upstream=(upstream,))


SPLIT_MISTAKES = Mistakes(split_heads)


@SPLIT_MISTAKES.says("""
    You reshape straight to (B, H, T, d/H), which deals out positions instead of features: a head
    then sees pieces of several words. Reshape to (B, T, H, d/H) first, then swap the axes T and H.
""")
def positions_cut_into_heads(x, num_heads):
    batch, length, d_model = x.shape
    return x.reshape(batch, num_heads, length, d_model // num_heads)


@SPLIT_MISTAKES.says("""
    Your head h takes every H-th feature. It owns neighbours, h·d/H to (h + 1)·d/H: put H before d/H
    when you reshape.
""")
def every_h_th_feature(x, num_heads):
    batch, length, d_model = x.shape
    return x.reshape(batch, length, d_model // num_heads, num_heads).permute(0, 3, 1, 2)


@SPLIT_MISTAKES.says("""
    You cut the positions into pieces, where the features are to be cut. Each head sees every word,
    and d/H of its features: `x[:, :, h * size : (h + 1) * size]`.
""")
def positions_in_whole_pieces(x, num_heads):
    size = x.shape[1] // num_heads
    return torch.stack([x[:, h * size : (h + 1) * size] for h in range(num_heads)], dim=1)


SPLIT_MISTAKES.by(
    "not-transposed", lambda x, num_heads: split_heads(x, num_heads).transpose(1, 2)
).says("""
    You return (B, T, H, d/H). Swap T and H, so that each head holds a matrix (T, d/H).
""")
SPLIT_MISTAKES.by(
    "head-axis-first", lambda x, num_heads: split_heads(x, num_heads).transpose(0, 1)
).says("""
    You return (H, B, T, d/H). The batch stays in front: (B, H, T, d/H).
""")
SPLIT_MISTAKES.by(
    "features-before-positions", lambda x, num_heads: split_heads(x, num_heads).transpose(2, 3)
).says("""
    You return (B, H, d/H, T). Each head holds one row for each word: (B, H, T, d/H).
""")
SPLIT_MISTAKES.by(
    "folded-into-the-batch", lambda x, num_heads: split_heads(x, num_heads).flatten(0, 1)
).says("""
    You fold the heads into the batch, (B·H, T, d/H). Keep them as an axis of their own: (B, H, T,
    d/H).
""")


@SPLIT_MISTAKES.says("""
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
SPLIT_MISTAKES.by("list-of-heads", lambda x, num_heads: list(x.chunk(num_heads, dim=-1))).says(
    sentence
)
SPLIT_MISTAKES.by("tuple-of-heads", lambda x, num_heads: x.chunk(num_heads, dim=-1)).says(sentence)
SPLIT_MISTAKES.by("detached", lambda x, num_heads: split_heads(x.detach(), num_heads)).says("""
    Your numbers are right, but no gradient flows back. Reshape the input itself, without .detach(),
    .data or a new tensor.
""")


family(
    SPLIT_MISTAKES,
    """Each head gets all features. A head owns a slice of d/H neighbours: cut, do not
    repeat.""",
    all_features=(
        "return x.transpose(1, 2)",
        "return x.flatten(2)[:, None].repeat(1, num_heads, 1, 1)",
    ),
)
family(
    SPLIT_MISTAKES,
    """Your slices overlap: head h begins at h. It begins at h · d/H: `x[..., h * k : (h + 1) *
    k]`.""",
    overlapping=(
        "return x.transpose(1, 2)",
        "x = x.flatten(2); return x.unfold(-1, d_model // num_heads, 1)[:, :, :num_heads]"
        ".transpose(1, 2)",
    ),
)
family(
    SPLIT_MISTAKES,
    """You exchange positions and features before you cut, so a head gets words and not
    features. Cut the features first, then move the axis of the heads.""",
    exchanged_first=(
        "return x.transpose(1, 2)",
        "return x.flatten(2).transpose(1, 2).reshape(batch, num_heads, length, -1)",
    ),
)
family(
    SPLIT_MISTAKES,
    """The heads stand in reverse order. Head 0 has the first d/H features.""",
    reversed_heads=("return x.transpose(1, 2)", "return x.transpose(1, 2).flip(1)"),
)
SPLIT_MISTAKES.by(
    "positions-cut", lambda x, num_heads: torch.stack(x.chunk(num_heads, dim=1), 1)
).says("""
    You cut the positions into pieces, `chunk(H, dim=1)`. A head sees all positions and some
    features: cut along the last axis.
""")
family(
    SPLIT_MISTAKES,
    """You keep one head alone. All H are needed, along a new axis.""",
    one_head=("return x.transpose(1, 2)", "return x.transpose(1, 2)[:, :1]"),
)

SPLIT_HINTS = (
    "Two steps: cut the last axis into H pieces, then move the new axis forward.",
    "`x.reshape(B, T, num_heads, d_model // num_heads)` cuts without moving a number.",
    "Then `.transpose(1, 2)` swaps positions and heads: (B, H, T, d/H).",
)
SPLIT = task(SPLIT_MISTAKES, 2, split_case.all, SPLIT_HINTS)
