"""Task `share_inside` of lab 7: the share of the words that are found where they were said."""

import numpy as np

from course_lib.checker.tasks import Cases, Mistakes, Sampler, task
from course_lib.exercises.common import family, single


def share_inside(times, intervals):
    """A word is found where its moment lies in its own interval. The beginning belongs to it and
    the end does not, so that of two words without a pause between them only one has the moment at
    which they meet.

    Cost: two comparisons a word."""
    begin, end = intervals.T
    inside = (begin <= times) & (times < end)
    return inside.double().mean().item()


def spoken(s: Sampler, words: int) -> np.ndarray:
    """Beginnings and ends of words with pauses between them, in whole eighths of a second."""
    steps = s.integers(2, 7, words, 2) * [1, 2]
    ends = steps.ravel().cumsum().reshape(words, 2)
    return (ends / 8).astype(s.dtype)


def found(s: Sampler, words: int, *where: float) -> tuple:
    """Moments that lie at these shares of their words, in turn: 0.5 is the middle."""
    intervals = spoken(s, words)
    shares = np.array([where[i % len(where)] for i in range(words)])
    times = intervals[:, 0] + shares * (intervals[:, 1] - intervals[:, 0])
    return times.astype(s.dtype), intervals


def other_word(s: Sampler, W: int) -> tuple:
    """But for the first, each moment lies in the word after its own, and the last two both lie in
    the second word: the moments are in no order."""
    times, intervals = found(s, W + 3, 0.5)
    times[1:-1] = np.roll(times[1:-1], -1)
    times[-1] = times[-2]
    return times, intervals


case = Cases(atol=1e-6)  # a mean of float32 is a share, too
case.example((single([0.5, 0.9]), single([[0.0, 1.0], [1.0, 2.0]])), dtype="float32")
case("before, inside and after", lambda s, W: found(s, W + 3, -0.2, 0.3, 0.8, 1.1, 0.6))
case(
    "just at the beginning, just at the end", lambda s, W: found(s, W + 3, 0.0, 1.0, 0.5, 0.0, 0.0)
)
case("in another word", other_word)
case.hidden("one word", lambda s: found(s, 1, s.turn(0.25, 1.5)))
case.hidden("all inside", lambda s, W: found(s, W, 0.1, 0.9))
case.hidden("none inside", lambda s, W: found(s, W, -0.01, 1.2))

