"""How long `check` takes for a right answer, task by task: a student waits for it."""

import contextlib
import io
import statistics
import time

from benchmarks.measure import write
from course_lib.exercises import CATALOGUE, check

ROUNDS = 9


def main() -> None:
    rows = []
    for task in CATALOGUE.tasks.values():
        milliseconds = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            with contextlib.redirect_stdout(io.StringIO()):
                report = check(task.reference)
            milliseconds.append(1000 * (time.perf_counter() - start))
            assert report.passed, report
        rows.append({"task": task.name, "median_ms": round(statistics.median(milliseconds), 1)})
    write("checker", rows)


if __name__ == "__main__":
    main()
