"""Task `words_from_pieces` of lab 7: a map of words, from a map of their parts."""

import torch

from course_lib.checker.tasks import Cases, Mistakes, Sampler, task
from course_lib.exercises.common import family, single


def words_from_pieces(weights, rows, columns):
    """What a row gives to a word is all that it gives to the word's columns: a sum. A word that was
    written in several pieces has looked several times, and its row is the mean of theirs. So a row
    that gives all its weight to words sums to 1, as each row of a map does.

    Cost: each weight is read at most once for each of the two steps."""
    given = torch.stack([weights[..., columns_].sum(-1) for columns_ in columns], -1)
    looked = [given[..., rows_, :].mean(-2) for rows_ in rows]
    return torch.stack(looked, -2)


def groups(s: Sampler, total: int, words: int, left_out: bool = False) -> list[list[int]]:
    """Places 0 to total - 1 in so many groups, one behind the other, the first of two places or
    more; the second place of each belongs to none where it is `left_out`."""
    cuts = sorted(int(c) for c in s.rng.choice(range(2, total), words - 1, replace=False))
    found = [list(range(a, b)) for a, b in zip([0, *cuts], [*cuts, total], strict=True)]
    return [one[:1] + one[2:] if left_out else one for one in found]


def draw(s: Sampler, *lead: int, left_out: bool = False) -> tuple:
    T, S = 5 + s.size, 8 + s.size
    made = groups(s, T, 3, left_out), groups(s, S, 4, left_out)
    return s.weights(*lead, T, S), *made


GAPS = (
    "Some places belong to no word here. Perhaps you take all from a word's first to its last: "
    "index with the list itself, `weights[..., list]`, which may leave some out. Or perhaps each "
    "row is divided by its sum: what it gave to such places is not handed out."
)
case = Cases()
case.example((single([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2]]), [[0, 1]], [[0, 1], [2]]), dtype="float32")
case("all pieces belong to words", draw)
case("commas and pauses belong to none", lambda s: draw(s, left_out=True), perhaps=GAPS)
case("layers and heads before it", lambda s: draw(s, 2, 3))
case.hidden("one word, all pieces", lambda s, T, S: (s.weights(T, S), [[*range(T)]], [[*range(S)]]))
case.hidden(
    "each piece a word, the last left out",
    lambda s, T, S: (s.weights(T, S), [[t] for t in range(T)], [[j] for j in range(S - 1)]),
)
case.hidden("one column", lambda s, T: (s.weights(T + 1, 1), [[0], [*range(1, T + 1)]], [[0]]))
case.hidden("one piece", lambda s, S: (s.weights(1, S + 1), [[0]], [[0], [*range(1, S + 1)]]))

