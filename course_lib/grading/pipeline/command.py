"""`attn grade` behind its arguments: what it prints, and how it ends."""

import contextlib
import hashlib
import os
import platform
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib import metadata
from pathlib import Path

from course_lib.grading.errors import InputError
from course_lib.grading.escape import one_line
from course_lib.grading.pipeline.config import find_config, load_config
from course_lib.grading.pipeline.local import Settings, grade_all
from course_lib.grading.pipeline.run import missing, open_gradebook, run, write_pages
from course_lib.grading.reports.written import ANONYMOUS
from course_lib.grading.sandbox.probe import find_sandbox
from course_lib.grading.sandbox.profiles import Profile
from course_lib.grading.sandbox.sandbox import Sandbox
from course_lib.grading.submissions.archive import find_in_zip, is_zip
from course_lib.grading.submissions.folder import find_submissions
from course_lib.grading.submissions.found import Found
from course_lib.grading.submissions.owners import settle
from course_lib.grading.submissions.roster import load_roster
from course_lib.grading.tasks.task import Exercise

LEAST_MEMORY = 300  # MB: torch alone holds 240
MOST_REFUSALS_SHOWN = 50
DECIDING = (
    *("exercises/**/*.py", "grading/tasks/*.py", "grading/judging/*.py", "grading/inside/*.py"),
    *("grading/sandbox/results.py", "grading/submissions/notebook.py"),
    "grading/pipeline/submission.py",
)


def grade(arguments, exercises: dict[str, Exercise]) -> int:
    """Grade a class. Exit status 0 when every submission has a row."""
    place = find_config(arguments.submissions, arguments.config)
    config = load_config(place, exercises)
    exercises = config.exercises
    if place:
        print(f"settings: {one_line(str(place))}", file=sys.stderr)
    roster = load_roster(arguments.roster) if arguments.roster else None
    found = find(arguments.submissions, exercises, arguments.out)
    found = only(settle(found, roster), arguments.exercise, exercises)
    if not found.submissions:
        _say_refusals(found.refused)
        raise InputError(
            f"{str(arguments.submissions)!r} holds no notebook that is named after an exercise. "
            f"{_layouts(exercises)}"
        )
    import torch

    with open_gradebook(arguments.out) as gradebook, contextlib.ExitStack() as started:
        memory = arguments.memory or config.memory
        if memory < LEAST_MEMORY:
            print(f"memory: {LEAST_MEMORY} MB; with less, torch does not start", file=sys.stderr)
            memory = LEAST_MEMORY
        timeout = arguments.timeout or config.timeout
        if not arguments.scheduler:
            _say_memory(arguments.jobs, memory, machine_memory())
        torch.set_num_threads(1)  # judging is small work; the cells need the other cores
        if arguments.scheduler:  # its workers probe their own sandboxes; each row records which
            profile = Profile("trusted" if arguments.trust_submissions else "cluster", None, None)
            grader = _cluster(arguments.scheduler)
        else:
            sandboxes = [started.enter_context(one) for one in _sandboxes(arguments, memory)]
            profile = sandboxes[0].profile
            grader = partial(grade_all, sandboxes=sandboxes)
        print(f"profile: {profile.name}", file=sys.stderr)
        version = course_version()
        settings = Settings(exercises, version, gradebook.secret, profile, timeout, memory)
        without_work = missing(found, roster) - (gradebook.current() if arguments.add else set())
        with _progress(len(found.submissions) + len(without_work)) as tick:
            how = {"again": arguments.again, "add": arguments.add}
            tally = run(found, gradebook, settings, roster, grader, tick, **how)
        gradebook.set_setting(ANONYMOUS, "yes" if arguments.anonymous else "")
        to_mark = write_pages(arguments.out, gradebook, exercises)
    _say_refusals(found.refused)
    counts = ", ".join(f"{count} {status}" for status, count in sorted(tally.statuses.items()))
    print(f"{tally.total} rows ({counts or 'none'}); {tally.known} known from before.")
    if tally.dropped:
        print(
            f"{tally.dropped} earlier rows of these exercises were not in this input and are no "
            "longer current; with --add they stay."
        )
    for place in to_mark:
        print(f"For a person to mark: {place}")
    print(f"Grades: {arguments.out / 'grades.csv'}; overview: {arguments.out / 'overview.html'}")
    return 0


