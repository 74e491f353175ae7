"""Tasks, cases and known mistakes; judging an answer; grading a class of strangers.

A submission goes from left to right: `submissions` finds and reads it, `pipeline` runs it in the
`sandbox` on what is `inside`, `judging` compares it with its `tasks`, the `gradebook` keeps the
row, and `reports`, `exports` and `packages` hand it on.

Nothing here knows attention: `course_lib.exercises` fills the vocabulary with tasks.
"""
