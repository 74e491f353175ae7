"""Task `test_cache`: a test that tells attention with a cache from its mutants."""

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
from course_lib.exercises.write_the_test.right_causal import CACHED, attend
from course_lib.exercises.write_the_test.survivors import ONLY_WRONG, Room

KEYS = "key = torch.cat([cache[0], key], dim=-2)"
VALUES = "value = torch.cat([cache[1], value], dim=-2)"
GIVES = "return weights @ value, (key, value)"
TRIL = "tril(n_keys - n_queries)"
MUTANTS = (
    ("the cache is ignored", "cache is not None", "False"),
    ("new positions stand before old ones", "[cache[0], key]", "[key, cache[0]]",
     "[cache[1], value]", "[value, cache[1]]"),
    ("new values stand before old ones", "[cache[1], value]", "[value, cache[1]]"),
    ("old keys stand beside the newest values: all are turned by one", VALUES,
     f"{VALUES}.roll(1, dims=-2)"),
    ("the new keys are not kept", GIVES,
     "return weights @ value, cache if cache is not None else (key, value)"),
    ("the old keys are not kept", GIVES,
     "return weights @ value, (key[..., -n_queries:, :], value[..., -n_queries:, :])"),
    ("keys and values change places in the cache", GIVES, "return weights @ value, (value, key)"),
    ("the first position is dropped from the cache", GIVES,
     "return weights @ value, (key[..., 1:, :], value[..., 1:, :]) if cache is not None else "
     "(key, value)"),
    ("what lies more than six positions back is forgotten", KEYS, f"{KEYS}[..., -6:, :]",
     VALUES, f"{VALUES}[..., -6:, :]"),
    ("the mask begins at the first key whatever is cached", TRIL, "tril()"),
    ("nothing is masked", f"seen = seen.{TRIL}", "pass"),
    ("the first piece is not masked", TRIL,
     "tril(n_keys - n_queries if cache is not None else n_keys)"),
    ("later pieces are not masked", TRIL, "tril(n_keys if cache is not None else 0)"),
    ("a query does not see its own position", "n_queries)", "n_queries - 1)"),
    ("a query sees one position ahead", "n_queries)", "n_queries + 1)"),
    ("a single new position sees itself alone", f"seen = seen.{TRIL}",
     f"seen = seen.{TRIL}\n    seen[:, :-1] &= n_queries > 1"),
    ("the scores are not scaled", " / math.sqrt(query.shape[-1])", ""),
    ("the scale depends on how much is cached", "query.shape[-1])", "n_keys)"),
    ("the cache is rounded to half precision", GIVES,
     "return weights @ value, (key.half().to(key.dtype), value.half().to(value.dtype))"),
    ("the cache is float32 whatever comes in", GIVES,
     "return weights @ value, (key.float(), value.float())"),
    ("the old cache is cleared", GIVES,
     "if cache is not None:\n        cache[0].zero_()\n    " + GIVES),
    ("new keys are added to the first text alone", KEYS,
     "key = torch.cat([cache[0], torch.cat([key[:1], 0 * key[1:]])], dim=-2)"),
    ("pieces are joined along axis 1, however many come before it", KEYS, KEYS.replace("-2", "1"),
     VALUES, VALUES.replace("-2", "1")),
    ("the second piece replaces the first one", KEYS, "key = torch.cat([key, key], dim=-2)",
     VALUES, "value = torch.cat([value, value], dim=-2)"),
    ("softmax runs over the queries", "scores, dim=-1", "scores, dim=-2"),
    ("output and cache change places", GIVES, "return (key, value), weights @ value"),
)  # fmt: skip


def _right(query, key, value):
    ahead = torch.ones(query.shape[-2], query.shape[-2]).triu(1).bool()
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(ahead, -math.inf)
    return torch.softmax(scores, dim=-1) @ value


def _text(length, dtype, *lead):
    return [torch.randn(*lead, length, size, dtype=dtype) for size in (4, 4, 3)]


def _in_pieces(attend, text, pieces, unchanged=True):
    """The output of a text that comes piece by piece, and the last cache."""
    outputs, cache, start = [], None, 0
    for length in pieces:
        old = None if cache is None else [x.clone() for x in cache]
        given = cache
        output, cache = attend(*(x[..., start : start + length, :] for x in text), cache)
        assert not unchanged or old is None or all(map(torch.equal, old, given))
        outputs.append(output)
        start += length
    return torch.cat(outputs, dim=-2), cache


