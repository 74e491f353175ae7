"""The roofline of a machine, and where reading a prompt and writing a word stand on it."""

import math

from course_lib.estimates import Machine, ModelConfig, step_time
from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.style import ACCENT, MUTED, WARM

PLOT = 230  # pixels of the axes
AT_ONCE = 1e300  # of a machine that does one of the two in no time


def roofline_figure(
    config: ModelConfig,
    machine: Machine,
    *,
    names: tuple[str, str] = ("a model", "a machine"),
    batches=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
    lengths=(128, 512, 2048, 8192, 32768, 131072),
    at: tuple[int, int] = (1, 2048),
) -> Figure:
    """Set a batch and a length: is prefill, is decode bound by arithmetic or by memory?

    Operations, bytes and seconds are those of `course_lib.estimates.step_time`: prefill reads
    `length` positions of each text, decode writes one word of each after `length` positions.

    Args:
        config, machine: what runs, and on what.
        names: how the two are called.
        batches, lengths: the stops of the sliders.
        at: the batch and the length to begin with.

    Raises:
        ValueError: when `at` is not among the stops.
    """
    batches, lengths = list(batches), list(lengths)
    if at[0] not in batches or at[1] not in lengths:
        raise ValueError(f"at {at} must be a batch out of {batches} and a length out of {lengths}.")
    steps = {
        kind: [[step(config, machine, n, b, kind == "prefill") for n in lengths] for b in batches]
        for kind in ("prefill", "decode")
    }
    i, j = batches.index(at[0]), lengths.index(at[1])
    ridge = machine.flops / machine.bandwidth
    label = f"Roofline of {names[1]} with {names[0]}"
    lines = [
        f"{kind}, batch {at[0]}, length {at[1]:,}: "
        f"{rows[i][j]['operations'] / rows[i][j]['bytes']:.1f} operations a byte, "
        f"{1000 * rows[i][j]['seconds']:.1f} ms at best"
        for kind, rows in steps.items()
    ]
    lines.append(f"the roof turns flat at {ridge:.0f} operations a byte")
    height = PLOT + 40
    return Figure(
        "roofline",
        label,
        lines,
        height=height,
        data={
            "names": list(names),
            "flops": machine.flops,
            "bandwidth": machine.bandwidth,
            "batches": batches,
            "lengths": lengths,
            "steps": steps,
        },
        state={"batch": i, "length": j},
        drawn=_still(machine, steps, i, j, lines),
        below=(162, 272),
    )


def step(config: ModelConfig, machine: Machine, length: int, batch: int, prefill: bool) -> dict:
    """Operations, bytes and seconds of one step; a machine that only computes counts operations."""
    asked = {"batch": batch, "prefill": prefill}
    return {
        "operations": step_time(config, Machine(1.0, AT_ONCE), length, **asked),
        "bytes": step_time(config, Machine(AT_ONCE, 1.0), length, **asked),
        "seconds": step_time(config, machine, length, **asked),
    }


def _still(machine: Machine, steps: dict, i: int, j: int, lines: list[str]) -> str:
    """The roof, both points, and what they say."""
    ridge = machine.flops / machine.bandwidth
    low, high = -0.5, max(5.0, math.log10(ridge) + 1.5)  # powers of ten of operations a byte

    def place(x: float, flops: float) -> tuple[float, float]:
        across = (math.log10(x) - low) / (high - low)
        return 20 + across * 500, 20 + 36 * (math.log10(machine.flops) - math.log10(flops))

    corners = [(10**low, 10**low * machine.bandwidth), (ridge, machine.flops)]
    corners.append((10**high, machine.flops))
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in (place(*corner) for corner in corners))
    drawn = [f'<path d="M{path}" fill="none" stroke="{MUTED}" stroke-width="2"/>']
    for color, (kind, rows) in zip((WARM, ACCENT), steps.items(), strict=True):
        found = rows[i][j]
        intensity = found["operations"] / found["bytes"]
        x, y = place(intensity, found["operations"] / found["seconds"])
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{color}"/>')
        drawn.append(svg.words(x + 10, y + 18, kind))
    drawn += [svg.words(250, 150 + 22 * n, line) for n, line in enumerate(lines)]
    return "".join(drawn)
