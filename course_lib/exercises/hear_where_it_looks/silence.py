"""Task `silence` of lab 7: what the heads of a layer found, without some of them."""

from course_lib.checker.tasks import Candidate, Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import changes_input, family, single
from course_lib.exercises.mutants import source


def silence(found, heads, num_heads):
    """What the heads found lies side by side in the last axis, d numbers each. `unflatten` gives
    the heads an axis of their own, in which one index names a head. The copy leaves the input as it
    was, for whoever else reads it.

    Cost: one copy."""
    quiet = found.clone().unflatten(-1, (num_heads, -1))  # (B, T, H, d)
    for head in heads:
        quiet[..., head, :] = 0
    return quiet.flatten(-2)


def draw(s: Sampler, *heads: int, T: int | None = None, d: int | None = None) -> tuple:
    """Four heads; `d` is no multiple of 4, so that heads and features are not mistaken."""
    width = d or 2 * s.size + 3
    return s.floats(2, T or s.size + 2, 4 * width), list(heads), 4


def is_new(silence, found, heads, num_heads):
    quiet = silence(found, heads, num_heads)
    return "what was given" if quiet is found else quiet


NEW = Candidate(is_new.__name__, source(is_new))
case = Cases(atol=0.0)  # nothing is computed: what stays is the same, and zero is 0
case.example((single([[[1.0, 2.0, 3.0, 4.0]]]), [1], 2), dtype="float32")
case("one head", lambda s: draw(s, s.turn(1, 0, 3, 2)))
case("two heads", lambda s: draw(s, 3, 1))
case("one position", lambda s: draw(s, 2, T=1))
case.hidden("no head", lambda s: Inputs(draw(s), examiner=NEW if s.size == 4 else None))
case.hidden("all heads", lambda s: draw(s, 0, 1, 2, 3))
case.hidden("one number a head", lambda s: draw(s, 2, 1, d=1))

