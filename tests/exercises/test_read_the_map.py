"""Lab 4: each map shows what its name says, and nothing else can be taken for it."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from course_lib.exercises import CATALOGUE, check
from course_lib.exercises.read_the_map import N_WORDS, SOURCE, TARGET, attention_map, recording
from course_lib.exercises.read_the_map.evidence import BELONGS, SHOWS, shows
from course_lib.exercises.read_the_map.maps import LETTERS, MAPS, kinds_of
from course_lib.exercises.read_the_map.measuring.task import measure_map
from course_lib.exercises.read_the_map.naming import LOOK_AGAIN

ROUNDING = 0.021
SOUND = ("trained", "shifted", "copied")
ME = "student 7"
PLACES = [(t, s) for t in range(len(TARGET)) for s in range(len(SOURCE))]
SHOWN = {kind: next(p for p in PLACES if shows(kind, MAPS[kind], *p)) for kind in MAPS}


def report_on(claims):
    """The report on {letter: (kind, place)}, each with the number that stands there."""

    def name_map(letter):
        kind, (row, column) = claims[letter]
        return ME, kind, row, column, float(attention_map(letter, ME)[row, column])

    return check(name_map)


def rightly(letter):
    kind = kinds_of(ME)[letter]
    return kind, SHOWN[kind]


def test_another_name_for_the_example_is_told_as_that():
    claims = {letter: rightly(letter) for letter in LETTERS}
    claims["A"] = "trained", claims["A"][1]  # the place does show that it is untrained
    assert report_on(claims).diagnosis.endswith("and you call it `trained`.")


def test_a_place_shows_its_own_kind_and_no_other():
    for kind, weights in MAPS.items():
        shown = {other for other in SHOWS for p in PLACES if shows(other, weights, *p)}
        assert shown == {kind}
    assert len(BELONGS) == len(TARGET)


def test_a_name_without_a_number_that_shows_it_earns_nothing():
    full = {letter: rightly(letter) for letter in LETTERS}
    assert report_on(full).score == 7
    for letter in "BCDEFGH":
        other = next(kind for kind in MAPS if kind not in ("untrained", full[letter][0]))
        for claim in ((full[letter][0], nowhere(full[letter][0])), (other, full[letter][1])):
            report = report_on(full | {letter: claim})
            assert report.score == 6 and f"you call `{claim[0]}`" in report.diagnosis
    assert report_on(full | {"A": ("trained", (0, 0))}).score == 0


def nowhere(kind):
    return next(p for p in PLACES if not shows(kind, MAPS[kind], *p)) if kind != "untrained" else 0


def test_no_map_is_named_by_counting():
    """Change one name after the other, with the largest weight as its number: no report differs."""
    start = {letter: ("trained", (0, 2)) for letter in LETTERS} | {"A": rightly("A")}
    texts = set()
    for letter in "BCDEFGH":
        weights = attention_map(letter, ME)
        place = tuple(int(i) for i in np.unravel_index(weights.argmax(), weights.shape))
        for kind in SHOWS:
            report = report_on(start | {letter: (kind, place)})
            assert report.score == 0
            texts.add(str(report))
    assert len(texts) == 1


def test_a_place_that_is_counted_from_1_is_told_so():
    def name_map(letter):
        row, column = 2, 1
        return ME, "untrained", row + 1, column + 1, float(attention_map(letter, ME)[row, column])

    said = check(name_map).diagnosis
    assert "It stands in row 2, column 1. Perhaps you count from 1" in said


def test_numbers_of_another_name_s_maps_are_told_so():
    def name_map(letter):
        return "student 9", *rightly(letter)[:1], *rightly(letter)[1], numbers[letter]

    numbers = {letter: float(attention_map(letter, ME)[rightly(letter)[1]]) for letter in LETTERS}
    assert "Perhaps you looked under another name" in check(name_map).diagnosis


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        ("untrained", "Return your name, the kind, and a place"),
        (("", "untrained", 0, 2, 0.14), "`ME` is empty"),
        ((ME, "real", 0, 2, 0.14), "none of the eight names"),
        ((ME, "untrained", 10, 2, 0.14), "rows go from 0 to 9"),
        ((ME, "untrained", 0, 2.0, 0.14), "rows go from 0 to 9"),
        ((ME, "untrained", 0, 2, 0.5), "another number than the one you give"),
        ((ME, "untrained", 0, 2, "0.14"), "its type is str. Write it as the map has it"),
        ((ME, "untrained", 0, 2, 14), "100 times what stands there"),
        ((ME, "untrained", 0, 2, 0.1), "before it was rounded"),
        ((ME, "untrained", 0, 2, float("nan")), "another number than the one you give"),
    ],
)
def test_what_cannot_be_judged_gets_a_sentence(returned, says):
    def name_map(letter):
        return returned

    report = check(name_map)
    assert report.score == 0 and says in report.diagnosis


def test_the_reference_names_all():
    assert check(CATALOGUE.tasks["name_map"].reference).score == 7


def favourites(weights):
    return {word: SOURCE[s] for word, s in zip(TARGET, weights.argmax(axis=1), strict=True)}


def test_each_letter_is_one_kind_and_names_draw_other_letters():
    drawn = [kinds_of(f"student {number}") for number in range(200)]
    for kinds in drawn:
        assert sorted(kinds.values()) == sorted(MAPS) == sorted(LOOK_AGAIN) == sorted(SHOWS)
        assert "".join(kinds) == LETTERS and kinds["A"] == "untrained"
    for letter in "BCDEFGH":
        assert len({kinds[letter] for kinds in drawn}) == 7
    assert kinds_of(" Student 7") == kinds_of("student 7")
    for weights in MAPS.values():
        assert weights.shape == (len(TARGET), len(SOURCE))
        assert (weights >= 0).all()


def test_a_map_is_a_copy_and_another_letter_is_an_error():
    attention_map("A", ME)[:] = 0
    assert attention_map("A", ME).sum() > 9
    with pytest.raises(ValueError, match="no map 'I'; the maps are A, B, C"):
        attention_map("I", ME)
    with pytest.raises(ValueError, match="`ME` is empty"):
        attention_map("A", "")


def test_no_two_maps_are_alike():
    for a, b in itertools.combinations(MAPS, 2):
        assert np.abs(MAPS[a] - MAPS[b]).max() > 0.25, (a, b)


def test_sums_padding_and_peaks_tell_five_of_the_eight():
    measured = {kind: measure_map(weights, N_WORDS) for kind, weights in MAPS.items()}
    off = {kind for kind, (rows, _, _) in measured.items() if rows > ROUNDING}
    assert off == {"transposed", "averaged", "stretched"}
    read = {kind for kind, (_, padding, _) in measured.items() if padding > 0.1}
    assert read == {"transposed", "unmasked"}
    assert measured["untrained"][2] < 0.2
    assert all(0.75 < measured[kind][2] < 0.9 for kind in SOUND)
    assert np.abs(MAPS["transposed"].sum(axis=0) - 1).max() < ROUNDING
    assert (MAPS["transposed"][N_WORDS:] == 0).all()
    assert (np.diff(MAPS["averaged"].sum(axis=1)) < ROUNDING).all()
    assert MAPS["averaged"].sum(axis=1)[-1] < 0.2
    assert (MAPS["stretched"].max(axis=1) == 1).all()


def test_words_tell_the_three_that_are_sound():
    fits = {"chien": "dog", "heureux": "happy", "assis": "sat", "maison": "house"}
    assert favourites(MAPS["trained"]).items() >= fits.items()
    moved = np.roll(MAPS["shifted"], -1, axis=0)
    assert favourites(moved).items() >= fits.items()
    for step in (-1, 0, 1):  # in another sentence nothing crosses there, moved or not
        found = favourites(np.roll(MAPS["copied"], step, axis=0))
        assert (found["chien"], found["heureux"]) != ("dog", "happy")


def test_the_recipe_still_makes_such_maps():
    maps = recording.record(pairs=300, epochs=1)
    assert list(maps) == ["trained", "untrained", "padding_read", "another", "mean"]
    for name, weights in maps.items():
        assert weights.shape == (recording.WIDTH, recording.WIDTH)
        if name != "mean":
            assert np.abs(weights.sum(axis=1) - 1).max() < 0.06  # ten rounded numbers
        if name not in ("mean", "padding_read"):
            assert (weights[:, N_WORDS:] == 0).all()
    assert recording.SENTENCE.split() == list(SOURCE[:N_WORDS])
    assert maps["mean"].sum(axis=1)[-1] < maps["mean"].sum(axis=1)[0]


def test_the_cell_behind_the_names_waits_for_them(capsys):
    """It compares two maps by the names that a student gave, who has not given all yet."""
    notebook = Path(__file__).parents[2] / "exercises" / "lab_4_read_the_map.ipynb"
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    (source,) = ("".join(c["source"]) for c in cells if "missing = [" in "".join(c["source"]))
    space = {"attention_map": attention_map, "ME": ME, "TARGET": TARGET, "SOURCE": SOURCE, "np": np}
    exec(source, space | {"name_map": lambda letter: (ME, "untrained")})
    assert capsys.readouterr().out == "No letter is called copied or trained yet.\n"
    exec(source, space | {"name_map": lambda letter: (ME, kinds_of(ME)[letter])})
    assert "heureux  0.96 of it moved" in capsys.readouterr().out
