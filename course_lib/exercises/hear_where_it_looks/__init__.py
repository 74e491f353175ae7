"""Lab 7: when each word was said, read from a map, checked on known times, tested by silence."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.hear_where_it_looks.inside import INSIDE
from course_lib.exercises.hear_where_it_looks.path_mistakes import PATH
from course_lib.exercises.hear_where_it_looks.silence import SILENCE
from course_lib.exercises.hear_where_it_looks.times import TIMES
from course_lib.exercises.hear_where_it_looks.words import WORDS
from course_lib.exercises.hear_where_it_looks.written import WRITTEN

EXERCISE = Exercise(
    "lab_7_hear_where_it_looks",
    "Hear where it looks",
    (TIMES, PATH, WORDS, INSIDE, SILENCE),
    WRITTEN,
)
