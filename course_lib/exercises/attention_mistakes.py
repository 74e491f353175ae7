"""What goes wrong in several exercises on attention: changes of what their references share, namely
`math.sqrt(query.shape[-1])`, `key.transpose(-2, -1)` and `parts.weigh(scores, mask)`."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family

ROOT = "math.sqrt(query.shape[-1])"
WEIGH = "parts.weigh(scores, mask)"


def scaling_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong with √d_k."""
    mistakes.change("unscaled", ROOT, "1").says("""
        You do not scale the scores. Divide them by √d_k, the square root of the length of one
        query, before the softmax.
    """)
    mistakes.change("scaled-by-d_k", ROOT, "query.shape[-1]").says("""
        You divide the scores by d_k. Divide by its square root: a dot product of d_k random terms
        has standard deviation √d_k.
    """)
    mistakes.change("scaled-by-d_v", ROOT, "math.sqrt(value.shape[-1])").says("""
        You divide the scores by the root of the values' length. What counts is d_k, the length of
        queries and keys: the dot product has d_k terms.
    """)
    mistakes.change("scaled-by-the-number-of-keys", ROOT, "math.sqrt(key.shape[-2])").says("""
        You divide the scores by the root of the number of keys. Divide by √d_k, the root of the
        length of one query; the number of keys does not enter.
    """)
    mistakes.change("scaled-by-the-number-of-queries", ROOT, "math.sqrt(query.shape[-2])").says("""
        You divide the scores by the root of the number of queries. Divide by √d_k: the length of
        one query is its last axis, `query.shape[-1]`.
    """)
    mistakes.change("scaled-by-the-second-axis", ROOT, "math.sqrt(query.shape[1])").says("""
        You divide the scores by the root of `query.shape[1]`: the number of queries, and with heads
        the number of heads. d_k is the last axis, `query.shape[-1]`.
    """)
    sentence = """
        You divide the scores by 2·d_k or by d_k / 2. In `d ** 1 / 2` the power comes before the
        quotient, so that is (d ** 1) / 2. Divide by √d_k: `math.sqrt(d)`, or `d ** 0.5`.
    """
    mistakes.change("scaled-by-twice-d_k", ROOT, "(2 * query.shape[-1])").says(sentence)
    mistakes.change("scaled-by-half-of-d_k", ROOT, "(query.shape[-1] / 2)").says(sentence)
    mistakes.change("scaled-by-the-fourth-root", ROOT, "query.shape[-1] ** 0.25").says("""
        You divide the scores by the fourth root of d_k. Divide by √d_k once; or divide queries and
        keys by the fourth root each, both of them.
    """)
    mistakes.change("scaled-by-the-square-of-d_k", ROOT, "query.shape[-1] ** 2").says("""
        You divide the scores by d_k², or by d_k on each side. Divide by √d_k: `math.sqrt(d)`.
    """)
    mistakes.change("multiplied-by-the-root", ROOT, "query.shape[-1] ** -0.5").says("""
        You multiply the scores by √d_k. Divide by it: scaling makes them smaller.
    """)


def score_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong with scores for any number of leading axes."""
    scaling_mistakes(mistakes)
    mistakes.change("scaled-by-the-third-axis", ROOT, "math.sqrt(query.shape[2])").says("""
        You divide the scores by the root of `query.shape[2]`. With heads that is the number of
        queries; d_k is the last axis, `query.shape[-1]`, however many stand before it.
    """)
    mistakes.change(
        "keys-reversed", "key.transpose(-2, -1)", "key.permute(*range(key.ndim)[::-1])"
    ).says("""
        `.T` turns all axes of the keys round. Swap the last two alone, and leave whatever stands
        before them: `key.transpose(-2, -1)`.
    """)


def constant_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong with a constant for -inf, in any task with a mask."""
    sentence = """
        You give forbidden scores a number, 0 or a negative one, but an allowed score may be lower
        still: then the forbidden ones take all the weight. Fill with -inf.
    """
    mistakes.change("constant-too-high", WEIGH, "parts.filled_and_zeroed(scores, mask)").says(
        sentence
    )
    mistakes.change(
        "constant-too-high-not-zeroed", WEIGH, "parts.filled(scores, mask, parts.HIGH)"
    ).says(sentence)


def maximum_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong with a forbidden score above all others, in any task with a mask."""
    mistakes.change("masked-maximum", WEIGH, "parts.masked_maximum(scores, mask)").says("""
        Forbidden scores take part in your softmax, or in the maximum that you subtract: if one is
        far above the others, every allowed weight is 0. Set them to -inf before the softmax.
    """)


def axis_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong with the shape of a `mask` that is given."""
    sentence = """
        You add an axis to the mask. It broadcasts to the scores as it comes.
    """
    for place in (0, 1):
        mistakes.change(
            f"mask-given-axis-{place}",
            WEIGH,
            f"parts.weigh(scores, None if mask is None else mask.unsqueeze({place}))",
        ).says(sentence)


