"""Every number that a public function takes: what it does not mean gets a sentence with its name.

One table of (function, argument, what it must be), and for each of those what it must not be.
"""

import re

import numpy as np
import pytest
import torch
from argument_table import BAD, LOGITS, OPTIONAL, TABLE
from argument_table_estimates import ESTIMATES

import course_lib as cl
from course_lib import generation, translation

ROWS = [
    pytest.param(f, argument, bad, id=f"{name}-{argument}-{bad}")
    for name, f, argument, what in TABLE + ESTIMATES
    for bad in BAD[what]
    if not (bad is None and argument in OPTIONAL)
]


@pytest.mark.parametrize(("f", "argument", "bad"), ROWS)
def test_a_number_that_is_none_of_those_meant_is_refused_by_name(f, argument, bad, as_a_user):
    with pytest.raises((TypeError, ValueError)) as error:
        f(bad)
    said = str(error.value)
    assert re.search(rf"\b{argument}\b", said) and ("must" in said or "got" in said), said


@pytest.mark.parametrize(
    "good", [np.int64(3), torch.tensor(3), np.array(3)], ids=["numpy", "tensor", "0-d array"]
)
def test_integers_of_other_libraries_are_integers(good, as_a_user):
    assert cl.causal_mask(good).shape == (3, 3)
    assert len(cl.KeyValueCache(good).__repr__()) > 0
    assert cl.alibi_bias(good, 2).shape == (3, 2, 2)
    assert generation.sample(LOGITS, top_k=good).ndim == 0
    assert len(translation.ParallelCorpus().pairs(good)) == 3
