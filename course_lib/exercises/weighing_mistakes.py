"""Further slips between scores and weights, in any task that calls `parts.weigh(scores, mask)`."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.attention_mistakes import WEIGH
from course_lib.exercises.common import family


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