def softmax_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong with a softmax under a mask, where a row may be empty."""
    mistakes.change("mask-after-softmax", WEIGH, "parts.masked_after(scores, mask)").says("""
        You multiply the weights by the mask after the softmax, so rows no longer sum to one. Take
        the forbidden scores out before the softmax.
    """)
    mistakes.change(
        "divided-again", WEIGH, "(w := parts.masked_after(scores, mask)) / w.sum(-1, keepdim=True)"
    ).says("""
        You mask after the softmax and divide by what is left: where nothing is left, that is 0/0.
        Take the forbidden scores out before the softmax.
    """)
    mistakes.change("scores-zeroed", WEIGH, "parts.filled(scores, mask, 0.0)").says("""
        You set forbidden scores to 0, which still gets weight, for exp(0) = 1. Set them to -inf
        before the softmax.
    """)
    mistakes.change(
        "uniform-when-nothing-is-allowed", WEIGH, "parts.filled(scores, mask, -1e9)"
    ).says("""
        A row that may attend to nothing gets equal weights, because all its scores became the same
        large negative number. Its weights have to be zero.
    """)
    mistakes.change(
        "nan-when-nothing-is-allowed", WEIGH, "parts.filled(scores, mask, -parts.INF)"
    ).says("""
        A row that may attend to nothing gets NaN: the softmax of nothing but -inf divides zero by
        zero. Set its weights to zero afterwards.
    """)
    constant_mistakes(mistakes)
    mistakes.change("overflow", WEIGH, "parts.without_maximum(scores, mask)").says("""
        Your exp overflows for large scores. Take the largest score of each row away first, or use
        torch.softmax, which does so.
    """)
    maximum_mistakes(mistakes)


def mask_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong with a `mask` that is given, or None, and with the softmax under it."""
    mistakes.change("mask-ignored", WEIGH, "parts.weigh(scores, None)").says("""
        Your mask changes nothing. Where it is False the weight must be exactly zero: take that
        score out of the softmax.
    """)
    mistakes.change("mask-inverted", WEIGH, "parts.inverted(scores, mask)").says("""
        You read the mask the wrong way round. True means “may attend”; `masked_fill` wants `~mask`.
    """)
    mistakes.change(
        "mask-added", WEIGH, "parts.weigh(scores if mask is None else scores + mask, None)"
    ).says("""
        You add the boolean mask to the scores, which adds one where attention is allowed. Set the
        forbidden scores to -inf instead.
    """)
    mistakes.change("mask-not-broadcast", WEIGH, "parts.not_broadcast(scores, mask)").says("""
        `scores[~mask]` needs a mask of the scores' own shape, but one mask may serve many queries,
        sentences and heads. `masked_fill` and `torch.where` stretch it.
    """)
    axis_mistakes(mistakes)
    mistakes.change("mask-needed", WEIGH, "parts.weigh(scores, ~~mask)").says("""
        Without a mask your answer fails. Mask the scores only `if mask is not None`.
    """)
    softmax_mistakes(mistakes)


def over_queries(mistakes: Mistakes) -> None:
    """What goes wrong with the axis of the softmax."""
    mistakes.change("softmax-over-queries", WEIGH, "parts.weigh(scores, mask, -2)").says("""
        Your softmax runs over the queries. Each query shares its attention among the keys: take the
        last axis, so that every row of the weights sums to one.
    """)


def only_three_axes(mistakes: Mistakes) -> None:
    """What goes wrong with heads, in any task whose first argument is (..., T, d_k)."""
    answer = mistakes.reference

    @mistakes.says("""
        You expect exactly three axes. Work on the last two, -2 and -1, and leave whatever stands
        before them alone.
    """)
    def only_three_axes(query, *args):
        _batch, _length, _d_k = query.shape
        return answer(query, *args)


def weighing_mistakes(mistakes: Mistakes) -> None:
    family(
        mistakes,
        """You multiply the mask by inf: where it is False that is 0 · inf, which is nan, and
        nan spreads. Choose, do not multiply: `scores.masked_fill(~mask, -torch.inf)`.""",
        factor_of_infinity=(WEIGH, "parts.penalised(scores, mask, parts.INF)"),
        factor_of_infinity_then_zeros=(
            WEIGH,
            "parts.penalised(scores, mask, parts.INF).nan_to_num()",
        ),
    )
    family(
        mistakes,
        """You put each score through a sigmoid. The weights of one query share a whole: take
        the softmax over the keys.""",
        sigmoid=(WEIGH, "parts.sigmoid(scores, mask)"),
    )
    family(
        mistakes,
        """You return the logarithms of the weights (`log_softmax`). Weights are positive and sum to
        one: `softmax`.""",
        logarithms=(WEIGH, "parts.weigh(scores, mask).log()"),
    )
    family(
        mistakes,
        """Your softmax runs over the first axis, the sentences of the batch. It runs over the
        keys, the last axis: `dim=-1`.""",
        over_the_first_axis=(WEIGH, "parts.weigh(scores, mask, 0)"),
    )
    family(
        mistakes,
        """You fill forbidden scores with a number that is not low enough: they keep some weight,
        for exp of it is not 0. Fill with -inf.""",
        filled_with_minus_one=(WEIGH, "parts.filled(scores, mask, -1.0)"),
        filled_with_minus_ten=(WEIGH, "parts.filled(scores, mask, -10.0)"),
    )
    family(
        mistakes,
        """You take each score that is 0 for a forbidden one. An allowed score may be 0: ask the
        mask itself, `scores.masked_fill(~mask, -torch.inf)`.""",
        zero_is_forbidden=(WEIGH, "parts.zero_forbidden(scores, mask)"),
    )
    family(
        mistakes,
        """Some weights are set to 0 at random (dropout), and the others grow. There is no
        dropout here.""",
        dropout=(WEIGH, "parts.dropped(scores, mask, 0.1)"),
        dropout_of_a_fifth=(WEIGH, "parts.dropped(scores, mask, 0.2)"),
        dropout_of_a_half=(WEIGH, "parts.dropped(scores, mask, 0.5)"),
    )


