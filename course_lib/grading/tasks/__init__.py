"""The vocabulary of a graded exercise. An exercise imports from here and from nowhere else:

`from course_lib.grading.tasks import Cases, Exercise, Inputs, task`
"""

from course_lib.grading.inside.inputs import Candidate, Inputs, LookupStep, Transposed
from course_lib.grading.tasks.catalogue import Catalogue
from course_lib.grading.tasks.listing import Cases, list_mistakes, task
from course_lib.grading.tasks.sampler import Sampler
from course_lib.grading.tasks.task import Case, Exercise, Mistake, Task
from course_lib.grading.tasks.written import Written

__all__ = [
    "Candidate",
    "Case",
    "Cases",
    "Catalogue",
    "Exercise",
    "Inputs",
    "LookupStep",
    "Mistake",
    "Sampler",
    "Task",
    "Transposed",
    "Written",
    "list_mistakes",
    "task",
]
