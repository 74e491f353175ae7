"""What `check(answer)` needs, from the task to the sentence.

`tasks` says what is asked, `run` runs an answer, `compare` judges what came out, `say` words it.
Knows no attention and no gradebook: `course_lib.exercises` fills it, `grader` uses it.
"""
