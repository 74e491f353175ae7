"""Lab 2's evidence for the other four short programs: positions, a norm, dropout, and the past."""

import numpy as np
import torch

from course_lib.exercises.allowed import flag, floats, probability, whole
from course_lib.exercises.find_the_bug.evidence import Bug, bug_task
from course_lib.exercises.find_the_bug.remembering import MISTAKES, PAST
from course_lib.exercises.find_the_bug.writing import DROPOUT, NORM, POSITIONS

LONGEST = 100  # tokens that came before


def add_positions_bug():
    """With nothing in the cache the first rows are the right ones, so something must have come
    before, and the rows of the table must differ. One token after one other, and a table that says
    0 and 1: the token stands at position 1."""
    return "rows = table[:length]", (torch.zeros(1, 1, 1), torch.tensor([[0.0], [1.0]]), 1)


def _table_is_long(x, table, cached):
    end = cached + x.shape[1]
    return "" if end <= len(table) else f"`table` has {len(table)} rows; {end} are needed."


def _same_rows(x, table, cached):
    if cached == 0:
        return "`cached` is 0, and then the first rows of the table are right"
    return "the rows that the tokens should have are the same as the first ones"


POSITIONS_EVIDENCE = bug_task(
    Bug(
        POSITIONS,
        {"x": floats("B T d"), "table": floats("L d"), "cached": whole(0, LONGEST)},
        {"rows = table[:length]": POSITIONS.mistakes[0].answer},
        _same_rows,
        _table_is_long,
    ),
    add_positions_bug,
    (
        "Which argument does the program never read? For which value of it does that not matter?",
        "One new token after one other; let the row of each position say its number.",
        "x is 0, the table 0 and 1, `cached` 1: the result must be 1.",
    ),
    "One call on three numbers.",
)


def layer_norm_bug():
    """The smallest batch is one text of one token. Its features 1 and 3 have the mean 2 and the
    variance 1, so −1 and 1 are right. The program takes the mean over texts and positions, which is
    the token itself, and gives 0 and 0: neighbours are not even needed."""
    ones = torch.ones(2)
    line = "mean = x.mean(dim=(0, 1), keepdim=True)"
    return line, (torch.tensor([[[1.0, 3.0]]]), ones, 0 * ones)


def _same_norm(x, gain, bias):
    if not gain.any():
        return "`gain` is 0, so that only `bias` is left"
    if x.shape[-1] == 1:
        return "a token of one feature is its own mean, along either axis"
    if np.ptp(x) == 0:
        return "all numbers of `x` are the same, and so is every mean"
    return "both means take the same numbers together"


NORM_EVIDENCE = bug_task(
    Bug(
        NORM,
        {"x": floats("B T d"), "gain": floats("d"), "bias": floats("d")},
        dict.fromkeys(
            (
                "mean = x.mean(dim=(0, 1), keepdim=True)",
                "variance = (x - mean).square().mean(dim=(0, 1), keepdim=True)",
            ),
            NORM.mistakes[0].answer,
        ),
        _same_norm,
    ),
    layer_norm_bug,
    (
        "Of which numbers should a token's mean be taken, and of which is it taken here?",
        "One token will do. What is its mean over texts and positions, when there is one of each?",
        "One token (1, 3), gain 1, bias 0: −1 and 1 are right. Both lines with `mean(` are wrong.",
    ),
    "One call on six numbers.",
)


def weigh_with_dropout_bug():
    """In training it is right to drop, so the model must be in use, with a probability above 0. One
    word has the weight 1 and the value 1, so 1 is right. The program drops it or doubles it: 0 or
    2, and never 1. An input on which a random program may be right by luck would show less."""
    score, value = torch.zeros(1, 1, 1), torch.ones(1, 1, 1)
    return "weights = F.dropout(weights, p)", (score, value, 0.5, False)


def _same_weights(scores, value, p, training):
    if training:
        return "`training` is True, and then weights are to be dropped"
    if p == 0:
        return "`p` is 0, and nothing is dropped"
    return "the values leave no trace of what was dropped"


DROPOUT_EVIDENCE = bug_task(
    Bug(
        DROPOUT,
        {
            "scores": floats("B T S"),
            "value": floats("B S d_v"),
            "p": probability(),
            "training": flag(),
        },
        {"weights = F.dropout(weights, p)": DROPOUT.mistakes[0].answer},
        _same_weights,
    ),
    weigh_with_dropout_bug,
    (
        "When is nothing to be dropped? When is nothing dropped anyway?",
        "One word: its weight is 1, and the result is its value. `F.dropout` divides what is left "
        "by 1 − p.",
        "Score 0, value 1, p = 0.5, `training` False. Which argument does no line of code read?",
    ),
    "One call on two numbers; two calls, if the first is right by luck.",
)


def attend_to_past_bug():
    """Each bug has inputs on which it cannot show: the mask where there are as many queries as
    keys, the root where all scores are alike or there are as many keys as features. One query and
    two keys with the score 0 show the mask alone: the mean of the values 1 and 3 is right, and the
    program sees the first key only. For the root take two queries, so that the triangle is right,
    and scores that differ."""
    query, key = torch.zeros(1, 1, 1), torch.zeros(1, 2, 1)
    return "seen = seen.tril()", (query, key, torch.tensor([[[1.0], [3.0]]]))


def _as_many_keys(query, key, value):
    enough = key.shape[1] >= query.shape[1]
    return "" if enough else "There are fewer keys than queries; each query is one of the tokens."


def _same_past(query, key, value):
    (_, n_queries, d), n_keys = query.shape, key.shape[1]
    if n_keys == 1:
        return "a single key has the whole weight, whatever its score is"
    if np.ptp(value, axis=1).max() == 0:
        return "all values are the same, and so is every weighted mean"
    if n_queries < n_keys:
        return "what the mask hides has almost no weight"
    if n_keys == d:
        return f"there are {d} queries, {d} keys and {d} features, so mask and root are right"
    return (
        "with as many queries as keys the mask is right, and the scores do not show what they are "
        "divided by"
    )


PAST_EVIDENCE = bug_task(
    Bug(
        PAST,
        {"query": floats("B T d"), "key": floats("B S d"), "value": floats("B S d_v")},
        {
            "seen = seen.tril()": MISTAKES["scale-alone"],
            "scores = query @ key.transpose(-2, -1) / math.sqrt(n_keys)": MISTAKES["mask-alone"],
        },
        _same_past,
        _as_many_keys,
    ),
    attend_to_past_bug,
    (
        "Take one bug, and choose the input so that the other cannot show. Where all scores are 0, "
        "what do they care about a root?",
        "The triangle of ones begins at the top left. With one query and two keys, which keys may "
        "the query see, and which does it see?",
        "One query of 0, two keys of 0, the values 1 and 3: their mean is right. The line is the "
        "one that calls `tril`.",
    ),
    "One call on five numbers.",
)

TASKS = (POSITIONS_EVIDENCE, NORM_EVIDENCE, DROPOUT_EVIDENCE, PAST_EVIDENCE)
