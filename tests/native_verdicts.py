"""A script that judges every known answer to 01 to 03, here or in a page."""

from pathlib import Path

EXERCISES = ("01_softmax", "02_context_vectors", "03_worked_translation")
# A page has no solutions, so the script brings the right answers of another form with it.
OTHERS = {
    path.stem: path.read_text("utf-8")
    for path in (Path(__file__).parents[1] / "solutions" / "alternatives").glob("*.py")
    if path.stem in {exercise[3:] for exercise in EXERCISES}
}
EVERY = "EVERY = 1"  # one known mistake of so many; all right answers come
VERDICTS = (
    f"OTHERS = {OTHERS!r}\nEXERCISES = {EXERCISES!r}\n{EVERY}"
    + """
import json, sys
browser = len(sys.argv) > 1
if browser:
    sys.modules["torch"] = None
    import live_runner
from course_lib.checker.check import check_answer
from course_lib.checker.compare import programs, wrong
from course_lib.exercises import CATALOGUE
# A task's inputs are drawn once, and what a known mistake does with them is found out once.
drawn = {}
def draw_once(task, *how, draw=programs.draw_trials):
    if task.name not in drawn:
        drawn[task.name] = draw(task, *how)
    return drawn[task.name]
programs.draw_trials = draw_once
done = {}
def run_once(answer, inputs, library, run=wrong.execute):
    key = id(answer), id(inputs)
    if key not in done:  # what an id stands for is kept, so that no other takes it
        done[key] = run(answer, inputs, library), answer, inputs
    return done[key][0]
wrong.execute = run_once
found = {}
for stem in EXERCISES:
    others = {}
    exec(OTHERS[stem[3:]], others)
    others = others["ALTERNATIVES"]
    for task in CATALOGUE.exercises[stem].tasks:
        rights = dict(enumerate([task.reference, *others.get(task.name, [])]))
        wrongs = {mistake.name: mistake.answer for mistake in task.mistakes[::EVERY]}
        for name, answer in (rights | wrongs).items():
            answer.__name__ = task.name
            if browser:
                live_runner.cells[:] = []
            report = check_answer(CATALOGUE, answer, 7)
            cases = [(c.name, c.passed) for c in report.cases if c.name != "what you hand in"]
            found[f"{task.name} {name}"] = [cases, report.diagnosis]
print(json.dumps(found))
"""
)