def one_of_two_mistakes(mistakes: Mistakes) -> None:
    """What is right in one of the two results, where the lines are those of exercise 07."""
    output, both = "output = weights @ value", "return output, weights"
    family(
        mistakes,
        """Your output is right, and the weights that you return are made without the mask. Return
        the masked ones that make the output.""",
        weights_returned_unmasked=(both, "return output, parts.weigh(scores, None)"),
    )
    family(
        mistakes,
        """Your weights are right, and the output is made without the mask. Multiply `value` by the
        masked weights that you return.""",
        output_unmasked=(output, "output = parts.weigh(scores, None) @ value"),
    )
    family(
        mistakes,
        """Where a query may attend to nothing, nan became 0 in the output alone: the weights that
        you return still hold it. Put zeros into the weights, `weights.masked_fill(~mask, 0)`,
        before they meet the values.""",
        nan_left_in_the_weights=(
            WEIGH,
            "parts.filled(scores, mask, -parts.INF)",
            output,
            "output = (weights @ value).nan_to_num()",
        ),
    )
    family(
        mistakes,
        """Where a query may attend to nothing, nan became 0 in the weights that you return, and the
        output was made before. Put zeros into the weights, `weights.masked_fill(~mask, 0)`, before
        they meet the values.""",
        nan_left_in_the_output=(
            output,
            "output = parts.filled(scores, mask, -parts.INF) @ value",
        ),
    )


def small_number_mistakes(mistakes: Mistakes) -> None:
    family(
        mistakes,
        """You add a small number to the divisor, and subtract one maximum for the whole tensor: in
        a row far below it the sum is as small as that number. Subtract the largest allowed score of
        each row, `amax(-1, keepdim=True)`, and divide by the plain sum; a row with nothing allowed
        gets 1 as its divisor.""",
        small_number_and_one_maximum=(WEIGH, "parts.small_added(scores, mask, 1e-9, True)"),
        less_small_number_and_one_maximum=(WEIGH, "parts.small_added(scores, mask, 1e-8, True)"),
        larger_number_and_one_maximum=(WEIGH, "parts.small_added(scores, mask, 1e-6, True)"),
        tiny_number_and_one_maximum=(WEIGH, "parts.small_added(scores, mask, 1e-12, True)"),
    )
    family(
        mistakes,
        """You add a small number to the divisor, so no row quite sums to one. Divide by the plain
        sum, and give a row with nothing allowed 1 as its divisor: `total.masked_fill(total == 0,
        1)`.""",
        small_number=(WEIGH, "parts.small_added(scores, mask, 1e-6)"),
    )


def given_mask_mistakes(mistakes: Mistakes) -> None:
    """What goes wrong where a mask is an argument."""
    family(
        mistakes,
        """You fill the allowed scores and zero the forbidden weights, so nothing is left. True
        means “may attend”: it is the scores with `~mask` that become -inf.""",
        inverted_and_zeroed=(
            WEIGH,
            "parts.weigh(scores, None) if mask is None else "
            "parts.inverted(scores, mask).masked_fill(~mask, 0)",
        ),
    )
    family(
        mistakes,
        """You mask after the softmax and divide by what is left and a small number. Where
        forbidden scores had taken most, too little is left. Take them out before the
        softmax.""",
        divided_again_and_small=(
            WEIGH,
            "(w := parts.masked_after(scores, mask)) / (w.sum(-1, keepdim=True) + "
            "1e-9 * (mask is not None))",
        ),
    )
    family(
        mistakes,
        """You multiply the scores by the mask: a score of 0 still gets weight, for exp(0) = 1,
        and what you zero afterwards is missing from the whole. Set forbidden scores to
        -inf.""",
        scores_zeroed_then_weights=(
            WEIGH,
            "parts.filled_and_zeroed(scores, mask, 0.0)",
        ),
    )
