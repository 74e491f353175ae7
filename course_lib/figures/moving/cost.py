"""What attention costs as the sequence grows."""

import math
from typing import Any

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure

MEASURES = {
    "memory": {"base": 1024, "units": ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"]},
    "operations": {"base": 1000, "units": ["", "thousand", "million", "10⁹", "10¹²", "10¹⁵"]},
}


def cost_figure(lengths, memory: dict, operations: dict) -> Figure:
    """Bytes held and operations done against the length, for kinds of attention.

    memory, operations: {kind: one number for each length}, the same kinds in both.
    Raises ValueError when a curve does not fit the lengths or cannot stand on a logarithmic axis.
    """
    lengths = [int(length) for length in lengths]
    data: dict[str, Any] = {"lengths": lengths}
    for measure, kinds in [("memory", memory), ("operations", operations)]:
        for name, values in kinds.items():
            if len(values) != len(lengths) or min(values) <= 0:
                raise ValueError(
                    f"{measure} of {name!r} needs {len(lengths)} numbers above zero, one for each "
                    f"length, got {list(values)}."
                )
        curves = [{"name": k, "values": [float(v) for v in values]} for k, values in kinds.items()]
        data[measure] = {"curves": curves, **MEASURES[measure]}
    label = f"Cost of attention for lengths {lengths[0]:,} to {lengths[-1]:,}"
    lines = [
        f"{name}: {memory[name][-1]:.3g} bytes, {operations[name][-1]:.3g} operations "
        f"at length {lengths[-1]:,}"
        for name in memory
    ]
    height = 230 + 22 * len(memory)
    logs = {name: [math.log(value) for value in values] for name, values in memory.items()}
    return Figure(
        "cost",
        label,
        lines,
        height=height,
        data=data,
        state={"at": len(lengths) // 2, "measure": "memory"},
        drawn=svg.curves([math.log(length) for length in lengths], logs, height=height - 10),
        below=(100, 200),
    )