MISTAKES = Mistakes(share_inside, globals())
MISTAKES.change("end-counts", "times < end", "times <= end").says("""
    You count a moment at the end of a word. The end belongs to what follows: `times < end`.
""")
MISTAKES.change("beginning-left-out", "begin <= times", "begin < times").says("""
    You leave out a moment at the beginning of a word. It belongs to the word: `begin <= times`.
""")
MISTAKES.change(
    "other-edges", "begin <= times", "begin < times", "times < end", "times <= end"
).says("""
    You count the end of a word and leave out its beginning. It is the other way round:
    `begin <= times` and `times < end`.
""")
MISTAKES.change("count", ".mean()", ".sum()").says(
    "You return how many words are found. Their share is asked: divide by the number of words."
)
MISTAKES.change("percent", "mean().item()", "mean().item() * 100").says(
    "You return a percentage. A share from 0 to 1 is asked."
)
MISTAKES.change("outside", "inside.double()", "(~inside).double()").says(
    "You return the share that is *not* inside."
)
MISTAKES.change(
    "any-word",
    "(begin <= times) & (times < end)",
    "((begin <= times[:, None]) & (times[:, None] < end)).any(1)",
).says(
    """
    You count a moment that lies in any word. It must lie in its own: word i and interval i.
"""
)
MISTAKES.change(
    "all-pairs",
    "(begin <= times) & (times < end)",
    "(begin <= times[:, None]) & (times[:, None] < end)",
).says(
    """
    You compare each moment with every word. Word i belongs to interval i alone.
"""
)
MISTAKES.change("or", ") & (", ") | (").says("""
    Your `|` is always true: whatever comes late is after the beginning. Both must hold: `&`.
""")
family(
    MISTAKES,
    """You say whether all words are found. The share of those that are is asked.""",
    all=("inside.double().mean().item()", "float(inside.all())"),
    all_as_bool=("inside.double().mean().item()", "bool(inside.all())"),
)
family(
    MISTAKES,
    """You say whether any word is found. The share of those that are is asked.""",
    any=("inside.double().mean().item()", "float(inside.any())"),
    any_as_bool=("inside.double().mean().item()", "bool(inside.any())"),
)
family(
    MISTAKES,
    """You round the share to 0 or 1. Return it as it is.""",
    rounded=("inside.double().mean().item()", "float(round(inside.double().mean().item()))"),
)
family(
    MISTAKES,
    """One word alone is counted, divided by the number of all. Perhaps the `return` stands inside
    the loop, `=` stands for `+=`, or the count is set back in each round.""",
    first_word_alone=("inside.double().mean().item()", "inside[0].item() / len(times)"),
    last_word_alone=("inside.double().mean().item()", "inside[-1].item() / len(times)"),
)
family(
    MISTAKES,
    """You look at one word alone. Go through all of them, and divide by their number at the
    end.""",
    first_word=("inside.double().mean().item()", "float(inside[0])"),
    last_word=("inside.double().mean().item()", "float(inside[-1])"),
)
MISTAKES.change("next-beginning", "times < end", "times < begin.roll(-1)").says("""
    You take the beginning of the next word for the end of a word. Between them lies a pause, which
    belongs to none: the end is column 1.
""")
MISTAKES.change(
    "weighed-by-length",
    "inside.double().mean().item()",
    "(inside * (end - begin)).sum().item() / (end - begin).sum().item()",
).says("""
    You weigh each word by its length. Each counts alike: how many are found, divided by how many
    there are.
""")
MISTAKES.change(
    "near-the-middle",
    "(begin <= times) & (times < end)",
    "(times - (begin + end) / 2).abs() < 0.5",
).says("""
    You ask whether a moment is near a word's middle. How far a word reaches its beginning and its
    end say: compare with both.
""")
MISTAKES.change("divided-by-one-more", ".mean().item()", ".sum().item() / (len(times) + 1)").says(
    "You divide by one more than the number of words."
)
MISTAKES.change(
    "divided-by-numbers", ".mean().item()", ".sum().item() / intervals.numel()"
).says("""
    You divide by the number of beginnings and ends together, twice that of the words.
""")
MISTAKES.change("sorted", "inside =", "times = times.sort().values; inside =").says("""
    You sort the moments. Word i has moment i, wherever it lies.
""")
MISTAKES.change(
    "mean-moment", "inside.double().mean().item()", "times[inside].double().mean().item()"
).says("""
    You return the mean moment of the words that are found. How many they are is asked: the mean of
    `inside` itself, True counts 1.
""")
MISTAKES.change("beginning-alone", " & (times < end)", "").says(
    "You look at the beginning alone. A moment after the end lies outside, too."
)
MISTAKES.change("end-alone", "(begin <= times) & ", "").says(
    "You look at the end alone. A moment before the beginning lies outside, too."
)
MISTAKES.change(
    "nearest-middle",
    "(begin <= times) & (times < end)",
    "(times[:, None] - (begin + end) / 2).abs().argmin(1) "
    "== begin.new_ones(len(begin)).cumsum(0) - 1",
).says("""
    You ask whose middle is nearest. A moment in a pause belongs to no word: compare with the
    beginning and the end.
""")
family(
    MISTAKES,
    """You take the first row of the intervals for the beginnings. A row is a word: its beginning is
    column 0 and its end column 1, `begin, end = intervals.T`.""",
    rows_for_columns=("intervals.T", "intervals[:2]"),
)
family(
    MISTAKES,
    """You take the second column for a length. It is the moment at which the word ends: compare
    with it as it stands.""",
    end_for_length=("times < end", "times < begin + end"),
)
for _room in (0.05, 0.1, 0.2, 0.25, 0.5):
    MISTAKES.change(
        f"within-{_room}-seconds",
        "(begin <= times) & (times < end)",
        f"(begin - {_room} <= times) & (times < end + {_room})",
    ).says("""
        You allow some room before a word and after it. A moment there belongs to a pause, or to
        another word: compare with the beginning and the end themselves.
    """)
INSIDE = task(
    MISTAKES,
    1,
    case.all,
    (
        "For one word: which two comparisons say that its moment lies inside?",
        "`begin, end = intervals.T` are (W,) each, as `times` is: compare them word by word.",
        "`((begin <= times) & (times < end)).double().mean().item()`.",
    ),
)
