"""Task `break_causal_attention`: a stranger's causal attention."""

import numpy as np
import torch

from course_lib.exercises.allowed import floats
from course_lib.exercises.causal.attention import ATTENTION
from course_lib.exercises.strangers import Strangers, stranger_task


def break_causal_attention():
    """More queries than keys: the first query stands before every key and may see nothing. The
    second sees key 0, whose score lies far below zero, and key 1, which is still hidden from it,
    has a score far above. No two axes have one length, and there are two texts."""
    query = torch.tensor([[1.0, 0.0], [100.0, 0.5], [1.0, 1.0]]).repeat(2, 1, 1)
    key = torch.tensor([[-1000.0, 1.0], [1000.0, 2.0]]).repeat(2, 1, 1)
    value = torch.tensor([[1.0, 0.0, 0.0, 2.0], [2.0, 1.0, 0.0, 5.0]]).repeat(2, 1, 1)
    return "anybody", (query, key, value)


STRANGERS = Strangers(
    ATTENTION,
    (
        "top-left-when-queries-are-more",
        "diagonal-without-its-sign",
        "keys-reversed",
        "divided-again",
        "uniform-when-nothing-is-allowed",
        "nan-when-nothing-is-allowed",
        "constant-too-high",
        "masked-maximum",
        "overflow",
    ),
    {
        "query": floats("... T d_k"),
        "key": floats("... S d_k"),
        "value": floats("... S d_v"),
    },
    example=(np.zeros((2, 1)), np.zeros((3, 1)), np.array([[2.0], [4.0], [9.0]])),
)
STRANGER = stranger_task(
    STRANGERS,
    break_causal_attention,
    (
        "The example has no axes in front, and every query sees something. The task allows T ≠ S, "
        "both ways.",
        "Try one thing at a time beside your own function: more queries than keys, a batch, scores "
        "of ±1000, a hidden score far above the one that is seen.",
        "Two texts, three queries, two keys: the first query sees nothing, the second sees a key "
        "with a score far below −30,000 while one as far above 0 is hidden from it.",
    ),
    "One call of either function.",
)
