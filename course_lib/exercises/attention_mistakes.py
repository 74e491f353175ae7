"""What goes wrong in several exercises on attention: changes of what their references share, namely
`math.sqrt(query.shape[-1])`, `key.transpose(-2, -1)` and `parts.weigh(scores, mask)`."""

from course_lib.checker.tasks import Mistakes

ROOT = "math.sqrt(query.shape[-1])"
WEIGH = "parts.weigh(scores, mask)"


def scaling_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong with √d_k."""
    mistakes("""You do not scale the scores. Divide them by √d_k, the square root of the length of
        one query, before the softmax.""").change("unscaled", ROOT, "1")
    mistakes("""You divide the scores by d_k. Divide by its square root: a dot product of d_k random
        terms has standard deviation √d_k.""").change("scaled-by-d_k", ROOT, "query.shape[-1]")
    mistakes("""You divide the scores by the root of the values' length. What counts is d_k, the
        length of queries and keys: the dot product has d_k terms.""").change(
        "scaled-by-d_v", ROOT, "math.sqrt(value.shape[-1])"
    )
    mistakes("""You divide the scores by the root of the number of keys. Divide by √d_k, the root of
        the length of one query; the number of keys does not enter.""").change(
        "scaled-by-the-number-of-keys", ROOT, "math.sqrt(key.shape[-2])"
    )
    mistakes("""You divide the scores by the root of the number of queries. Divide by √d_k: the
        length of one query is its last axis, `query.shape[-1]`.""").change(
        "scaled-by-the-number-of-queries", ROOT, "math.sqrt(query.shape[-2])"
    )
    mistakes("""You divide the scores by the root of `query.shape[1]`: the number of queries, and
        with heads the number of heads. d_k is the last axis, `query.shape[-1]`.""").change(
        "scaled-by-the-second-axis", ROOT, "math.sqrt(query.shape[1])"
    )
    mistakes("""You multiply the scores by √d_k. Divide by it: scaling makes them
        smaller.""").change("multiplied-by-the-root", ROOT, "query.shape[-1] ** -0.5")


def third_axis(mistakes: Mistakes) -> None:
    """What goes wrong with heads when d_k is counted from the left."""
    mistakes("""You divide the scores by the root of `query.shape[2]`. With heads that is the number
        of queries; d_k is the last axis, however many stand before
        it: `query.shape[-1]`.""").change(
        "scaled-by-the-third-axis", ROOT, "math.sqrt(query.shape[2])"
    )


def maximum_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong with the largest score."""
    mistakes("""Your exp overflows for large scores. Take the largest score of each row away first,
        or use torch.softmax, which does so.""").change(
        "overflow", WEIGH, "parts.without_maximum(scores, mask)"
    )
    mistakes("""You subtract the largest score of all, forbidden ones too. If that one is far above
        the others, every allowed exponential is 0. Subtract the largest
        *allowed* score.""").change("masked-maximum", WEIGH, "parts.masked_maximum(scores, mask)")


def constant_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong with a constant for -inf, in any task with a mask."""
    says = mistakes("""You fill forbidden scores with a negative number, but an allowed score may be
        lower still: then the forbidden ones take all the weight. Fill with -inf.""")
    says.change("constant-too-high", WEIGH, "parts.filled_and_zeroed(scores, mask)")
    says.change("constant-too-high-not-zeroed", WEIGH, "parts.filled(scores, mask, parts.HIGH)")


def only_three_axes(mistakes: Mistakes) -> None:
    """What goes wrong with heads, in any task whose first argument is (..., T, d_k)."""
    answer = mistakes.reference

    @mistakes("""You expect exactly three axes. Work on the last two, -2 and -1, and leave whatever
        stands before them alone.""")
    def only_three_axes(query, *args):
        _batch, _length, _d_k = query.shape
        return answer(query, *args)


def keys_reversed(mistakes: Mistakes) -> None:
    """What goes wrong with `key.T`."""
    mistakes("""`.T` turns all axes of `key` round, not only the last two. Swap those two, and leave
        whatever stands before them: `key.transpose(-2, -1)`.""").change(
        "keys-reversed", "key.transpose(-2, -1)", "key.permute(*range(key.ndim)[::-1])"
    )
