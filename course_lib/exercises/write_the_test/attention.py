"""Task `test_attention`: a test that tells attention from its mutants."""

import math

import torch

from course_lib.checker.tasks import Mistakes, Task
from course_lib.exercises.write_the_test import gaps
from course_lib.exercises.write_the_test.candidates import (
    ASSERTS_NOTHING,
    COUNTS,
    NEVER_CALLED,
    WITHOUT,
    accepts,
    refuses,
)
from course_lib.exercises.write_the_test.right import RIGHT, attention
from course_lib.exercises.write_the_test.survivors import ONLY_WRONG, Room

SOFTMAX = "torch.softmax(scores, dim=-1)"
FORBID = 'scores.masked_fill(~mask, float("-inf"))'
CLEAR = "weights = weights.masked_fill(~mask, 0.0)"


def _masked_by(words: str) -> tuple[str, ...]:
    """Both places in which the mask is used, with these words in place of `~mask`."""
    pairs = [(old, old.replace("~mask", words)) for old in (FORBID, CLEAR)]
    return tuple(one for pair in pairs for one in pair)


IF_SCORES, IF_WEIGHTS = (f"if mask is not None:\n        {one} =" for one in ("scores", "weights"))
SCALE = "scores = scores / math.sqrt(d_k)"
MUTANTS = (
    ("the scores are not scaled", SCALE, "pass"),
    ("the scores are multiplied by √d", "/ math.sqrt(d_k)", "* math.sqrt(d_k)"),
    ("the scores are divided by d", "math.sqrt(d_k)", "d_k"),
    ("the scale is that of the values' width", "d_k = query.shape[-1]", "d_k = value.shape[-1]"),
    ("the scale is that of the number of keys", "d_k = query.shape[-1]", "d_k = key.shape[-2]"),
    ("softmax runs over the queries", SOFTMAX, "torch.softmax(scores, dim=-2)"),
    ("softmax runs over the first axis", SOFTMAX, "torch.softmax(scores, dim=0)"),
    ("large scores overflow", SOFTMAX, "scores.exp() / scores.exp().sum(-1, keepdim=True)"),
    ("one is added to the softmax's sum", SOFTMAX, "F.pad(scores, (0, 1)).softmax(-1)[..., :-1]"),
    ("the mask is ignored", IF_SCORES, IF_SCORES.replace("mask is not None", "False"),
     IF_WEIGHTS, IF_WEIGHTS.replace("mask is not None", "False")),
    ("the mask is inverted", *_masked_by("mask")),
    ("the mask comes after the softmax", f"scores = {FORBID}", "pass"),
    ("forbidden scores are 0 in place of −∞", 'float("-inf")', "0.0"),
    ("the mask is transposed", *_masked_by("~mask.mT")),
    ("the first text's mask holds for all texts", *_masked_by("~mask[(0,) * (mask.dim() - 2)]")),
    ("the first row of the mask holds for all queries", *_masked_by("~mask[..., :1, :]")),
    ("a query that may see nothing gets nan", CLEAR, "pass"),
    ("a query that may see nothing sees all", 'float("-inf")', "-1e9", CLEAR, "pass"),
    ("the mask is written to", FORBID, 'scores.masked_fill(mask.logical_not_(), float("-inf"))',
     CLEAR, "weights = weights.masked_fill(mask, 0.0)"),
    ("the query is written to", f"query @ key.transpose(-2, -1)\n    {SCALE}",
     "query.mul_(1 / math.sqrt(d_k)) @ key.transpose(-2, -1)"),
    ("keys and values are confused in the output", "weights @ value", "weights @ key"),
    ("keys and values are confused in the scores", "key.transpose", "value.transpose"),
    ("queries and keys are confused", "query @ key.transpose", "key @ query.transpose"),
    ("keys are compared with themselves", "query @ key.transpose", "key @ key.transpose"),
    ("the output is 10 % too small", "weights @ value", "0.9 * (weights @ value)"),
    ("the weights are dropped at random", "weights @ value", "F.dropout(weights, 0.1) @ value"),
    ("weights come before the output", "return output, weights", "return weights, output"),
    ("scores are returned as weights", "return output, weights", "return output, scores"),
    ("float64 becomes float32", "weights @ value", "(weights @ value).float()"),
    ("no gradient reaches the query", "query @ key", "query.detach() @ key"),
    ("the key is transposed as if there were three axes", "transpose(-2, -1)", "transpose(1, 2)"),
    ("float32 becomes float64", "weights @ value", "(weights @ value).double()"),
    ("the key is written to", f"key.transpose(-2, -1)\n    {SCALE}",
     "key.mul_(1 / math.sqrt(d_k)).transpose(-2, -1)"),
    ("the value is written to", "weights @ value", "weights @ value.mul_(2) / 2"),
)  # fmt: skip


