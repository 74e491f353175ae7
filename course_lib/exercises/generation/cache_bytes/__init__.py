"""Task `kv_cache_bytes`: how large the cache of a model is."""

from course_lib.checker import tasks
from course_lib.exercises.generation.cache_bytes.mistakes import MISTAKES
from course_lib.exercises.generation.cache_bytes.task import HINTS, case

CACHE_BYTES = tasks.task(MISTAKES, 1, case.all, HINTS)
