"""Task `induction_share` of lab 6: the weight on what followed the same token one round ago."""

import numpy as np

from course_lib.checker import tasks
from course_lib.exercises.inside_a_model.induction.mistakes import MISTAKES
from course_lib.exercises.inside_a_model.shares import cases

# Each looks one place ahead of the same token.
AHEAD = np.eye(6, dtype=np.float32)[[0, 1, 2, 1, 2, 3]]

INDUCTION = tasks.task(
    MISTAKES,
    2,
    cases(lambda tokens: tokens // 2, example=([AHEAD[None, None]], 3)),
    (
        "Write A B C A B C. The query is the second A. Which key holds what followed the first A?",
        "The same token stood at t - period, so what followed it is at t - period + 1.",
        "`t = torch.arange(period, T)`; then `layer[:, :, t, t - period + 1]`, and its mean over "
        "texts and queries.",
    ),
)
