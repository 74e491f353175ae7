"""Further slips in `attend`: its mask, and a repair that reaches only one of two results."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.softmax import masked


def mask_slips(mistakes: Mistakes) -> None:
    """Answers that use the mask otherwise than the reference."""
    attend = mistakes.reference
    sentence = """
        `if mask:` and `if mask != None:` ask a whole array for one truth value. Whether a mask was
        given, `if mask is not None:` asks.
    """

    @mistakes.says(sentence)
    def truth_of_the_mask(queries, keys, values, mask=None):
        return attend(queries, keys, values, mask if mask else None)

    @mistakes.says("""
        Without a mask your answer fails: `~` of None is an error. Mask the scores only `if mask is
        not None`.
    """)
    def mask_needed(queries, keys, values, mask=None):
        return attend(queries, keys, values, ~(~mask))

    @mistakes.says("""
        The mask may have one row, or one sentence, for all: `np.broadcast_to(mask, scores.shape)`,
        or `np.where`, stretches it. Your index goes beyond it, or finds an axis too few.
    """)
    def mask_indexed(queries, keys, values, mask=None):
        scores = queries @ keys.swapaxes(1, 2)
        if mask is not None:
            for b in range(scores.shape[0]):
                for t in range(scores.shape[1]):
                    scores[b, t][~mask[b, t]] = -np.inf
        weights = np.nan_to_num(masked.softmax(scores))
        return weights @ values, weights

    @mistakes.says("""
        You use the mask of the first sentence for the whole batch. Each sentence may have its own.
    """)
    def first_mask(queries, keys, values, mask=None):
        return attend(queries, keys, values, mask if mask is None or mask.ndim < 3 else mask[:1])

    @mistakes.says("""
        You use the mask of the first query for all. Each query may have its own row.
    """)
    def first_row_of_the_mask(queries, keys, values, mask=None):
        return attend(
            queries, keys, values, mask if mask is None or mask.ndim < 2 else mask[..., :1, :]
        )

    @mistakes.says("""
        You add an axis to the mask. It broadcasts to the scores as it comes.
    """)
    def axis_added_to_the_mask(queries, keys, values, mask=None):
        return attend(queries, keys, values, None if mask is None else mask[:, None])

    @mistakes.says("""
        A query with nothing to attend to: its weights are zero, and its context is still nan.
        Repair the weights first, and make the context with the repaired ones.
    """)
    def context_before_the_repair(queries, keys, values, mask=None):
        weights = masked.MISTAKES["nan-rows"](
            queries @ keys.swapaxes(1, 2), np.True_ if mask is None else mask
        )
        return weights @ values, np.nan_to_num(weights)

    @mistakes.says("""
        A query with nothing to attend to: its context is zero, and its weights are still nan.
        Repair the weights, and make the context with the repaired ones.
    """)
    def context_alone_repaired(queries, keys, values, mask=None):
        weights = masked.MISTAKES["nan-rows"](
            queries @ keys.swapaxes(1, 2), np.True_ if mask is None else mask
        )
        return np.nan_to_num(weights) @ values, weights

    @mistakes.says("""
        Your weights are masked, but the context is made with weights that are not. Mask first, and
        use the masked weights for both.
    """)
    def context_unmasked(queries, keys, values, mask=None):
        return attend(queries, keys, values)[0], attend(queries, keys, values, mask)[1]

    @mistakes.says("""
        Your context is masked, but the weights that you return are not. Return the weights that
        made the context.
    """)
    def weights_unmasked(queries, keys, values, mask=None):
        return attend(queries, keys, values, mask)[0], attend(queries, keys, values)[1]
