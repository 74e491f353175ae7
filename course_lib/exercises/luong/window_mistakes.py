"""What goes wrong in `local_weights` beside the formula itself: rounding, bounds, axes."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family

P = "position[:, None]"
SOFTMAX = "torch.softmax(scores.masked_fill(~inside, -torch.inf), -1)"
DEVIATION = "(window / 2)"
BELL = "-(distance**2) / (2 * (window / 2) ** 2)"


def further_mistakes(mistakes: Mistakes) -> None:
    _rounded(mistakes)
    _bounds(mistakes)
    _bell(mistakes)
    _softmax(mistakes)


def _rounded(mistakes: Mistakes) -> None:
    family(
        mistakes,
        """You round the position (`floor`, `ceil`, `int()` and `.long()` round, too), and no
        gradient passes through rounding. Use p as it is.""",
        position_floored=(P, "position.floor()[:, None]"),
        position_raised=(P, "position.ceil()[:, None]"),
    )
    family(
        mistakes,
        """You round the position for the window (`floor`, `ceil`, `int()` and `.long()` round,
        too). Use p as it is: |j − p| ≤ D.""",
        window_floored=("inside = distance", "inside = (places - position.floor()[:, None])"),
        window_raised=("inside = distance", "inside = (places - position.ceil()[:, None])"),
    )
    family(
        mistakes,
        """The window is right, and the Gaussian stands around a rounded p: no gradient reaches
        p.""",
        bell_floored=("-(distance**2)", "-((places - position.floor()[:, None]) ** 2)"),
        bell_raised=("-(distance**2)", "-((places - position.ceil()[:, None]) ** 2)"),
    )
    family(
        mistakes,
        """A slice `[a:b]` leaves out b, and `int(p)` rounds. The places inside are those with
        |j − p| ≤ D: compare all places with p.""",
        sliced=(
            "distance.abs() <= window",
            "((f := places - position.floor()[:, None]) < window) & (f >= -window)",
        ),
        sliced_from_the_nearest=(
            "distance.abs() <= window",
            "((f := places - position.round()[:, None]) < window) & (f >= -window)",
        ),
    )


def _bounds(mistakes: Mistakes) -> None:
    family(
        mistakes,
        """Your window has one end. It reaches D to both sides: |j − p| ≤ D, with the amount
        (`.abs()`) of the distance.""",
        one_sided=("distance.abs() <= window", "distance <= window"),
        one_sided_exclusive=("distance.abs() <= window", "distance < window"),
        other_side=("distance.abs() <= window", "distance >= -window"),
    )
    family(
        mistakes,
        """You forbid the places inside the window and allow those outside. It is the places
        with |j − p| > D whose score becomes -inf.""",
        inverted=("~inside", "inside"),
        inverted_without_nan=(
            SOFTMAX,
            "torch.softmax(scores.masked_fill(inside, -torch.inf), -1).nan_to_num()",
        ),
    )
    mistakes.change("twice-as-wide", "<= window", "<= 2 * window").says("""
        Your window reaches 2D to each side. It reaches D: |j − p| ≤ D.
    """)


def _bell(mistakes: Mistakes) -> None:
    mistakes.change("sigma-floored", DEVIATION, "(window // 2)").says("""
        `//` cuts the half off: σ = D / 2 is a half for D = 1, and `1 // 2` is 0. Divide with `/`.
    """)
    family(
        mistakes,
        """Your Gaussian grows with the distance. It falls: exp of *minus* (j − p)²/(2σ²).""",
        no_minus=("-(distance**2)", "(distance**2)"),
    )
    family(
        mistakes,
        """`/ 2 * σ ** 2` divides by 2 and then multiplies by σ². Put the divisor in brackets:
        `/ (2 * σ ** 2)`.""",
        no_brackets=(BELL, "-(distance**2) / 2 * (window / 2) ** 2"),
        no_brackets_wide=(BELL, "-(distance**2) / 2 * window**2"),
    )
    mistakes.change(
        "density", "weights * bell", "weights * bell / (window / 2 * (2 * torch.pi) ** 0.5)"
    ).says("""
        You divide by σ√(2π), as a density of probability does. Here the Gaussian is a factor that
        is 1 at p: exp(−(j − p)²/(2σ²)) alone.
    """)
    mistakes.change("sigma-twice-the-window", DEVIATION, "(2 * window)").says("""
        Your Gaussian is too wide: σ is D/2, not 2D.
    """)
    mistakes.change("no-exp", f"torch.exp({BELL})", BELL).says("""
        The exp is missing: the factor is exp(−(j − p)²/(2σ²)).
    """)
    mistakes.change("bell-added", "weights * bell", "(weights + bell) * inside").says("""
        You add the Gaussian to the weights. Multiply them by it.
    """)


def _softmax(mistakes: Mistakes) -> None:
    family(
        mistakes,
        """Your softmax runs over the sentences of the batch. It runs over the places of one
        sentence, along the last axis: `dim=-1`.""",
        over_batch=("-torch.inf), -1)", "-torch.inf), 0)"),
        over_batch_without_nan=(
            SOFTMAX,
            "torch.softmax(scores.masked_fill(~inside, -torch.inf), 0).nan_to_num()",
        ),
    )
    mistakes.change(
        "zeroed-and-cut", SOFTMAX, "torch.softmax(scores * inside, -1) * inside"
    ).says("""
        You set scores outside the window to 0, but exp(0) is 1, so they take a share that you then
        cut off. Set them to -inf before the softmax.
    """)
    mistakes.change("no-softmax", SOFTMAX, "scores * inside").says("""
        The softmax is missing: you multiply the scores themselves by the Gaussian.
    """)
