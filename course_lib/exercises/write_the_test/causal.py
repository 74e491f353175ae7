"""Task `test_causal`: a test that tells causal attention from its mutants."""

import math

import torch

from course_lib.checker.tasks import Mistakes, Task
from course_lib.exercises.write_the_test import gaps
from course_lib.exercises.write_the_test.candidates import (
    ASSERTS_NOTHING,
    COUNTS,
    WITHOUT,
    accepts,
    refuses,
)
from course_lib.exercises.write_the_test.right_causal import CAUSAL, causal
from course_lib.exercises.write_the_test.survivors import ONLY_WRONG, Room

SEEN = "seen = seen.tril(n_keys - n_queries)"
SOFTMAX = "torch.softmax(scores, dim=-1)"
FORBID = 'scores.masked_fill(~seen, float("-inf"))'
CLEAR = "weights = weights.masked_fill(~seen, 0.0)"


def _masked_by(words: str) -> tuple[str, ...]:
    """Both places in which the mask is used, with these words in place of `~seen`."""
    pairs = [(old, old.replace("~seen", words)) for old in (FORBID, CLEAR)]
    return tuple(one for pair in pairs for one in pair)


MUTANTS = (
    ("nothing is masked", SEEN, "pass"),
    ("a query does not see its own position", "n_keys - n_queries)", "n_keys - n_queries - 1)"),
    ("a query sees one position ahead", "n_keys - n_queries)", "n_keys - n_queries + 1)"),
    ("the first query stands beside the first key", "tril(n_keys - n_queries)", "tril()"),
    ("queries are moved the wrong way", "tril(n_keys - n_queries)", "tril(n_queries - n_keys)"),
    ("a query sees what lies ahead alone", "tril(n_keys - n_queries)", "triu(n_keys - n_queries)"),
    ("True and False of the mask are swapped", *_masked_by("seen")),
    ("the mask comes after the softmax", FORBID, "scores"),
    ("forbidden scores are 0 in place of −∞", 'float("-inf")', "0.0"),
    ("forbidden scores are −5 in place of −∞", 'float("-inf")', "-5.0", CLEAR, "pass"),
    ("a query that sees nothing gets nan", CLEAR, "pass"),
    ("a query that sees nothing sees all", 'float("-inf")', "-1e9", CLEAR, "pass"),
    ("softmax runs over the queries", SOFTMAX, "torch.softmax(scores, dim=-2)"),
    ("large scores overflow", SOFTMAX, "scores.exp() / scores.exp().sum(-1, keepdim=True)"),
    ("the scores are not scaled", " / math.sqrt(query.shape[-1])", ""),
    ("the scale is that of the number of keys", "math.sqrt(query.shape[-1])", "math.sqrt(n_keys)"),
    ("keys are divided by their spread over all positions: the future leaks in",
     "query @ key", "query @ (key / key.std(-2, keepdim=True))"),
    ("the largest value of all positions is added: the future leaks in", "weights @ value",
     "weights @ value + value.amax(-2, keepdim=True)"),
    ("what lies more than three positions back is forgotten", SEEN,
     "seen = seen.tril(n_keys - n_queries).triu(n_keys - n_queries - 3)"),
    ("the first key is never seen", SEEN, f"{SEEN}; seen[:, 0] = False"),
    ("the first key is always seen", SEEN, f"{SEEN}; seen[:, 0] = True"),
    ("only the first text is masked", *_masked_by("~(seen if scores.dim() < 3 else torch.stack("
     "[seen] + [torch.ones_like(seen)] * (len(scores) - 1)).view(-1, *(1,) * (scores.dim() - 3), "
     "*seen.shape))")),
    ("a single query is masked like the first one", "tril(n_keys - n_queries)",
     "tril(n_keys - n_queries if n_queries > 1 else 0)"),
    ("keys and values are confused", "weights @ value", "weights @ key"),
    ("weights come before the output", "return output, weights", "return weights, output"),
    ("the weights are those from before the mask", "return output, weights",
     "return output, torch.softmax(query @ key.mT / math.sqrt(query.shape[-1]), dim=-1)"),
    ("the weights of the first text are given for all", "return output, weights",
     "return output, weights[:1].expand_as(weights) if weights.dim() > 2 else weights"),
    ("float64 becomes float32", "weights @ value", "(weights @ value).float()"),
    ("no gradient reaches the keys", "query @ key", "query @ key.detach()"),
    ("the query is written to", " / math.sqrt(query.shape[-1])", "",
     "scores = query @", "scores = query.div_(math.sqrt(query.shape[-1])) @"),
)  # fmt: skip


def _right(query, key, value):
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    ahead = torch.ones(n_queries, n_keys).triu(n_keys - n_queries + 1).bool()
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = torch.nan_to_num(scores.masked_fill(ahead, -math.inf).softmax(-1))
    return weights @ value, weights


def _inputs(dtype, *lead, t=6, s=6, scale=1.0):
    sizes = ((t, 4), (s, 4), (s, 3))
    return [scale * torch.randn(*lead, *size, dtype=dtype) for size in sizes]