MISTAKES = Mistakes(words_from_pieces, globals())
MISTAKES.change("rows-added", "mean(-2)", "sum(-2)").says("""
    You add up the rows of a word. A word of three pieces then looks three times as much as one of
    one piece: take their mean.
""")
MISTAKES.change("columns-averaged", "sum(-1)", "mean(-1)").says("""
    You take the mean over the columns of a word. A long word then seems to get less than it does:
    add them up.
""")
MISTAKES.change("exchanged", "sum(-1)", "mean(-1)", "mean(-2)", "sum(-2)").says("""
    You add up rows and take the mean of columns. It is the other way round: what a word *gets* is a
    sum, how it *looks* is a mean.
""")
MISTAKES.change("largest-column", "sum(-1)", "amax(-1)").says("""
    You take the largest column of a word. What a word gets is the sum over its columns.
""")
MISTAKES.change("largest-row", "mean(-2)", "amax(-2)").says("""
    You take the largest row of a word, column by column. It need not sum to 1: take the mean of the
    rows.
""")
MISTAKES.change("first-piece", "given[..., rows_, :]", "given[..., rows_[:1], :]").says("""
    You keep the row of the first piece. The mean over all pieces of the word is asked.
""")
MISTAKES.change("last-piece", "given[..., rows_, :]", "given[..., rows_[-1:], :]").says("""
    You keep the row of the last piece. The mean over all pieces of the word is asked.
""")
MISTAKES.change("first-column", "weights[..., columns_]", "weights[..., columns_[:1]]").says("""
    You keep the first column of each word. Add up all of its columns.
""")
MISTAKES.change(
    "slice-one-short", "weights[..., columns_]", "weights[..., columns_[0] : columns_[-1]]"
).says("""
    The last column of each word is left out: a slice ends before its end. Index with the list
    itself, `weights[..., list]`.
""")
family(
    MISTAKES,
    """You divide by the number of all rows, pieces or words. A word's row is the mean over its
    own pieces: divide by their number, `len(list)`, or take `.mean`.""",
    by_all_rows=(".mean(-2)", ".sum(-2) / weights.shape[-2]"),
    by_all_columns=(".mean(-2)", ".sum(-2) / weights.shape[-1]"),
    by_all_pieces=(".mean(-2)", ".sum(-2) / sum(map(len, rows))"),
    by_all_words=(".mean(-2)", ".sum(-2) / len(rows)"),
)
family(
    MISTAKES,
    """You divide the mean by the number of pieces once more. A mean is divided already.""",
    divided_twice=(".mean(-2)", ".mean(-2) / len(rows_)"),
)
MISTAKES.change("last-column", "weights[..., columns_]", "weights[..., columns_[-1:]]").says("""
    You keep the last column of each word. Add up all of its columns.
""")
family(
    MISTAKES,
    """You take all places from a word's first to its last. A list may leave some out, which belong
    to no word: index with the list itself, `[..., list]`.""",
    first_to_last=("weights[..., columns_]", "weights[..., columns_[0] : columns_[-1] + 1]",
                   "given[..., rows_, :]", "given[..., rows_[0] : rows_[-1] + 1, :]"),
    first_to_last_column=("weights[..., columns_]", "weights[..., columns_[0] : columns_[-1] + 1]"),
    first_to_last_row=("given[..., rows_, :]", "given[..., rows_[0] : rows_[-1] + 1, :]"),
)  # fmt: skip
MISTAKES.change(
    "rows-one-short", "given[..., rows_, :]", "given[..., rows_[0] : rows_[-1], :]"
).says(
    """
    The last row of each word is left out: a slice ends before its end. Index with the list itself,
    `given[..., list, :]`.
"""
)
MISTAKES.change("largest-then-mean", "sum(-1)", "amax(-1)", "mean(-2)", "amax(-2)").says("""
    You take the largest of rows and of columns. What a word gets is a sum over columns, how it
    looks is a mean over rows.
""")
MISTAKES.change("without-the-last", "rows_, :]", "rows_[:-1] or rows_, :]").says("""
    You leave out the last piece of a word. The lists hold every place that counts, none beyond.
""")
MISTAKES.change(
    "made-to-sum-to-one",
    "torch.stack(looked, -2)",
    "torch.stack(looked, -2) / torch.stack(looked, -2).sum(-1, keepdim=True)",
).says(
    """
    You divide each row by its sum. What a row gave to pauses and marks is then handed out among the
    words: leave it out, and let the row sum to less than 1.
"""
)
MISTAKES.change("words-last", "torch.stack(looked, -2)", "torch.stack(looked, -1)").says("""
    Your map is turned round: the words that look are columns. Rows come first, (..., rows,
    columns).
""")
MISTAKES.change("columns-alone", "return torch.stack(looked, -2)", "return given").says("""
    You add up columns and leave the rows as they are. Each word of `rows` gets one row.
""")
MISTAKES.change(
    "rows-alone",
    "[weights[..., columns_].sum(-1) for columns_ in columns], -1",
    "[*weights.unbind(-1)], -1",
).says(
    """
    You average rows and leave the columns as they are. Each word of `columns` gets one column.
"""
)
family(
    MISTAKES,
    """You take `rows` for `columns`. The lists of `rows` are places on the second axis from the
    end, those of `columns` on the last.""",
    lists_exchanged=("in columns]", "in rows]", "in rows]\n", "in columns]\n"),
)
family(
    MISTAKES,
    """Your axes are counted from the front, and with layers and heads there are two more. Count
    from the end: `weights[..., columns]` and `given[..., rows, :]`.""",
    from_the_front=("given[..., rows_, :].mean(-2)", "given[rows_].mean(0)"),
)
MISTAKES.change("all-rows", "given[..., rows_, :]", "given").says("""
    You take the mean over all rows. Each word has its own pieces.
""")
WORDS = task(
    MISTAKES,
    2,
    case.all,
    (
        "A word was cut into three pieces. What does another piece that looks at them give to "
        "the word: the mean of the three weights, or their sum?",
        "For each list of `columns`: `weights[..., list].sum(-1)`, stacked on a last axis. Then "
        "for each list of `rows` the mean of those rows.",
        "`given = torch.stack([weights[..., c].sum(-1) for c in columns], -1)`; then "
        "`torch.stack([given[..., r, :].mean(-2) for r in rows], -2)`.",
    ),
)
