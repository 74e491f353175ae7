"""Tasks, cases and known mistakes; judging an answer; grading a class of strangers.

Nothing here knows attention: `course_lib.exercises` fills the vocabulary with tasks.
"""
