"""An answer runs: from a notebook's cells to what its function returned, one observation an input.

It imports only Python, NumPy and torch. `check` calls `observe_program` in the student's own
process; the grader copies this folder into a sandbox, where a cell calls it.
"""
