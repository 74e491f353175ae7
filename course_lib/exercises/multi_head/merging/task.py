"""The reference, the cases and the hints of `merge_heads`."""

from course_lib.checker.tasks import Cases, Inputs
from course_lib.exercises.common import OF_ONE, ORDER, single
from course_lib.exercises.multi_head.heads.mistakes import heads


def merge_heads(x):
    """Undo `split_heads` in reverse order: move the heads back beside their features, then make one
    axis of the two. After the first step neighbours in the tensor are no longer neighbours in
    memory, so the second needs a copy: `reshape` makes it, `view` refuses.

    Cost: One copy of B·T·d numbers."""
    batch, num_heads, length, d_head = x.shape
    return x.transpose(1, 2).reshape(batch, length, num_heads * d_head)  # (B, T, d)


case = Cases()
case.example((single([[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]),), dtype="float32")
case("two heads", lambda s: heads(s, batch=1, num_heads=2))
case("all axes of different length", heads)
case(
    "what `split_heads` returns (not contiguous)", lambda s: heads(s, stored=(1, 2)), perhaps=ORDER
)
case.hidden(
    "as many heads as positions", lambda s: heads(s, batch=3, length=4, num_heads=4, d_head=4)
)
case.hidden("stored in another order", lambda s: heads(s, stored=(2, 3)), perhaps=ORDER)
case.hidden("a single position", lambda s: heads(s, length=1))


@case.hidden("gradients flow back")
def merge_gradient(s):
    (x,) = heads(s).args
    batch, num_heads, length, d_head = x.shape
    return Inputs((x,), upstream=(s.floats(batch, length, num_heads * d_head),))


case.hidden("a single head", lambda s: heads(s, batch=2, num_heads=1), perhaps=OF_ONE)


HINTS = (
    "Undo `split_heads` step by step, the last step first.",
    "`x.transpose(1, 2)` gives (B, T, H, d/H); then the last two axes become one.",
    "A transposed tensor is not contiguous, so `view` refuses it and `reshape` copies: "
    "`.reshape(B, T, H * d_head)`.",
)
