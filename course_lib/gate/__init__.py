"""The gate: what is given is checked here, and then a formula runs, or a kernel that equals it.

The public functions have the names of the formulas (`course_lib.formulas`); `explain` says which
path a call takes, and why.
"""