def _close(got, want):
    assert got.dtype == want.dtype and got.shape == want.shape
    assert torch.allclose(got, want, 1e-5, 1e-6)


def test_cache(attend):
    for dtype, lead in ((torch.float64, (2,)), (torch.float32, (2, 3))):
        for pieces in ((9,), (4, 3, 2), (1,) * 9):
            text = _text(9, dtype, *lead)
            output, (keys, values) = _in_pieces(attend, text, pieces)
            _close(output, _right(*text))
            _close(keys, text[1])
            _close(values, text[2])


def _compares(*pieces, look=True, lead=(2,), scaled=True):
    """A wrong test: it compares on these pieces; without `look` not the cache."""

    def test(attend):
        for lengths in pieces:
            for dtype in (torch.float64, torch.float32):
                text = _text(sum(lengths), dtype, *lead)
                output, cache = _in_pieces(attend, text, lengths, unchanged=look)
                scale = 1 if scaled else math.sqrt(text[0].shape[-1])
                _close(output, _right(scale * text[0], *text[1:]))
                if look:
                    _close(cache[0], text[1])
                    _close(cache[1], text[2])

    return test


def _with_itself(attend):
    text = _text(9, torch.float64, 2)
    whole, _ = attend(*text, None)
    _close(_in_pieces(attend, text, (4, 3, 2))[0], whole)


MISTAKES = Mistakes(test_cache)
MISTAKES.by(
    "asserts-nothing",
    lambda attend: [_in_pieces(attend, _text(5, torch.float32), (5,), False), None][1],
).says(ASSERTS_NOTHING)
MISTAKES.by("never-called", lambda attend: None).says(NEVER_CALLED)
MISTAKES.by("not-scaled", _compares((9,), (4, 3, 2), scaled=False)).says(
    ONLY_WRONG.format("the mutant “the scores are not scaled”", "")
)
MISTAKES.by("with-itself", _with_itself).says("""
    You compare the function with itself: all at once and in pieces. What is wrong in both ways
    alike, such as a missing scale, never shows.
""")
MISTAKES.by("whole-alone", _compares((9,))).says(
    "You never hand a cache in: nothing old is ever used."
)
MISTAKES.by("one-by-one-alone", _compares((1,) * 9)).says("""
    Your positions come one by one. Several new ones at once must not see each other's future.
""")
MISTAKES.by("short-alone", _compares((4,), (2, 2), (1,) * 4)).says("""
    Your texts are too short: what goes wrong far back never shows.
""")
MISTAKES.by(
    "dtype-of-the-cache", _compares((9,), (4, 3, 2), (1,) * 9, look=False, lead=(2, 3))
).says("""
    A cache of the wrong dtype slips through. The cache is returned as well: look at it itself, in
    float64, too.
""")
MISTAKES.by("one-axis", _compares((9,), (4, 3, 2), (1,) * 9)).says("""
    You give one batch axis alone. Leading axes may be several, as with heads.
""")
ROOM = Room(
    "attend",
    "attend(query, key, value, cache=None)",
    ("output", "cached keys", "cached values"),
    gaps.CACHE,
)
TASK = Task(
    name="test_cache",
    points=3,
    reference=test_cache,
    idea=(
        "A cache must not be noticed: however a text is cut into pieces, its outputs are those of "
        "the whole. That is a property and needs no right cache to compare with, only causal "
        "attention at once. Then look into the cache: all keys and values in order, and the one "
        "that was handed in unchanged."
    ),
    cost="Three ways to cut a text of nine positions, in two dtypes: 26 calls.",
    credit="by case",
    without=WITHOUT,
    counts=COUNTS,
    cases=(*accepts(CACHED), *refuses(attend, MUTANTS, gaps.CACHE, hidden=5)),
    mistakes=MISTAKES.all,
    at_once=ROOM.at_once,
    of_cases=ROOM.in_the_end,
    hints=(
        "A cache may change the work and nothing else. What would you compare, to be sure of it?",
        "Give a text once in pieces, handing each returned cache to the next call, and compare all "
        "outputs with plain causal attention on the whole text, written by yourself. Which pieces? "
        "One, several, and single positions.",
        "For pieces in (9,), (4, 3, 2) and nine times 1, for both dtypes and leading axes (2,) and "
        "(2, 3): concatenate the outputs along −2 and compare; the last cache must be all keys and "
        "all values; and a clone of each cache, made before the call, must equal it afterwards.",
    ),
)
