"""The reference, the cases and the hints of `split_heads`."""

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import single


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


case = Cases()
case.example((single([[[0, 1, 2, 3], [4, 5, 6, 7]]]), 2), dtype="float32")
case("two heads", lambda s: whole(s, batch=1, num_heads=2))
case("all axes of different length", whole)
case("a single head", lambda s: whole(s, num_heads=1))
case.hidden("as many heads as positions", lambda s: whole(s, 3, 4, 4, 4))
case.hidden("heads of one feature", lambda s: whole(s, d_head=1))


@case.hidden("gradients flow back")
def split_gradient(s):
    x, num_heads = whole(s)
    batch, length, d_model = x.shape
    upstream = s.floats(batch, num_heads, length, d_model // num_heads)
    return Inputs((x, num_heads), upstream=(upstream,))


HINTS = (
    "Two steps: cut the last axis into H pieces, then move the new axis forward.",
    "`x.reshape(B, T, num_heads, d_model // num_heads)` cuts without moving a number.",
    "Then `.transpose(1, 2)` swaps positions and heads: (B, H, T, d/H).",
)
