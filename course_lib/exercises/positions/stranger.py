"""Task `repair_rotate`: a stranger's rotation, right but for one line."""

from course_lib.exercises.positions.rotate import ROTATE
from course_lib.exercises.stranger_forms.repair import repair_of, repair_task
from course_lib.exercises.stranger_forms.shown import ShownProgram, Wrong

EXPONENTS, SPEEDS = "exponents = torch.arange(0, d, 2) / d", "speeds = base ** -exponents"
ANGLES = "angles = positions[:, None] * speeds"
COS_SIN, PAIRS = "cos, sin = angles.cos(), angles.sin()", "a, b = x[..., 0::2], x[..., 1::2]"
TURNED = "turned = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)"
SPEED = "The speeds are base^(−2i/d), one for each pair: 1, base^(−2/d), base^(−4/d), …"
PROGRAM = ShownProgram(
    "rotate",
    f"""
def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    {EXPONENTS}  # one for each pair, (d/2,)
    {SPEEDS}  # radians a position, (d/2,)
    {ANGLES}  # (T, d/2)
    {COS_SIN}  # (T, d/2)
    {PAIRS}  # (..., T, d/2)
    {TURNED}  # (..., T, d/2, 2)
    return turned.flatten(-2)  # (..., T, d)
""",
    {
        "exponent-i": Wrong(
            EXPONENTS,
            "exponents = torch.arange(0, d // 2) / d",
            f"Your exponents are i/d. {SPEED}",
        ),
        "exponent-4i": Wrong(
            EXPONENTS,
            "exponents = torch.arange(0, 2 * d, 4) / d",
            f"Your exponents are 4i/d. {SPEED}",
        ),
        "exponent-positive": Wrong(
            SPEEDS,
            "speeds = base ** exponents",
            f"Your speeds grow from pair to pair: the minus is missing. {SPEED}",
        ),
        "base-ignored": Wrong(
            SPEEDS,
            "speeds = 10000.0 ** -exponents",
            "You ignore `base`. It is 10000 only when the caller does not say otherwise.",
        ),
        "one-speed": Wrong(
            ANGLES,
            "angles = positions[:, None] * speeds[:1]",
            f"You turn all pairs at one speed. {SPEED}",
        ),
        "whole-positions": Wrong(
            ANGLES,
            "angles = positions.long()[:, None] * speeds",
            "You cut positions to whole numbers. A position may lie between two of them.",
        ),
        "cos-and-sin-exchanged": Wrong(
            COS_SIN,
            "cos, sin = angles.sin(), angles.cos()",
            "Sine and cosine are exchanged. At position 0 nothing turns: cos 0 is 1.",
        ),
        "half-split": Wrong(
            PAIRS,
            "a, b = x.chunk(2, dim=-1)",
            "You pair feature j with feature j + d/2. Here neighbours make a pair.",
        ),
        "other-way-round": Wrong(
            TURNED,
            "turned = torch.stack([a * cos + b * sin, b * cos - a * sin], dim=-1)",
            "You turn the pairs the other way round. The angle is positive: a·cos − b·sin comes "
            "first.",
        ),
        "put-back-as-halves": Wrong(
            TURNED,
            "turned = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-2)",
            "You put all first features before all second ones. Neighbours stay neighbours: stack "
            "along a new last axis.",
        ),
    },
)


def repair_rotate():
    """Each line of the program has a name, and the name says what it should hold: exponents,
    speeds, angles, cosines, pairs, turned pairs. Small inputs tell most lines apart: at position 0
    nothing may change, one pair turns by its position in radians, and another `base` must change
    the second pair. The line whose values are others is to be replaced, and no other."""
    return repair_of(PROGRAM, "anybody")


REPAIR = repair_task(
    PROGRAM,
    ROTATE,
    (
        "the example of the text",
        "one sentence, positions from 0",
        "positions between the whole numbers",
        "heads: four axes",
        "another base",
    ),
    repair_rotate,
    (
        "What should each line hold for four features, (1, 2, 3, 4), at position 2? Compare with "
        "what its text computes.",
        "The exponents are 0 and 2/4, the speeds 1 and 1/100, the angles 2 and 0.02; the pairs are "
        "(1, 2) and (3, 4), and each turns by its angle. `base` and positions such as 2.5 count.",
        f"Right are `{EXPONENTS}`, `{SPEEDS}`, `{ANGLES}`, `{COS_SIN}`, `{PAIRS}`, and `{TURNED}`. "
        "Compare.",
    ),
    "Reading eight lines.",
)
