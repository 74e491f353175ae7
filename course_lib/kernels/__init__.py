"""Fast paths: the same numbers as the readable functions, in less time and linear memory.

The formulas of `course_lib.attention` import it where `need_weights=False` asks for speed, and hand
themselves along for what a kernel cannot do: no kernel imports the module of a formula.
"""

from course_lib.kernels.additive import additive_attention
from course_lib.kernels.choose import explain
from course_lib.kernels.flash import flash_attention
from course_lib.kernels.fused import fused_attention, scaled_dot_context

__all__ = [
    "additive_attention",
    "explain",
    "flash_attention",
    "fused_attention",
    "scaled_dot_context",
]
