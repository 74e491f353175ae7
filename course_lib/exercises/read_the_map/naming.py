"""Task `name_map`: eight maps, and what each of them is."""

from collections.abc import Callable

from course_lib.checker.tasks import Candidate, Cases, Inputs, Mistakes, task
from course_lib.exercises.mutants import source
from course_lib.exercises.read_the_map.maps import LETTERS

# What one would see if the name were right; it does not say which name is.
LOOK_AGAIN = {
    "trained": "in a map as it should be each row sums to 1, padding gets nothing, and the "
    "heaviest weights of *chien*, *heureux* and *maison* stand on *dog*, *happy* and *house*",
    "untrained": "before training no word is preferred: all seven words get nearly the same "
    "weight, in every row",
    "transposed": "in a transposed map the columns sum to 1 and not the rows, and where padding "
    "had empty columns there are empty rows",
    "unmasked": "without a mask each row still sums to 1, but a part of it lies on the padding",
    "averaged": "a mean over sentences of different lengths fades: many sentences have a first "
    "word and few a ninth, so the sums of its rows fall from the top to the bottom",
    "stretched": "where each row was stretched to the full scale, its largest weight is exactly "
    "1.00, also in a row that hesitates, and the sum of a row is above 1",
    "shifted": "moved back by one row, a shifted map fits both sentences word by word; try it "
    "upwards and downwards",
    "copied": "a map of another sentence is sound in all its sums, and no shift by rows makes "
    "*chien* look at *dog* and *heureux* at *happy*",
}


def name_map(letter):
    """Ask the questions in the order of their price. Sums cost nothing and need no French: rows
    that do not sum to 1 leave three kinds, weight on padding is a fourth, and a largest weight near
    1/7 is the untrained model. What is left is sound as a matrix of weights: trained, shifted and
    copied. Only the words tell them apart: find a word that can come from one place alone, such as
    *heureux*, and look where its row points.

    Cost: Three sums for each map; for the last three a look at two or three rows."""
    return dict(LETTERS)[letter]


def _called(letter: str, kind: str) -> Callable:
    """The right answer, but for one letter."""
    return lambda asked: kind if asked == letter else LETTERS[asked]


KINDS = sorted(LOOK_AGAIN)


def as_named(name_map, letter):
    """What a map is called; every name that is none of the eight is the same."""
    name = name_map(letter)
    known = not isinstance(name, str) or name.lower() in KINDS or name == letter
    return name if known else "none of the eight names"


CALLED = Candidate("as_named", f"KINDS = {KINDS}\n\n\n{source(as_named)}")
case = Cases(sizes=(1, 2), dtypes=("float64",))  # one trial would say too little of a mistake
for one in LETTERS:
    add = case if one == "A" else case.hidden
    draw = lambda s, letter=one: Inputs((letter,), examiner=CALLED)  # noqa: E731
    add(f"map {one}", draw, required=one == "A")


MISTAKES = Mistakes(name_map)
for letter, right in LETTERS.items():
    example = " Map A is the example: while it is wrong, the others earn nothing." * (letter == "A")
    for kind, seen in LOOK_AGAIN.items():
        if kind != right:
            MISTAKES.by(f"{letter}-called-{kind}", _called(letter, kind)).says(
                f"The first wrong one you call `{kind}`. Look again: {seen}.{example}"
            )
    MISTAKES.by(
        f"{letter}-called-otherwise", _called(letter, "real")
    ).says(f"""The first wrong one has a name that is none of the eight. Write it as the table has
        it.{example}""")
MISTAKES.by("capitals", lambda letter: LETTERS[letter].capitalize()).says("""
    Write the names as they stand in the list, in small letters.
""")
MISTAKES.by("whole-dictionary", lambda letter: dict(LETTERS)).says("""
    You return all names at once. Return the name of the one map that is asked for: `names[letter]`.
""")
MISTAKES.by("letter-back", lambda letter: letter).says(
    "You return the letter. Return the name of the kind of map."
)


HINTS = (
    "Measure before you look: which maps have rows that do not sum to 1, which have weight on "
    "padding, which are undecided?",
    "Three maps have rows with wrong sums. In one of them the columns sum to 1, in one the "
    "sums fall from row to row, in one the largest weight of every row is 1.00.",
    "Three maps are sound in all sums. Read *heureux*: in one it looks at *happy*. In another "
    "it looks where *chien* belongs, and so on down the map. The third follows another "
    "sentence.",
)
NAME_MAP = task(
    MISTAKES,
    7,
    case.all,
    HINTS,
    by_case=True,
    counts=("", "maps named rightly"),
    unnamed="one of the maps B to H",
)
