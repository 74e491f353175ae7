"""Task `break_streaming_attention`: a stranger's streaming attention."""

import math

import numpy as np
import torch

from course_lib.exercises.allowed import floats, whole
from course_lib.exercises.flash.streaming import STREAMING
from course_lib.exercises.strangers import Strangers, stranger_task


def break_streaming_attention():
    """A running softmax can slip at a maximum that rises, at one that falls, and at the last block.
    So five keys in blocks of two; one query whose scores climb far, one whose scores fall, and
    one whose scores are all far below zero."""
    query = torch.tensor([[3.0, 0.0, 0.0], [-3.0, 0.0, 0.0], [0.0, 3.0, 0.0]])
    key = torch.tensor(
        [
            [-900.0, -1000.0, 0.0],
            [-1.0, -999.0, 0.0],
            [0.0, -998.0, 0.0],
            [899.0, -999.0, 0.0],
            [900.0, -998.5, 0.0],
        ]
    )
    value = torch.tensor(
        [
            [1.0, 0.0],
            [2.0, 1.0],
            [4.0, 0.0],
            [8.0, 0.0],
            [16.0, 1.0],
        ]
    )
    return "anybody", (query, key, value, 2)


def opened(query, blocks):
    """All keys and values, and the length of the first block."""
    keys, values = zip(*((k.clone(), v.clone()) for k, v in blocks), strict=True)
    return query, torch.cat(keys, -2), torch.cat(values, -2), keys[0].shape[-2]


STRANGERS = Strangers(
    STREAMING,
    (
        "scaled-by-block-size",
        "scaled-by-d_v",
        "maximum-that-falls",
        "no-maximum",
        "maximum-of-the-first-block",
        "one-maximum-for-all-rows",
        "maximum-from-zero",
        "last-block-dropped",
        "even-blocks-only",
        "divided-each-time",
    ),
    {
        "query": floats("... T d_k"),
        "key": floats("... S d_k"),
        "value": floats("... S d_v"),
        "block_size": whole(1, 1000),
    },
    example=(
        np.ones((1, 1)),
        np.array([[0.0], [math.log(3)]]),
        np.array([[4.0], [8.0]]),
        1,
    ),
    opened=opened,
)
STRANGER = stranger_task(
    STRANGERS,
    break_streaming_attention,
    (
        "The example has one query, two keys in two whole blocks, d_k = d_v = 1, and scores that "
        "rise a little.",
        "Change one of these at a time: a last block that is shorter, d_k ≠ d_v, scores that climb "
        "by 1000 or fall by 1000 from block to block, scores that are all far below zero, two "
        "queries of very different height.",
        "Five keys, blocks of two, three queries: (3, 0, 0), (−3, 0, 0) and (0, 3, 0). The first "
        "number of the keys climbs from −900 to 900, the second is near −1000.",
    ),
    "One call of either function.",
)