def machine_memory() -> int:
    """MB that this machine has, or that its container may use."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with contextlib.suppress(OSError, ValueError):  # there is no limit, or it is "max"
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(limits) >> 20


def _say_memory(jobs: int, memory: int, have: int) -> None:
    if jobs * memory > have:
        print(
            f"memory: {jobs} submissions side by side may hold {jobs * memory} MB, and this "
            f"machine has {have}: with smaller --jobs or --memory, none can be killed for "
            "another's sake",
            file=sys.stderr,
        )


def _sandboxes(arguments, memory: int) -> list[Sandbox]:
    """One for each job. The first is the one that was probed: it is warm already."""
    first, reasons = find_sandbox(memory, arguments.trust_submissions, arguments.profile)
    for reason in reasons:
        print(f"not in force: {one_line(reason)}", file=sys.stderr)
    return [first, *(Sandbox(first.profile, memory) for _ in range(arguments.jobs - 1))]


def find(place: Path, exercises: dict[str, Exercise], out: Path | None = None) -> Found:
    """The submissions in a folder or a zip. Raises InputError when it is neither, and when it is
    the gradebook's own folder, whose pages would be taken for students the next time."""
    if out is not None and out.resolve() == place.resolve():
        raise InputError(
            f"The gradebook cannot be kept in {str(place)!r} itself, among the submissions. Give "
            "--out a folder of its own, such as --out grades."
        )
    if place.is_file() or is_zip(place):
        return find_in_zip(place, exercises)
    return find_submissions(place, exercises, out)


def only(found: Found, wanted: str | None, exercises: dict[str, Exercise]) -> Found:
    """What was handed in for one exercise; everything when none is named. It comes after `settle`:
    who is a namesake does not depend on what is graded today."""
    if wanted is None:
        return found
    if wanted not in exercises:
        raise InputError(
            f"The course has no exercise {wanted!r}. The exercises are: {', '.join(exercises)}."
        )
    submissions = [one for one in found.submissions if one.exercise == wanted]
    if found.submissions and not submissions:
        there = ", ".join(sorted({one.exercise for one in found.submissions}))
        raise InputError(f"Nothing was handed in for {wanted}; there is work for {there}.")
    return Found(submissions, found.empty, found.refused)


def course_version() -> str:
    """A hash of everything that decides a score, so that a changed course grades anew: tasks, how
    answers are run and judged, and the libraries that compute them."""
    root = Path(__file__).parents[2]
    digest = hashlib.sha256(platform.python_version().encode())
    for library in ("numpy", "torch"):
        digest.update(f"{library} {metadata.version(library)}".encode())
    for path in sorted(path for place in DECIDING for path in root.glob(place)):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _cluster(address: str):
    from course_lib.grading.pipeline.cluster import grade_on

    return lambda jobs, settings: grade_on(address, jobs, settings)


class _progress:
    """A live count on standard error, with how many rows have which status."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> Callable[[str], None]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (
            TextColumn("grading"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}"),
        )
        self.bar = Progress(*columns, console=Console(stderr=True))
        self.bar.start()
        self.task = self.bar.add_task("", total=self.total)
        return self._tick

    def _tick(self, status: str) -> None:
        self.counts[status] += 1
        odd = {s: n for s, n in self.counts.items() if s != "graded"}
        self.bar.update(
            self.task, advance=1, description=" ".join(f"{s} {n}" for s, n in odd.items())
        )

    def __exit__(self, *_) -> None:
        self.bar.stop()


def _say_refusals(refused: list[str]) -> None:
    for line in refused[:MOST_REFUSALS_SHOWN]:
        print(f"not used: {one_line(line)}", file=sys.stderr)
    if len(refused) > MOST_REFUSALS_SHOWN:
        print(f"… and {len(refused) - MOST_REFUSALS_SHOWN} more not used", file=sys.stderr)


def _layouts(exercises: dict[str, Exercise]) -> str:
    return (
        "It needs <student>/<exercise>.ipynb or <student>_<exercise>.ipynb. The exercises are: "
        f"{', '.join(exercises)}."
    )
