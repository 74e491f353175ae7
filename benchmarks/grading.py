"""What grading costs: a sandboxed torch task, a submission, an endless loop, a large class.

    python -m benchmarks grading [--submissions N] [--with-nbgrader] [--write]

`--with-nbgrader` makes an environment with nbgrader in a temporary folder (it needs a package
index) and grades the same notebooks with it. `--write` keeps the results in `results/grading.json`.
The whole of it: `python -m benchmarks grading --submissions 10000 --with-nbgrader --write`.
"""

import argparse
import contextlib
import json
import os
import platform
import statistics
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

import numpy
import psutil
import torch

from benchmarks.grading_command import ROOT, TORCH, commands, solution, write_class
from benchmarks.nbgrader import install, per_second, submission
from course_lib.checker.notebook import parse_notebook
from course_lib.checker.tasks import Exercise
from course_lib.exercises import CATALOGUE
from grader.pipeline.command import course_version
from grader.pipeline.local import Settings, grade_all
from grader.pipeline.run import open_gradebook, run, write_pages
from grader.pipeline.submission import grade_notebook
from grader.sandbox.probe import find_sandbox
from grader.sandbox.sandbox import Sandbox
from grader.submissions.class_table import found_in
from grader.submissions.collect import collect
from tools.processor import processor, vendor

MEMORY = 512


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--with-nbgrader", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with find_sandbox(MEMORY)[0] as sandbox:
        profile = sandbox.profile
    with contextlib.ExitStack() as stack:
        nbgrader = None
        if arguments.with_nbgrader:  # first, so that nothing is measured in vain
            place = stack.enter_context(tempfile.TemporaryDirectory())
            nbgrader = install(Path(place, "environment"))
        results = measure(profile, arguments.submissions, nbgrader)
    text = json.dumps(results, indent=2) + "\n"
    print(text)
    if arguments.write:
        (ROOT / "benchmarks" / "results" / "grading.json").write_text(text)


