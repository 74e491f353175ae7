"""Run by IPython before a notebook's first cell: notes which files of ours the page imports.

tools/portable.py copies this file into a kernel's start-up folder and repeats a run only if one
of these files changed. The list is written after each cell, because nbval kills its kernels.
"""

import os
import sys

ROOMS = ("course_lib", "grader", "book")


def write_imported(_result=None) -> None:
    # copy() is one step; items() makes tuples: garbage may be collected, and its finalizers import.
    known = sys.modules.copy()
    modules = [m for name, m in known.items() if name.partition(".")[0] in ROOMS]
    files = {module.__file__ for module in modules if getattr(module, "__file__", None)}
    with open(os.environ["COURSE_IMPORTED_FILE"], "w", encoding="utf-8") as file:
        file.write("\n".join(sorted(files)))


get_ipython().events.register("post_run_cell", write_imported)
