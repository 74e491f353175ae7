"""Task `name_map`: eight maps, what each of them is, and the number that shows it.

A number alone could be found by counting: change one name and see whether the count rises. So a
name counts together with a place of the map that shows it, and none counts before four do.
"""

from collections.abc import Sequence
from typing import Any

from course_lib.checker.compare.diagnosis import NOT_WRITTEN
from course_lib.checker.compare.errors import ran
from course_lib.checker.run.inputs import Array, Observation
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks import Case, Inputs, Task
from course_lib.exercises.drawn import hash_of, why_no_name
from course_lib.exercises.read_the_map.evidence import SHOWS, shows
from course_lib.exercises.read_the_map.maps import EXAMPLE, LETTERS, MAPS, SOURCE, TARGET, kinds_of

FEWEST = 4  # of the seven; below it nothing is counted
ROUNDED = 0.0051
FORM = (
    "For map {0} it returns something else. Return your name, the kind, and a place: `return ME, "
    "kind, row, column, number`."
)
NO_KIND = "For map {0} the kind is none of the eight names; write it as the table has it."
NO_PLACE = "For map {0} row and column are no place: rows go from 0 to {1}, columns from 0 to {2}."
OTHER_NUMBER = "In row {1}, column {2} of your map {0} stands another number than the one you give."
EXCHANGED = (
    " It stands in row {2}, column {1}: the row is the target's word and comes first, the column "
    "the source's."
)
FROM_ONE = (
    " It stands in row {3}, column {4}. Perhaps you count from 1: rows and columns count from 0."
)
NO_NUMBER = (
    "For map {0} the weight is no number: its type is {1}. Write it as the map has it, as `0.14`, "
    "without quotes."
)
TIMES_100 = " Yours is 100 times what stands there: a weight is at most 1."
IN_TENTHS = " There stands what yours was before it was rounded: weights are given in hundredths."
OTHER_NAME = (
    " Most of your numbers do not stand where you say. Perhaps you looked under another "
    "name: `ME` draws which map has which letter."
)
NO_EXAMPLE = "Map A is the example, `untrained`. What shows it is {0}; yours is not."
OTHER_EXAMPLE = "Map A is the example, `untrained`, and you call it `{0}`."
TOO_FEW = (
    "Fewer than {0} of the maps B to H are named and shown, and nothing is counted before {0} are. "
    "Begin with those whose sums are wrong: a number of theirs settles it."
)
FIRST_WRONG = (
    "The first one that does not hold you call `{0}`: it is another kind, or your place does not "
    "show it. Look again: {1}. What counts as shown is {2}."
)
FILLED = "a kind, and a number that stands there, for each map"
OPEN, REST = "the example, map A", "one of the maps B to H"

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
    *heureux*, and look where its row points. The number that decided is the one to write down."""
    me = "anybody"
    kind = kinds_of(me)[letter]
    places = ((t, s) for t in range(len(TARGET)) for s in range(len(SOURCE)))
    row, column = next(place for place in places if shows(kind, MAPS[kind], *place))
    return me, kind, row, column, float(MAPS[kind][row, column])


def _number(value: Any) -> Any:
    """A number out of NumPy or torch is one, too."""
    one = isinstance(value, Array) and value.data.shape == ()
    return value.data.item() if isinstance(value, Array) and one else value


def _how_it_differs(
    letter: str, number: int | float, there: float, seen: Sequence[Observation]
) -> str:
    """What a number was put through, or that it may be of another name's map: the example is the
    same for every name."""
    if abs(number - 100 * there) < 100 * ROUNDED and number > 1:
        return TIMES_100
    if round(there, 1) == number and abs(number * 10 - round(number * 10)) < 1e-9:
        return IN_TENTHS
    if letter == EXAMPLE:
        return ""
    stand = [_stands(*one) for one in zip(LETTERS, seen, strict=True) if one[0] != EXAMPLE]
    return OTHER_NAME if stand.count(False) > len(stand) / 2 else ""


def _stands(letter: str, got: Observation) -> bool | None:
    """Whether a number stands at its place of the map; None where there is no number or place."""
    value = got.value
    if not isinstance(value, tuple) or len(value) != 5:
        return None
    me, _, row, column, number = map(_number, value)
    weights = MAPS[kinds_of(me)[letter]] if isinstance(me, str) else MAPS["trained"]
    if type(row) is not int or type(column) is not int or type(number) not in (int, float):
        return None
    there = weights[row : row + 1, column : column + 1]
    return bool(there.size and abs(there - number).max() < ROUNDED) if row >= 0 <= column else None


def _read(seen: Sequence[Observation]) -> dict[str, tuple] | str:
    """What an answer says of each letter, or what is wrong with its form."""
    found: dict[str, tuple] = {}
    for letter, got in zip(LETTERS, seen, strict=True):
        if got.error:
            raised = f"For map {letter} it raises {got.error}: {got.message}"
            return NOT_WRITTEN if got.error == "NotImplementedError" else raised
        if not isinstance(got.value, tuple) or len(got.value) != 5:
            return FORM.format(letter)
        me, kind, row, column, number = map(_number, got.value)
        if problem := why_no_name(me):
            return problem
        if not isinstance(kind, str) or kind not in SHOWS:
            return NO_KIND.format(letter)
        sizes = len(TARGET), len(SOURCE)
        if not all(
            type(i) is int and 0 <= i < n for i, n in zip((row, column), sizes, strict=True)
        ):
            return NO_PLACE.format(letter, sizes[0] - 1, sizes[1] - 1)
        number_there = float(MAPS[kinds_of(me)[letter]][row, column])
        if type(number) not in (int, float):
            return NO_NUMBER.format(letter, type(number).__name__)
        if not abs(number - number_there) < ROUNDED:
            there = MAPS[kinds_of(me)[letter]].T[row : row + 1, column : column + 1]
            swapped = type(number) is float and abs(there - number).sum() < ROUNDED and there.size
            above = MAPS[kinds_of(me)[letter]][:row, :column][-1:, -1:]
            from_1 = type(number) is float and above.size and abs(above - number).sum() < ROUNDED
            where = EXCHANGED if swapped else FROM_ONE * bool(from_1)
            said = (OTHER_NUMBER + where).format(letter, row, column, row - 1, column - 1)
            return said if where else said + _how_it_differs(letter, number, number_there, seen)
        found[letter] = (me.strip(), kind, row, column)
    return found


def _whose(seen: Sequence[Observation]) -> dict[str, Any]:
    """The name that an answer gives, and the hash of what it says of all letters; nothing where a
    part of it has another form."""
    said: list[tuple] = [got.value if isinstance(got.value, tuple) else () for got in seen]
    if any(len(one) != 5 or why_no_name(one[0]) for one in said):
        return {}
    places = [tuple(map(_number, one[1:])) for one in said]
    return {"me": said[0][0].strip(), "given": hash_of(places)}


def _no_example(kind: str) -> str:
    if kind != "untrained":
        return OTHER_EXAMPLE.format(kind)
    return NO_EXAMPLE.format(SHOWS[kind])


def judged(task: Task, _trials: Sequence, seen: Sequence[Observation]) -> Report:
    """The report on what was said of all letters."""
    said = _read(seen)
    if isinstance(said, str):
        case = CaseResult(FILLED, False, required=True)
        named = {"credit": "by case", "ran": any(map(ran, seen)), **_whose(seen)}
        return Report(task.name, task.points, (case,), said, **named)
    holds = {
        letter: kinds_of(me)[letter] == kind and shows(kind, MAPS[kind], row, column)
        for letter, (me, kind, row, column) in said.items()
    }
    named = {"credit": "by case", **_whose(seen)}
    example = CaseResult(OPEN, holds.pop(EXAMPLE), required=True)
    count = sum(holds.values())
    enough = CaseResult(f"at least {FEWEST} of the maps B to H", count >= FEWEST, required=True)
    if not (example.passed and enough.passed):
        wrong = TOO_FEW.format(FEWEST) if example.passed else _no_example(said[EXAMPLE][1])
        cases = (example, enough) if example.passed else (example,)
        return Report(task.name, task.points, cases, diagnosis=wrong, **named)
    each = sorted(holds.values())
    cases = (example, enough, *(CaseResult(REST, one, hidden=True) for one in each))
    first = next((said[letter][1] for letter, held in holds.items() if not held), "")
    return Report(
        task.name,
        task.points,
        cases,
        diagnosis=FIRST_WRONG.format(first, LOOK_AGAIN[first], SHOWS[first]) if first else None,
        summary=f"{count} of {len(holds)} maps named rightly, with a number that shows it.",
        **named,
    )


def _case(letter: str) -> Case:
    """What is asked for one letter. All are hidden but the example's."""
    hidden = letter != EXAMPLE
    draw = lambda _: Inputs((letter,))  # noqa: E731
    return Case(f"map {letter}", draw, hidden=hidden, sizes=(1,), dtypes=("float64",))


NAME_MAP = Task(
    name=name_map.__name__,
    points=len(LETTERS) - 1,
    reference=name_map,
    cases=tuple(map(_case, LETTERS)),
    mistakes=(),
    hints=(
        "Measure before you look: which maps have rows that do not sum to 1, which have weight on "
        "padding, which are undecided?",
        "Three maps have rows with wrong sums. In one of them the columns sum to 1, in one the "
        "sums fall from row to row, in one the largest weight of every row is 1.00.",
        "Three maps are sound in all sums. Read *heureux*: in one it looks at *happy*. In another "
        "it looks where *chien* belongs, and so on down the map. The third follows another "
        "sentence.",
    ),
    credit="by case",
    idea=" ".join((name_map.__doc__ or "").split()),
    cost="Three sums for each map; for the last three a look at two or three rows.",
    judge=judged,
)