def measure(profile, submissions: int, nbgrader: Path | None) -> dict:
    """Every measurement, by name; each is printed when it is done."""
    results = {
        "processor": f"{processor()}, {os.cpu_count()} cores",
        "vendor": vendor(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": numpy.__version__,
        "profile": profile.name,
        "load_before": round(os.getloadavg()[0], 1),
    }
    parts = [commands, tasks, bounds, full_memory]
    parts += [partial(beside_nbgrader, nbgrader)] if nbgrader else []
    for part in (*parts, partial(large_class, count=submissions)):
        done = part(profile)
        print(json.dumps(done), file=sys.stderr, flush=True)
        results |= done
    return results


def tasks(profile, repeats: int = 15) -> dict:
    """The median time of each torch task, from the drawing of inputs to the judgement."""
    times = {}
    with Sandbox(profile, MEMORY) as sandbox:
        for exercise in CATALOGUE.exercises.values():
            for task in exercise.tasks:
                if task.library == "torch":
                    alone = Exercise(exercise.stem, "", (task,))
                    notebook = parse_notebook(solution(exercise.stem), CATALOGUE.tasks)
                    how = {"sandbox": sandbox, "timeout": 10.0}
                    grade_notebook(notebook, alone, seeds={task.name: 0}, **how)
                    spent = []
                    for i in range(repeats):
                        start = time.perf_counter()
                        result = grade_notebook(notebook, alone, seeds={task.name: i}, **how)
                        spent.append(time.perf_counter() - start)
                        assert result.score == task.points, (task.name, result)
                    times[task.name] = round(1000 * statistics.median(spent))
    return {"task_ms": times, "task_ms_median": statistics.median(times.values())}


def bounds(profile) -> dict:
    """What an endless loop, a 60 MB file and a broken file cost beyond an honest class."""
    seconds = {}
    with tempfile.TemporaryDirectory() as place:
        cases = {
            "endless_loop": json.dumps(replaced("while True: pass")).encode(),
            "sixty_megabytes": b'{"x": "' + b"x" * 60_000_000 + b'"}',
            "broken": b"{",
        }
        for name, data in cases.items():
            write_class(Path(place, name), TORCH, lambda i: data, 1)  # noqa: B023
            seconds[name] = round(timed(profile, Path(place, name), slots=1, timeout=3.0)[0], 2)
    return {"seconds_with_a_timeout_of_3": seconds}


def full_memory(profile, count: int = 12) -> dict:
    """The whole tree's resident memory while two workers grade answers that fill theirs."""
    filling = replaced("a = []\nwhile True: a.append(bytearray(10**6))")
    with tempfile.TemporaryDirectory() as place, Peaks(psutil.Process()) as peaks:
        write_class(Path(place), TORCH, lambda i: json.dumps(filling | {"i": i}).encode(), count)
        timed(profile, Path(place), slots=2)
    return {"tree_peak_mb_memory_filled": peaks.tree >> 20}


def replaced(source: str) -> dict:
    """The torch notebook with every answer replaced by `source`."""
    notebook = json.loads(solution(TORCH))
    for cell in notebook["cells"]:
        if cell["metadata"].get("task"):
            cell["source"] = source
    return notebook


def timed(profile, folder: Path, slots: int, timeout: float = 10.0):
    """Seconds of a run without the start of its workers, and the run's tally."""
    exercises = CATALOGUE.exercises
    pool = [Sandbox(profile, MEMORY) for _ in range(slots)]
    for sandbox in pool:
        sandbox.start()
    with tempfile.TemporaryDirectory() as out, open_gradebook(Path(out)) as gradebook:
        version = course_version()
        how = Settings(exercises, version, gradebook.secret, profile, timeout, MEMORY)
        found = found_in(collect(folder, exercises, "folders"))
        start = time.perf_counter()
        tally = run(found, gradebook, how, None, partial(grade_all, sandboxes=pool))
        spent = time.perf_counter() - start
        write_pages(Path(out), gradebook)
    return spent, tally


def large_class(profile, count: int) -> dict:
    """Many small torch submissions on two workers: speed, memory, and what is left behind."""
    with tempfile.TemporaryDirectory() as place:
        write_class(Path(place), TORCH, lambda i: submission(CATALOGUE.exercises[TORCH], i), count)
        me = psutil.Process()
        before = me.num_fds()
        peaks = Peaks(me)
        with peaks:
            spent, tally = timed(profile, Path(place), slots=2)
        assert tally.statuses == {"graded": count}, tally
    return {
        "submissions": count,
        "submissions_per_second": round(count / spent, 1),
        "parent_peak_mb": peaks.parent >> 20,
        "tree_peak_mb": peaks.tree >> 20,
        "processes_left": len(me.children(recursive=True)),
        "descriptors_left": me.num_fds() - before,
        "folders_left": len(list(Path(tempfile.gettempdir()).glob(f"attn-{os.getpid()}-*"))),
    }


class Peaks:
    """Watches the resident memory of this process and of its whole tree."""

    def __init__(self, process: psutil.Process) -> None:
        self.process, self.parent, self.tree = process, 0, 0
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "Peaks":
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.stop.set()
        self.thread.join()

    def _watch(self) -> None:
        while not self.stop.wait(1.0):  # to look through /proc costs as much as a cell
            sizes = [self.process.memory_info().rss]
            for child in self.process.children(recursive=True):
                try:
                    sizes.append(child.memory_info().rss)
                except psutil.Error:
                    continue
            self.parent = max(self.parent, sizes[0])
            self.tree = max(self.tree, sum(sizes))


def beside_nbgrader(nbgrader: Path, profile, count: int = 60) -> dict:
    """The same notebooks by us and by nbgrader, each on two workers, in the same run."""
    measured = {}
    for stem in (TORCH, "01_softmax"):
        exercise = CATALOGUE.exercises[stem]
        with tempfile.TemporaryDirectory() as place:
            write_class(Path(place), stem, lambda i: submission(exercise, i), count)  # noqa: B023
            spent, tally = timed(profile, Path(place), slots=2)
            assert tally.statuses == {"graded": count}, tally
        with tempfile.TemporaryDirectory() as place:
            theirs = per_second(nbgrader, Path(place), exercise)
        measured[stem] = {
            "ours_per_second": round(count / spent, 1),
            "nbgrader_per_second": round(theirs, 2),
            "times": round(count / spent / theirs, 1),
        }
    return {"beside_nbgrader": measured}