def _same(got, want):
    for mine, theirs in zip(want, got, strict=True):
        assert mine.dtype == theirs.dtype and mine.shape == theirs.shape
        assert torch.allclose(mine, theirs, 1e-3, 1e-4)


def test_causal(attention):
    for t, s in ((6, 6), (2, 7), (1, 5), (7, 4)):
        for dtype, lead in ((torch.float64, (2,)), (torch.float32, (2, 3))):
            given = _inputs(dtype, *lead, t=t, s=s)
            kept = [x.clone() for x in given]
            _same(attention(*given), _right(*kept))
            assert all(map(torch.equal, given, kept))
    large = _inputs(torch.float32, 2, scale=30.0)
    _same(attention(*large), _right(*large))
    given = [x.requires_grad_() for x in _inputs(torch.float64, 2)]
    attention(*given)[0].square().sum().backward()
    assert all(x.grad is not None and x.grad.abs().sum() > 0 for x in given)


def _compares(*shapes, dtypes=(torch.float64, torch.float32), scaled=True):
    """A wrong test: it compares with what is right on these leading axes, T and S."""

    def test(attention):
        for *lead, t, s in shapes:
            for dtype in dtypes:
                given = _inputs(dtype, *lead, t=t, s=s)
                copies = [x.clone() for x in given]
                copies[0] *= 1 if scaled else math.sqrt(copies[0].shape[-1])
                _same(attention(*given), _right(*copies))

    return test


def _future_changed(attention):
    given = _inputs(torch.float64, 2, t=5, s=5)
    before, _ = attention(*given)
    given[1][:, 3:] += 1
    given[2][:, 3:] += 1
    assert torch.allclose(attention(*given)[0][:, :3], before[:, :3])


def _upper_triangle(attention):
    _, weights = attention(*_inputs(torch.float64, 2))
    assert torch.equal(weights, weights.tril())


MISTAKES = Mistakes(test_causal)
MISTAKES.by(
    "asserts-nothing", lambda attention: [attention(*_inputs(torch.float32, 2)), None][1]
).says(ASSERTS_NOTHING)
MISTAKES.by("not-scaled", _compares((2, 6, 6), (2, 2, 7), scaled=False)).says(
    ONLY_WRONG.format("the mutant “the scores are not scaled”", "")
)
MISTAKES.by("future-alone", _future_changed).says("""
    You change the future and look whether the past stays. That finds leaks; it does not find a
    query that sees too little, nor T ≠ S, nor wrong weights.
""")
MISTAKES.by("triangle-alone", _upper_triangle).says("""
    You look at the triangle of zeros alone. The weights can have it and be wrong, and the output
    can leak without them.
""")
MISTAKES.by("square-alone", _compares((2, 6, 6), (2, 3, 6, 6))).says("""
    You test with as many queries as keys alone. In generation one query meets many keys; the last
    query then stands beside the last key.
""")
MISTAKES.by("never-more-queries", _compares((2, 6, 6), (2, 2, 7), (2, 1, 5))).says("""
    You never give more queries than keys, where the first queries see nothing.
""")
MISTAKES.by("one-text", _compares((6, 6), (2, 7), (7, 4))).says(
    "You give one text alone, without a batch."
)
MISTAKES.by("short-alone", _compares((2, 3, 3), (2, 1, 3), (2, 4, 2))).says("""
    Your texts are too short: what goes wrong far back never shows.
""")
MISTAKES.by(
    "float32-alone", _compares((2, 6, 6), (2, 2, 7), (2, 1, 5), (2, 7, 4), dtypes=(torch.float32,))
).says("""
    You test in float32 alone. Give float64 as well and look at the dtype of what comes.
""")
ROOM = Room("attention", "attention(query, key, value)", ("output", "weights"), gaps.CAUSAL)
TASK = Task(
    name="test_causal",
    points=3,
    reference=test_causal,
    idea=(
        "What is new is where the mask's triangle begins, and with T = S all beginnings look "
        "alike. So choose other lengths: few queries on many keys, as a model writes, and more "
        "queries than keys, where the first rows are empty. The rest is the test of attention."
    ),
    cost="Eight comparisons of a few hundred numbers, and one step back.",
    credit="by case",
    without=WITHOUT,
    counts=COUNTS,
    cases=(*accepts(CAUSAL), *refuses(causal, MUTANTS, gaps.CAUSAL, hidden=5)),
    mistakes=MISTAKES.all,
    at_once=ROOM.at_once,
    of_cases=ROOM.in_the_end,
    hints=(
        "Causal attention promises two things: what lies ahead changes nothing, and nothing else "
        "is lost. A test of the first alone accepts a function that looks at nothing but itself.",
        "Compare with a plain causal attention of your own, for several pairs of lengths: as many "
        "queries as keys, few queries and many keys, one query, more queries than keys.",
        "For (T, S) in (6, 6), (2, 7), (1, 5), (7, 4), for two dtypes and leading axes (2,) and "
        "(2, 3): mask by `torch.ones(T, S).triu(S - T + 1).bool()`, softmax, `nan_to_num`. "
        "Compare output and weights with a tolerance, and inputs with their clones; then large "
        "scores, and `backward` once.",
    ),
)
