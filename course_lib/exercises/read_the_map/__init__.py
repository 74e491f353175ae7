"""Lab 4: eight maps of a translator, seven of which are not what they seem."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.read_the_map.maps import N_WORDS, SOURCE, TARGET, attention_map
from course_lib.exercises.read_the_map.measuring import MEASURE_MAP
from course_lib.exercises.read_the_map.naming import NAME_MAP

__all__ = ["EXERCISE", "N_WORDS", "SOURCE", "TARGET", "attention_map"]

WRITTEN = (
    Written(
        "how_one_sees_it",
        6,
        "Choose three of the maps B to H. For each, say what shows its kind, with the numbers of a "
        "row or a column; then name the kind that it is most easily taken for, and what excludes "
        "that one.",
        (
            "2: the first map: what shows it, with numbers, and what excludes the nearest other "
            "kind",
            "2: the second",
            "2: the third; a name without a number from the map earns nothing",
        ),
    ),
    Written(
        "what_no_sum_shows",
        4,
        "Two of the seven faults pass every test that does not know the words. Which, and why? "
        "Describe a test for each that a program could run.",
        (
            "1: shifted and copied: they are weights of a sound model, so sums, padding and peaks "
            "are those of a sound map",
            "1: says what is missing: the words, or links between them",
            "1: a test that finds the shifted map, and would pass the trained one",
            "1: a test that finds the copied map, and would pass the trained one",
        ),
    ),
)
EXERCISE = Exercise("lab_4_read_the_map", "Read the map", (MEASURE_MAP, NAME_MAP), WRITTEN)
