"""Heads that share: which head of queries reads which head of keys, and what the cache holds."""

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.style import ACCENT, LINE, MUTED, WARM

LENGTHS = [2**n for n in range(10, 18)]  # 1,024 to 131,072 tokens


def sharing_figure(
    heads: int, head_dim: int, layers: int, *, room: float, latent: int, bytes_per_number: int = 2
) -> Figure:
    """Choose how many heads of keys and values there are, and how long the texts.

        bytes per token = 2 · layers · kv_heads · head_dim · bytes,   or layers · latent · bytes

    Args:
        heads: heads of queries, a power of two.
        head_dim, layers: of the model.
        room: bytes that the caches may take.
        latent: numbers per token and layer when all heads share a latent.
        bytes_per_number: of keys and values.

    Raises:
        ValueError: when `heads` is not a power of two.
    """
    if heads < 1 or heads & (heads - 1):
        raise ValueError(f"heads must be a power of two, to be halved to 1; got {heads}.")
    halves = [heads >> i for i in range(heads.bit_length())]
    kinds = [(n, 2 * layers * n * head_dim * bytes_per_number) for n in halves]
    kinds.append((0, layers * latent * bytes_per_number))  # no heads of keys: a latent
    label = f"{heads} heads of queries and the keys and values that they share"
    lines = [f"{named(n, latent)}: {held:,} bytes per token" for n, held in kinds]
    height = 190
    return Figure(
        "sharing",
        label,
        lines,
        height=height,
        data={
            "heads": heads,
            "kinds": [list(kind) for kind in kinds],
            "latent": latent,
            "lengths": LENGTHS,
            "room": room,
        },
        state={"kind": 0, "length": 5},
        drawn=_groups(heads, 4, lines),
        below=(150, 230),
    )


def named(kv_heads: int, latent: int) -> str:
    """How a kind of sharing is called in a sentence."""
    if not kv_heads:
        return f"one latent of {latent} numbers"
    return f"{kv_heads} head{'s' if kv_heads > 1 else ''} of keys and values"


def _groups(heads: int, groups: int, lines: list[str]) -> str:
    """All heads of queries above, `groups` heads of keys and values below them."""
    groups = min(groups, heads)
    one, many = svg.WIDE / heads, svg.WIDE / groups
    drawn = [svg.words(0, 14, f"{heads} heads of queries", color=MUTED)]
    for i in range(heads):
        x, below = one * (i + 0.5), many * (i * groups // heads + 0.5)
        drawn.append(f'<path d="M{x:.1f} 42L{below:.1f} 74" stroke="{LINE}"/>')
        drawn.append(
            f'<rect x="{one * i + 1:.1f}" y="22" width="{one - 3:.1f}" height="20" '
            f'fill="{ACCENT}"/>'
        )
    for i in range(groups):
        drawn.append(
            f'<rect x="{many * i + 2:.1f}" y="74" width="{many - 5:.1f}" height="22" '
            f'fill="{WARM}"/>'
        )
    drawn.append(svg.words(0, 114, f"{groups} heads of keys and values", color=MUTED))
    chosen = [lines[0], lines[-3], lines[-2], lines[-1]]
    return "".join(drawn) + "".join(
        svg.words(0, 134 + 17 * i, line) for i, line in enumerate(chosen)
    )
