"""`attn new-mistake`: a mistake of a course's own, proved before it is written down.

It is a change of the task's reference and a sentence. It counts when it fails, when nothing said as
much before, and when no answer that the course holds, right or wrong, is told the new sentence.
"""

import json
import re
import runpy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.errors import InputError
from course_lib.checker.say.report import Report
from course_lib.checker.tasks.listing import Mistakes
from course_lib.checker.tasks.own import FILE, folder, own_exercise, packages
from course_lib.checker.tasks.task import Exercise, Mistake, Task

NAME = "own_course"
ALTERNATIVES = Path(__file__).parents[2] / "solutions" / "alternatives"
PROJECT = f"""[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "own-course"
version = "1"

[project.entry-points."attn.course"]
own = "{NAME}"

[tool.setuptools]
packages = ["{NAME}"]
package-data = {{ {NAME} = ["{FILE}"] }}
"""
MODULE = '"""What this course has of its own: its mistakes stand in `mistakes.toml`."""\n'
INSTALL = f"`pip install -e {NAME}`, once, lets `check` and `attn grade` say it."
SEEDS = (0, 1)
QUESTIONS = {
    "old": "The words of the reference that are wrong in it (they occur once): ",
    "new": "What stands there instead: ",
    "says": "The sentence for whoever wrote that: ",
    "name": "A short name for it, such as no-keepdims: ",
}


def new_mistake(
    root: Path,
    exercises: Mapping[str, Exercise],
    name: str,
    given: Mapping[str, str | None],
    say: Callable[[str], None],
    ask: Callable[[str], str] = input,
) -> None:
    """Ask for what is not given, prove the mistake and write it into the course's own package, a
    new one in `root` where none is installed. Raises InputError where a proof fails."""
    found = ((task, one) for one in exercises.values() for task in one.tasks)
    task, exercise = next((pair for pair in found if pair[0].name == name), (None, None))
    if task is None or exercise is None or task.judge:
        raise InputError(f"there is no task {name!r} with a reference and a list of mistakes.")
    if None in (given["old"], given["new"]):
        say(Mistakes(task.reference).text)
    try:
        words = {key: ask(q) if given[key] is None else given[key] for key, q in QUESTIONS.items()}
    except EOFError as error:
        raise InputError("nobody answers: give --old, --new, --says and --name.") from error
    entry = {key: word or "" for key, word in words.items()}
    for line in proved(task, exercise, entry):
        say(line)
    file = _file(root)
    listed = {"name": entry["name"], "change": [entry["old"], entry["new"]], "says": entry["says"]}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in listed.items()]
    with file.open("a", encoding="utf-8") as stream:
        stream.write("\n".join([f"[[{task.name}]]", *lines, "", ""]))
    shown = file.relative_to(root) if file.is_relative_to(root) else file
    say(f"{shown.as_posix()}: written. {'' if packages() else INSTALL}".rstrip())


def proved(task: Task, exercise: Exercise, entry: Mapping[str, str]) -> Iterator[str]:
    """What each step of the proof has shown. Raises InputError where one fails."""
    if not re.fullmatch(r"[a-z0-9-]+", entry["name"]) or not entry["says"].strip():
        raise InputError("a mistake needs a name in small letters and hyphens, and a sentence.")
    if entry["name"] in {one.name for one in task.mistakes}:
        raise InputError(f"{task.name} has a mistake {entry['name']!r} already.")
    try:
        wrong = Mistakes(task.reference).changed(entry["old"], entry["new"])
    except (ValueError, SyntaxError) as error:
        raise InputError(f"the change does not apply: {error}") from error
    yield "The change applies."
    before = [_report(task, wrong, seed) for seed in SEEDS]
    if any(report.passed for report in before):
        raise InputError("with this change the answer is right in every case, so it is no mistake.")
    if known := next((report for report in before if report.mistake), None):
        raise InputError(f"`check` knows it as {known.mistake!r} and says: {known.diagnosis}")
    failing = sum(not case.passed for case in before[0].cases)
    yield f"It fails in {failing} of {len(before[0].cases)} cases."
    yield f"Until now `check` said of it: {before[0].diagnosis or 'nothing.'}"
    new = Mistake(entry["name"], entry["says"], wrong)
    more = replace(task, mistakes=(*task.mistakes, new))
    if any(_report(more, wrong, seed).mistake != new.name for seed in SEEDS):
        raise InputError("with its sentence in the list, `check` still says something else of it.")
    listed = [one.answer for one in task.mistakes]
    held = [task.reference, *_alternatives(task, exercise), *listed]
    for answer in held:
        report = _report(more, answer, SEEDS[0])
        if report.mistake == new.name:
            raise InputError(f"an answer that the course holds is told the sentence: {answer!r}")
    yield "None of the answers that the course holds is told its sentence."


def _report(task: Task, answer: Callable, seed: int) -> Report:
    trials = draw_trials(task, seed)
    return judge(task, trials, observe(answer, trials))


def _alternatives(task: Task, exercise: Exercise) -> list[Callable]:
    """The right answers of another form; only a copy of the course holds them, no installation."""
    name = re.sub(r"^(lab_)?\d+_", "", exercise.stem)
    file = ALTERNATIVES / f"{name}.py"
    if own_exercise(exercise.stem) or not file.is_file():
        return []
    return list(runpy.run_path(str(file))["ALTERNATIVES"].get(task.name, []))


def _file(root: Path) -> Path:
    if packages():
        return folder(packages()[0]) / FILE
    place = root / NAME
    (place / NAME).mkdir(parents=True, exist_ok=True)
    for path, text in ((place / "pyproject.toml", PROJECT), (place / NAME / "__init__.py", MODULE)):
        if not path.exists():
            path.write_text(text, encoding="utf-8")
    return place / NAME / FILE
