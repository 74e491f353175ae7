"""The vocabulary of a graded exercise. An exercise imports from here and from nowhere else:

`from course_lib.checker.tasks import Cases, Exercise, Inputs, Mistakes, task`
"""

from course_lib.checker.run.inputs import Candidate, Inputs, LookupStep, Transposed, Verdict
from course_lib.checker.tasks.catalogue import Catalogue
from course_lib.checker.tasks.listing import Cases, Mistakes, task
from course_lib.checker.tasks.rewritten import rewritten
from course_lib.checker.tasks.sampler import Sampler
from course_lib.checker.tasks.task import Case, Exercise, Mistake, Rule, Task, Written

__all__ = [
    "Candidate",
    "Case",
    "Cases",
    "Catalogue",
    "Exercise",
    "Inputs",
    "LookupStep",
    "Mistake",
    "Mistakes",
    "Rule",
    "Sampler",
    "Task",
    "Transposed",
    "Verdict",
    "Written",
    "rewritten",
    "task",
]
