"""What a class is graded on: this machine's memory, or a cluster; and how far it is."""

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from course_lib.checker.escape import one_line


def machine_memory() -> int:
    """MB that this machine has, or that its container may use."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with contextlib.suppress(OSError, ValueError):  # there is no limit, or it is "max"
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(limits) >> 20


def say_memory(jobs: int, memory: int, have: int) -> None:
    if jobs * memory > have:
        print(
            f"memory: {jobs} submissions side by side may hold {jobs * memory} MB, and this "
            f"machine has {have}: with smaller --jobs or --memory, none can be killed for "
            "another's sake",
            file=sys.stderr,
        )


def cluster(address: str):
    from grader.pipeline.cluster import grade_on, is_private

    if not is_private(address):
        print(
            f"not safe: whoever reaches {one_line(address)} can run programs on its workers and "
            "read this class's work. Use tls:// with a certificate (recipes/tls.sh makes one), or "
            "let the scheduler listen on 127.0.0.1 alone.",
            file=sys.stderr,
        )
    return lambda jobs, settings: grade_on(address, jobs, settings)


@contextlib.contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A live count on standard error, with how many rows have which status."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = ("grading", BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    odd: Counter[str] = Counter()

    def tick(status: str) -> None:
        odd[status] += status != "graded"
        words = " ".join(f"{status} {count}" for status, count in odd.items() if count)
        bar.update(task, advance=1, description=words)

    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=total)
        yield tick
