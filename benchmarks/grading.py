"""What grading costs: a sealed torch task, a submission, an endless loop, a large class.

    python -m benchmarks.grading [--submissions N] [--nbgrader PATH] [--write]

`--nbgrader` is the `nbgrader` command of an environment of its own; without it the comparison is
left out. `--write` keeps the results in `results/grading.json`.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import psutil
import torch

from course_lib.exercises import CATALOGUE
from course_lib.grading.command import course_version
from course_lib.grading.grade import grade_notebook
from course_lib.grading.notebook import parse_notebook
from course_lib.grading.probe import find_profile
from course_lib.grading.run import open_gradebook, run, write_pages
from course_lib.grading.submissions import find_submissions
from course_lib.grading.supervisor import Settings, grade_all
from course_lib.grading.task import Exercise
from course_lib.grading.wall import Wall

ROOT = Path(__file__).parents[1]
TORCH = "07_scaled_dot_product"
MEMORY = 512


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--nbgrader", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # as `attn grade` does: the cells need the other cores
    profile, _ = find_profile(MEMORY)
    results = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "profile": profile.name,
        "load_before": round(os.getloadavg()[0], 1),
        **tasks(profile),
        **bounds(profile),
        **large_class(profile, arguments.submissions),
    }
    if arguments.nbgrader:
        results |= beside_nbgrader(arguments.nbgrader, results["submissions_per_second"])
    text = json.dumps(results, indent=2) + "\n"
    print(text)
    if arguments.write:
        (ROOT / "benchmarks" / "results" / "grading.json").write_text(text)


def solution(stem: str) -> bytes:
    return (ROOT / "solutions" / f"{stem}.ipynb").read_bytes()


def tasks(profile, repeats: int = 15) -> dict:
    """The median time of each torch task, from the drawing of inputs to the judgement."""
    times = {}
    with Wall(profile, MEMORY) as wall:
        for exercise in CATALOGUE.exercises.values():
            for task in exercise.tasks:
                if task.library == "torch":
                    alone = Exercise(exercise.stem, "", (task,))
                    notebook = parse_notebook(solution(exercise.stem), CATALOGUE.tasks)
                    how = {"secret": b"k", "wall": wall, "timeout": 10.0}
                    grade_notebook(notebook, "warm", alone, **how)
                    spent = []
                    for i in range(repeats):
                        start = time.perf_counter()
                        result = grade_notebook(notebook, str(i), alone, **how)
                        spent.append(time.perf_counter() - start)
                        assert result.score == task.points, (task.name, result)
                    times[task.name] = round(1000 * statistics.median(spent))
    return {"task_ms": times, "task_ms_median": statistics.median(times.values())}


def bounds(profile) -> dict:
    """What an endless loop, a 60 MB file and a broken file cost beyond an honest class."""
    seconds = {}
    with tempfile.TemporaryDirectory() as place:
        loop = json.loads(solution(TORCH))
        for cell in loop["cells"]:
            if cell["metadata"].get("task"):
                cell["source"] = "while True: pass"
        cases = {
            "endless_loop": json.dumps(loop).encode(),
            "sixty_megabytes": b'{"x": "' + b"x" * 60_000_000 + b'"}',
            "broken": b"{",
        }
        for name, data in cases.items():
            folder = Path(place, name, "student")
            folder.mkdir(parents=True)
            (folder / f"{TORCH}.ipynb").write_bytes(data)
            seconds[name] = round(timed(profile, folder.parent, slots=1, timeout=3.0)[0], 2)
    return {"seconds_with_a_timeout_of_3": seconds}


def timed(profile, folder: Path, slots: int, timeout: float = 10.0):
    """Seconds of a run without the start of its workers, and the run's tally."""
    exercises = CATALOGUE.exercises
    walls = [Wall(profile, MEMORY) for _ in range(slots)]
    for wall in walls:
        wall.start()
    waiting = list(walls)
    with tempfile.TemporaryDirectory() as out, open_gradebook(Path(out)) as journal:
        version = course_version()
        how = Settings(exercises, version, journal.secret, profile, timeout, MEMORY)
        found = find_submissions(folder, exercises)
        start = time.perf_counter()
        tally = run(
            found, journal, how, None, lambda j, s: grade_all(j, s, slots, lambda: waiting.pop())
        )
        spent = time.perf_counter() - start
        write_pages(Path(out), journal, None)
    return spent, tally


def large_class(profile, count: int) -> dict:
    """Many small torch submissions on two workers: speed, memory, and what is left behind."""
    with tempfile.TemporaryDirectory() as place:
        notebook = json.loads(solution(TORCH))
        for i in range(count):
            notebook["metadata"]["number"] = i  # each has a hash of its own
            folder = Path(place, f"s{i:05}")
            folder.mkdir()
            (folder / f"{TORCH}.ipynb").write_text(json.dumps(notebook))
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
        while not self.stop.wait(0.2):
            sizes = [self.process.memory_info().rss]
            for child in self.process.children(recursive=True):
                try:
                    sizes.append(child.memory_info().rss)
                except psutil.Error:
                    continue
            self.parent = max(self.parent, sizes[0])
            self.tree = max(self.tree, sum(sizes))


def beside_nbgrader(nbgrader: Path, ours: float, count: int = 10) -> dict:
    """nbgrader's own autograder on a NumPy notebook with the same answers, in the same run."""
    stem = "01_softmax"
    with tempfile.TemporaryDirectory() as place:
        course = Path(place)
        write_nbgrader_course(course, stem, count)
        words = [str(nbgrader), "generate_assignment", stem, "--force"]
        subprocess.run(words, cwd=course, check=True, capture_output=True)
        start = time.perf_counter()
        words = [str(nbgrader), "autograde", stem, "--force"]
        subprocess.run(words, cwd=course, check=True, capture_output=True)
        theirs = count / (time.perf_counter() - start)
    return {"nbgrader_per_second": round(theirs, 2), "times_nbgrader": round(ours / theirs, 1)}


def write_nbgrader_course(course: Path, stem: str, count: int) -> None:
    """A course of one exercise whose tests need nothing but NumPy, so that it runs in nbgrader's
    own environment; `count` students hand in the reference answers."""
    from course_lib.grading.packages.nbgrader import CONFIG, source_notebook

    notebook = source_notebook(CATALOGUE.exercises[stem])
    for cell in notebook["cells"]:
        marked = cell["metadata"].get("nbgrader")
        if marked and marked["grade"]:
            cell["source"] = f"assert callable({marked['grade_id'].removeprefix('test_')})"
        elif cell["cell_type"] == "code" and not marked:
            cell["source"] = "import numpy as np"
    source = course / "source" / stem
    source.mkdir(parents=True)
    (source / f"{stem}.ipynb").write_text(json.dumps(notebook))
    (course / "nbgrader_config.py").write_text(CONFIG)
    for i in range(count):
        folder = course / "submitted" / f"s{i}" / stem
        folder.mkdir(parents=True)
        shutil.copy(source / f"{stem}.ipynb", folder)


if __name__ == "__main__":
    main()