MISTAKES = Mistakes(silence, globals())
changes_input(MISTAKES, "found")
MISTAKES.change(
    "positions",
    "quiet[..., head, :] = 0",
    "quiet.flatten(-2)[:, head * quiet.shape[-1] : (head + 1) * quiet.shape[-1]] = 0",
).says("""
    You set whole positions to zero. The numbers of a head lie along the last axis: `[..., h * d :
    (h + 1) * d]`.
""")
MISTAKES.change("without-the-last", "quiet[..., head, :]", "quiet[..., head, :-1]").says("""
    The last number of each head stays. A slice ends before its end: `h * d : (h + 1) * d` has d
    numbers.
""")
MISTAKES.change("in-place", "found.clone()", "found").says("""
    You write zeros into `found`, which others still read. Copy it first: `found.clone()`.
""")
MISTAKES.change(
    "every-h-th",
    "unflatten(-1, (num_heads, -1))",
    "unflatten(-1, (-1, num_heads)).mT",
    "quiet.flatten(-2)",
    "quiet.mT.flatten(-2)",
).says("""
    You take every H-th number. The numbers of a head lie side by side: head h has those from h · d
    to (h + 1) · d.
""")
family(
    MISTAKES,
    """You count heads from 1. The first head is number 0.""",
    heads_from_one=("[..., head, :]", "[..., head - 1, :]"),
    from_one_and_none=("[..., head, :]", "[..., head - 1 : head, :]"),
)
family(
    MISTAKES,
    """The first number of the next head is silent, too. A slice ends before its end: `h * d :
    (h + 1) * d` has d numbers.""",
    one_too_many=(
        "quiet[..., head, :] = 0",
        "quiet[..., head, :] = 0; quiet[..., head + 1 : head + 2, :1] = 0",
    ),
)
family(
    MISTAKES,
    """One number of a head is silent alone. A head has d of them, from h · d to (h + 1) · d.""",
    first_number=("[..., head, :]", "[..., head, :1]"),
    last_number=("[..., head, :]", "[..., head, -1:]"),
)
family(
    MISTAKES,
    """You take d from another axis. The numbers of all heads lie along the last: d =
    found.shape[-1] // num_heads.""",
    size_of_positions=(
        "quiet[..., head, :] = 0",
        "d = found.shape[1] // num_heads; quiet = quiet.flatten(-2); "
        "quiet[..., head * d : (head + 1) * d] = 0; "
        "quiet = quiet.unflatten(-1, (num_heads, -1))",
    ),
    size_of_texts=(
        "quiet[..., head, :] = 0",
        "d = found.shape[0] // num_heads; quiet = quiet.flatten(-2); "
        "quiet[..., head * d : (head + 1) * d] = 0; "
        "quiet = quiet.unflatten(-1, (num_heads, -1))",
    ),
)
MISTAKES.change(
    "two-as-in-the-example",
    "quiet[..., head, :] = 0",
    "quiet.flatten(-2)[..., 2 * head : 2 * head + 2] = 0",
).says("""
    A head of yours has two numbers, as in the example. It has d = found.shape[-1] // num_heads.
""")
MISTAKES.change("as-many", "in heads:", "in range(len(heads)):").says("""
    You count the heads of the list and silence as many from the first on. The list says which:
    `for head in heads`.
""")
MISTAKES.change("to-the-end", "[..., head, :]", "[..., head:, :]").says("""
    All that comes after the head is silent, too. A head ends at (h + 1) · d.
""")
MISTAKES.change(
    "given-back", "quiet = found", "if not heads:\n        return found\n    quiet = found"
).says("""
    Where no head is to be silent, `found` itself comes back. Return a copy there, too: else who
    writes into the one has written into the other.
""")
MISTAKES.change("sign-turned", "quiet[..., head, :] = 0", "quiet[..., head, :] *= -1").says(
    "You turn the sign of what the head found. Zero is asked."
)
MISTAKES.change("ones", "[..., head, :] = 0", "[..., head, :] = 1").says(
    "You write 1 in the place of what the head found. Zero is asked."
)
MISTAKES.change(
    "the-others", "for head in heads:", "for head in set(range(num_heads)) - set(heads):"
).says("You keep the heads of the list and silence the others.")
MISTAKES.change("all-of-them", "for head in heads:", "for head in range(num_heads):").says(
    "You silence every head. Only those of the list are asked."
)
MISTAKES.change("first-alone", "in heads:", "in heads[:1]:").says(
    "You silence the first head of the list alone."
)
MISTAKES.change("last-alone", "in heads:", "in heads[-1:]:").says("""
    You silence the last head of the list alone. Does each round begin with a new copy?
""")
MISTAKES.change("up-to-the-largest", "in heads:", "in range(max(heads, default=-1) + 1):").says("""
    You silence all heads up to the largest of the list. Only those of the list are asked.
""")
MISTAKES.change("last-position", "[..., head, :]", "[:, -1, head, :]").says("""
    Your head is silent at the last position alone. Zero what it found at all positions.
""")
MISTAKES.change("first-text", "[..., head, :]", "[:1, :, head, :]").says(
    "Your head is silent in the first text alone. Zero it in all."
)
MISTAKES.change("mean-for-zero", "= 0", "= quiet[..., head, :].mean(-1, keepdim=True)").says("""
    You put the mean in the place of what the head found. Zero is asked.
""")
MISTAKES.change(
    "scaled-up",
    "return quiet.flatten(-2)",
    "return quiet.flatten(-2) * num_heads / max(num_heads - len(heads), 1)",
).says("""
    You make the other heads larger, as dropout does. They are to stay as they are.
""")
MISTAKES.change(
    "taken-out",
    "return quiet.flatten(-2)",
    "return quiet[..., [h for h in range(num_heads) if h not in heads], :].flatten(-2)",
).says("""
    You take the heads out, and W_o would get too few numbers. Put zeros in their place.
""")
MISTAKES.change("axes-of-heads", "return quiet.flatten(-2)", "return quiet").says("""
    You return (B, T, H, d). W_o reads the heads side by side: `flatten(-2)`.
""")
family(
    MISTAKES,
    """You silence one number, or take the number of heads for the size of one. A head has
    d = found.shape[-1] // num_heads numbers, and head h those from h · d to (h + 1) · d.""",
    number_for_size=(
        "quiet[..., head, :] = 0",
        "quiet = quiet.flatten(-2); quiet[..., head * num_heads : (head + 1) * num_heads] = 0; "
        "quiet = quiet.unflatten(-1, (num_heads, -1))",
    ),
    one_number=(
        "quiet[..., head, :] = 0",
        "quiet = quiet.flatten(-2); quiet[..., head] = 0; "
        "quiet = quiet.unflatten(-1, (num_heads, -1))",
    ),
)
SILENCE = task(
    MISTAKES,
    2,
    case.all,
    (
        "Which of the H · d numbers of a position belong to head h?",
        "`found.clone().unflatten(-1, (num_heads, -1))` is (B, T, H, d): head h is an index of the "
        "third axis.",
        "For each head of the list set `[..., head, :]` of that copy to 0, then `flatten(-2)`.",
    ),
)