def _right(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ value, weights


def _inverted(query, key, value, mask):
    return _right(query, key, value, None if mask is None else ~mask)


def _inputs(dtype, *lead, n=(3, 5, 4, 6), scale=1.0):
    t, s, d_k, d_v = n
    sizes = ((t, d_k), (s, d_k), (s, d_v))
    return [scale * torch.randn(*lead, *size, dtype=dtype) for size in sizes]


def _mask(*lead, t=3, s=5, empty=True):
    mask = torch.rand(*lead, t, s) < 0.5
    mask[..., 0] = True
    mask[..., -1] = False
    if empty:
        mask[..., 1, :] = False
    return mask


def _same(got, want, outputs=True, weights=True):
    for i in [0] * outputs + [1] * weights:
        assert got[i].dtype == want[i].dtype and got[i].shape == want[i].shape
        assert torch.allclose(got[i], want[i], 1e-3, 1e-4)


def test_attention(attention):
    for dtype, lead in ((torch.float64, (2,)), (torch.float32, (2, 3))):
        for mask in (None, _mask(), _mask(*lead)):
            given = _inputs(dtype, *lead)
            kept = [x.clone() for x in given]
            kept_mask = None if mask is None else mask.clone()
            _same(attention(*given, mask), _right(*kept, kept_mask))
            assert all(map(torch.equal, given, kept))
            assert mask is None or torch.equal(mask, kept_mask)
    same_sizes = _inputs(torch.float64, 4, n=(4, 4, 4, 4))
    _same(attention(*same_sizes), _right(*same_sizes, None))
    large = _inputs(torch.float32, 2, scale=30.0)
    _same(attention(*large), _right(*large, None))
    query, key, value = (x.requires_grad_() for x in _inputs(torch.float64, 2))
    attention(query, key, value)[0].sum().backward()
    assert all(x.grad is not None and x.grad.abs().sum() > 0 for x in (query, key, value))


def _compares(make, **how):
    """A wrong test: it compares with what is right on the inputs that `make` gives."""

    def test(attention):
        for *given, mask in make():
            copies = [x.clone() for x in given]
            _same(attention(*given, mask), _right(*copies, mask), **how)

    return test


def _all_dtypes(**sizes):
    yield from ((*_inputs(d, 2, **sizes), None) for d in (torch.float64, torch.float32))
    yield from ((*_inputs(d, 2, **sizes), _mask(2)) for d in (torch.float64, torch.float32))


MISTAKES = Mistakes(test_attention)
MISTAKES.by(
    "asserts-nothing", lambda attention: [attention(*_inputs(torch.float32, 2), _mask()), None][1]
).says(ASSERTS_NOTHING)
MISTAKES.by("never-called", lambda attention: None).says(NEVER_CALLED)
MISTAKES.change("three-axes-alone", "(torch.float32, (2, 3))", "(torch.float32, (2,))").says("""
    You give inputs with three axes alone. There may be more: give several leading axes, too.
""")
MISTAKES.change(
    "float64-alone",
    "(torch.float32, (2, 3))",
    "(torch.float64, (2, 3))",
    "_inputs(torch.float32, 2",
    "_inputs(torch.float64, 2",
).says("""
    You test in float64 alone. Give float32 as well and look at the dtype of what comes.
""")
MISTAKES.change("mask-inverted", "_right(*kept, kept_mask)", "_inverted(*kept, kept_mask)").says(
    ONLY_WRONG.format("the mutant “the mask is inverted”", "")
)
MISTAKES.by(
    "no-mask",
    _compares(lambda: [(*_inputs(torch.float64, 2), None), (*_inputs(torch.float32, 2), None)]),
).says("""
    You never give a mask, and half of what can go wrong goes wrong there.
""")
MISTAKES.by(
    "mask-alone",
    _compares(
        lambda: [(*_inputs(d, 2), _mask(2, empty=False)) for d in (torch.float64, torch.float32)]
    ),
).says("""
    You always give a mask without an empty row. What if a query may see nothing?
""")
MISTAKES.by("output-alone", _compares(_all_dtypes, weights=False)).says("""
    You look at the output alone. The weights are returned as well, and can be wrong alone.
""")
MISTAKES.by("weights-alone", _compares(_all_dtypes, outputs=False)).says("""
    You look at the weights alone. The output can be wrong where they are right.
""")
MISTAKES.by(
    "one-size",
    _compares(
        lambda: [(*_inputs(d, 4, n=(4, 4, 4, 4)), None) for d in (torch.float64, torch.float32)]
    ),
).says("""
    All your axes have the same length, so axes can be confused and nobody sees it. Give T, S, d_k
    and d_v different lengths.
""")
ROOM = Room(
    "attention", "attention(query, key, value, mask=None)", ("output", "weights"), gaps.ATTENTION
)
TASK = Task(
    name="test_attention",
    points=4,
    reference=test_attention,
    idea=(
        "Write attention once more, as plainly as you can, and compare: that alone refuses most "
        "mutants, if the inputs leave them no place to hide. So no two axes have one length, masks "
        "are given and left out, and one row of a mask is empty. What values cannot show is asked "
        "for itself: inputs left alone, gradients that arrive, large scores that do no harm."
    ),
    cost="Eight comparisons of a few hundred numbers, and one step back.",
    credit="by case",
    without=WITHOUT,
    counts=COUNTS,
    cases=(*accepts(RIGHT), *refuses(attention, MUTANTS, gaps.ATTENTION, hidden=5)),
    mistakes=MISTAKES.all,
    at_once=ROOM.at_once,
    of_cases=ROOM.in_the_end,
    hints=(
        "What would you have to know of a function to be sure that it is attention? Write down "
        "what must hold for *every* input, then what is odd: axes of different lengths, a query "
        "that may see nothing, very large scores, float64.",
        "The shortest way to most of it: write attention once more inside your test, in the "
        "plainest way you can, and compare with a tolerance on inputs that you choose with care. "
        "Then ask what values cannot show: changed inputs, lost gradients.",
        "Loop over `(torch.float64, (2,))` and `(torch.float32, (2, 3))` as dtype and leading axes "
        "and over the masks None, (3, 5) and (*lead, 3, 5), one row all False. Draw query (3, 4), "
        "key (5, 4), value (5, 6), keep clones, `torch.testing.assert_close` both results with "
        "yours, and compare the inputs with their clones. Then scores in the hundreds, and "
        "`backward` once.",
    ),
)
