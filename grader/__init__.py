"""Grade a class of strangers.

A submission goes from left to right: `submissions` finds whose it is, `pipeline` runs it in the
`sandbox`, `course_lib.checker` judges what came out, the `gradebook` keeps the row, and `reports`,
`exports` and `packages` hand it on. Of the course only `course_lib.checker` is known here.
"""
