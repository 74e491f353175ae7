"""Lab 4: each map shows what its name says, and nothing else can be taken for it."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from course_lib.exercises.read_the_map import N_WORDS, SOURCE, TARGET, attention_map, recording
from course_lib.exercises.read_the_map.maps import LETTERS, MAPS
from course_lib.exercises.read_the_map.measuring import measure_map
from course_lib.exercises.read_the_map.naming import LOOK_AGAIN

ROUNDING = 0.021
SOUND = ("trained", "shifted", "copied")


def favourites(weights):
    return {word: SOURCE[s] for word, s in zip(TARGET, weights.argmax(axis=1), strict=True)}


def test_each_letter_is_one_kind():
    assert sorted(LETTERS.values()) == sorted(MAPS) == sorted(LOOK_AGAIN)
    assert "".join(LETTERS) == "ABCDEFGH"
    for weights in MAPS.values():
        assert weights.shape == (len(TARGET), len(SOURCE))
        assert (weights >= 0).all()


def test_a_map_is_a_copy_and_another_letter_is_an_error():
    attention_map("A")[:] = 0
    assert attention_map("A").sum() > 9
    with pytest.raises(ValueError, match="no map 'I'; the maps are A, B, C"):
        attention_map("I")


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
    space = {"attention_map": attention_map, "TARGET": TARGET, "SOURCE": SOURCE, "np": np}
    exec(source, space | {"name_map": lambda letter: "untrained"})
    assert capsys.readouterr().out == "No letter is called copied or trained yet.\n"
    exec(source, space | {"name_map": LETTERS.__getitem__})
    assert "heureux  0.96 of it moved" in capsys.readouterr().out
