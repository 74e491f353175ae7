"""Every number that a public function takes: what it does not mean gets a sentence with its name.

One table of (function, argument, what it must be), and for each of those what it must not be.
"""

import dataclasses
import re

import numpy as np
import pytest
import torch
from argument_table import BAD, LOGITS, OPTIONAL, TABLE
from argument_table_estimates import ESTIMATES
from argument_table_flags import FLAGS

import course_lib as cl
from course_lib import generation, translation

ROWS = [
    pytest.param(f, argument, bad, id=f"{name}-{argument}-{bad}")
    for name, f, argument, what in TABLE + ESTIMATES + FLAGS
    for bad in BAD[what]
    if not (bad is None and argument in OPTIONAL)
]


@pytest.mark.parametrize(("f", "argument", "bad"), ROWS)
def test_a_number_that_is_none_of_those_meant_is_refused_by_name(f, argument, bad, as_a_user):
    with pytest.raises((TypeError, ValueError)) as error:
        f(bad)
    said = str(error.value)
    assert re.search(rf"\b{argument}\b", said) and ("must" in said or "got" in said), said


def kinds(result):
    """What a result is made of, down to the types of its numbers and of a module's settings."""
    if isinstance(result, torch.Tensor):
        return result.dtype, result.shape
    if isinstance(result, list | tuple):
        return [kinds(x) for x in result]
    if isinstance(result, torch.nn.Module):
        own = {n: type(v) for n, v in vars(result).items() if not n.startswith("_")}
        return own, [kinds(child) for child in result.children()]
    if dataclasses.is_dataclass(result):
        return repr(result)
    settings = getattr(result, "settings", {})
    return type(result), {n: type(v) for n, v in settings.items()}


GOOD = {  # one of each, and the same number as other libraries have it
    **dict.fromkeys(("integer", "positive", "natural"), (2, 4, 0)),
    **dict.fromkeys(("finite", "above 0", "share"), (0.5, 2.0)),
    "share below 1": (0.5,), "flag": (True, False), "place": (),
}  # fmt: skip
FOREIGN = {  # the same number as other libraries have it
    int: (np.int64, np.uint8, torch.tensor),
    float: (np.float64, np.float32),
    bool: (np.bool_, torch.tensor),
}


def result(f, value):
    """What f makes of it, or None where this argument or another one does not go with it."""
    torch.manual_seed(0)
    try:
        return f(value)
    except (TypeError, ValueError):
        return None


@pytest.mark.parametrize(
    ("f", "what"), [pytest.param(f, w, id=f"{n}-{a}") for n, f, a, w in TABLE + ESTIMATES + FLAGS]
)
def test_a_number_of_another_library_is_the_number(f, what, as_a_user):
    """Nothing of NumPy's or torch's is kept: it could not be saved, and small ones overflow."""
    good = next((g for g in GOOD[what] if result(f, g) is not None), None)
    expected = kinds(result(f, good))
    for foreign in FOREIGN.get(type(good), ()):
        assert kinds(result(f, foreign(good))) == expected, foreign


@pytest.mark.parametrize(
    "good", [np.int64(3), torch.tensor(3), np.array(3)], ids=["numpy", "tensor", "0-d array"]
)
def test_integers_of_other_libraries_are_integers(good, as_a_user):
    assert cl.causal_mask(good).shape == (3, 3)
    assert len(cl.KeyValueCache(good).__repr__()) > 0
    assert cl.alibi_bias(good, 2).shape == (3, 2, 2)
    assert generation.sample(LOGITS, top_k=good).ndim == 0
    assert len(translation.ParallelCorpus().pairs(good)) == 3
