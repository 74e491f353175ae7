"""What does not fit is refused by every attention, in a sentence, before any work."""

import pytest
import torch
from attention_variants import build, draw, variants

BAD = {
    "different batches": (
        lambda q, k: (q[:1], k, k, None),
        ValueError,
        r"\(1, 3, 8\).*\(2, 5, 8\)",
    ),
    "too many features": (lambda q, k: (q, k[..., :7], k, None), ValueError, r"\(2, 5, 7\)"),
    "a narrow query": (lambda q, k: (q[..., :7], k, k, None), ValueError, r"\(2, 3, 7\)"),
    "one value too few": (lambda q, k: (q, k, k[:, 1:], None), ValueError, r"\(2, 4, 8\)"),
    "no keys": (lambda q, k: (q, k[:, :0], k[:, :0], None), ValueError, "no keys"),
    "no batch": (lambda q, k: (q[0, 0], k[0], k[0], None), ValueError, r"\(8,\)"),
    "integers": (lambda q, k: (q.long(), k, k, None), TypeError, "int64"),
    "a list": (lambda q, k: (q.tolist(), k, k, None), TypeError, "list"),
    "two precisions": (lambda q, k: (q.float(), k, k, None), TypeError, "float32.*float64"),
    "another device": (lambda q, k: (q.to("meta"), k, k, None), ValueError, "query on meta"),
    "a float mask": (lambda q, k: (q, k, k, torch.ones(3, 5)), TypeError, "boolean.*float32"),
    "a mask of lists": (lambda q, k: (q, k, k, [[True]]), TypeError, "list"),
    "a mask too wide": (
        lambda q, k: (q, k, k, torch.ones(3, 6, dtype=torch.bool)),
        ValueError,
        r"\(3, 6\).*\(2, (4, )?3, 5\)",
    ),
    "a mask elsewhere": (
        lambda q, k: (q, k, k, torch.ones(3, 5, dtype=torch.bool, device="meta")),
        ValueError,
        "mask on meta",
    ),
}


@variants()
@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("fault", BAD)
def test_bad_input(name, need_weights, fault, as_a_user):
    change, error, words = BAD[fault]
    query, keys, values, mask = change(*draw(2, 3, 5))
    with pytest.raises(error, match=words):
        build(name)(query, keys, values, mask, need_weights=need_weights)
