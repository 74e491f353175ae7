"""What benchmarks/README.md says is what results/*.csv hold, each row with its processor."""

import csv
import re

import pytest
import torch
import torch.nn.functional as F

from benchmarks import __main__ as runner
from benchmarks import (
    listening,
    listening_direct,
    measure,
    spoken_words,
    tables,
    thread_settings,
    thread_tasks,
)
from course_lib.published.voices import Recording


@pytest.mark.parametrize("name", tables.NAMES)
def test_the_tables_are_those_of_the_results(name):
    text = tables.README.read_text(encoding="utf-8")
    assert tables.replaced(text, name) == text, "run `python -m benchmarks.tables`"


def test_every_command_of_the_readme_is_one_of_the_runner():
    named = re.findall(r"python -m benchmarks (\w+)", tables.README.read_text(encoding="utf-8"))
    known = {*runner.MINUTES, *runner.HOURS}
    assert set(named) <= known and len(named) > 10
    assert all((tables.HERE / f"{name}.py").exists() for name in known)


def test_a_row_says_where_it_is_from_and_how_far_the_runs_spread(tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "RESULTS", tmp_path)
    monkeypatch.setattr(tables, "update", lambda: None)
    seconds = {"ours": [1.0, 2.0, 3.0, 4.0, 5.0], "theirs": [6.0] * 5}
    measure.write("toy", measure.against("ours", seconds, T=8), keras="3")
    with open(tmp_path / "toy.csv", newline="", encoding="utf-8") as file:
        ours, theirs = csv.DictReader(file)
    assert (ours["ratio"], ours["seconds"]) == ("1.0", "3")
    assert float(ours["low"]) < 3 < float(ours["high"])
    assert (theirs["ratio"], theirs["low"], theirs["high"]) == ("2.0", "6", "6")
    assert theirs["T"] == "8" and theirs["keras"] == "3"
    for field in ("device", "processor", "vendor", "instructions", "python", "torch"):
        assert ours[field], field


def test_a_run_replaces_its_own_rows_and_keeps_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "RESULTS", tmp_path)
    for rows in ([("a", 0, 1.0), ("b", 0, 2.0)], [("a", 0, 3.0), ("a", 1, 4.0)]):
        rows = [{"model": m, "seed": s, "loss": loss} for m, s, loss in rows]
        measure.merge("toy", rows, ("model", "seed"), steps="9")
    with open(tmp_path / "toy.csv", newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    rows = [(row["model"], row["seed"], row["loss"]) for row in found]
    assert rows == [("a", "0", "3.0"), ("b", "0", "2.0"), ("a", "1", "4.0")]  # in its place
    assert all(row["processor"] and row["steps"] == "9" for row in found)


def test_the_newest_value_of_a_key_is_the_right_one():
    keys, values, wanted, places = thread_tasks.recall(8, torch.Generator().manual_seed(0))
    pairs = thread_tasks.PAIRS
    assert places["once"].sum() == places["again"].sum() == 4 * pairs
    for row in range(8):
        newest = dict(zip(keys[row, :pairs].tolist(), values[row, :pairs].tolist(), strict=True))
        asked = zip(keys[row, pairs:].tolist(), wanted[row, pairs:].tolist(), strict=True)
        assert all(newest[key] == value for key, value in asked)
    assert (values[:, pairs:] == thread_tasks.NUMBERS).all(), "a question must not show its answer"


class Letters:
    """A tokenizer whose pieces are letters."""

    def token_to_id(self, token):
        return 1000

    def encode(self, text, add_special_tokens):
        return type("Encoding", (), {"ids": [ord(letter) for letter in text]})


def test_the_row_that_writes_a_piece_is_that_of_the_one_before():
    tokens, groups = spoken_words.forced(Letters(), ["ab", "c"], "fr")
    assert tokens == [1000] * 4 + [ord(letter) for letter in " ab, c"]
    assert [[chr(tokens[row + 1]) for row in group] for group in groups] == [
        list(" ab"),
        list(" c"),
    ]


@pytest.mark.parametrize(
    ("written", "is_right"),
    [(" 15,", True), (" Quindici.", True), ("quíndici", True), (" 5", False), (" cinque", False)],
)
def test_a_number_is_right_in_figures_and_as_its_word(written, is_right):
    recording = Recording("digits/15", "quindici", torch.zeros(1), 8000, "", "")
    assert spoken_words.is_right(written, "15", recording) is is_right


def test_a_head_that_looks_at_the_right_word_is_told_from_one_that_does_not():
    times = [(0.0, 0.1), (0.3, 0.4)]
    maps = torch.zeros(3, 2, 20)
    maps[0, 0, 2] = maps[0, 1, 17] = 1  # both inside
    maps[1, 0, 2] = maps[1, 1, 2] = 1  # the second looks back
    maps[2, 0, 17] = 1
    found = [listening.Found(None, times, maps, maps.sum(-1))]
    shares = [listening.judged(found, listening.peak_columns, [head])[0] for head in range(3)]
    assert shares == [1.0, 0.5, 0.0]
    assert listening.judged(found, listening.peak_columns, [0, 1])[0] == 0.5  # a tie: the first
    assert listening.chance(found) == pytest.approx(0.25)
    share, error = listening.judged(found, listening.peak_columns, [0])
    assert share == 1 and error == pytest.approx(0, abs=1)


def test_as_many_other_heads_are_silenced_as_are_listed():
    listed = [(3, 1), (4, 2)]
    silenced = listening_direct.silences(listed)
    assert silenced["none"] == [] and silenced["3.1"] == [(3, 1)]
    for draw in range(listening_direct.DRAWS):
        others = silenced[f"2 others, draw {draw}"]
        assert len(set(others)) == 2 and not set(others) & set(listed)
        near = silenced[f"2 others, same layers, draw {draw}"]
        assert [layer for layer, _ in near] == [3, 4] and not set(near) & set(listed)
    assert len(silenced["all others"]) == 46
    assert listening_direct.words("L’été, c'est 3-7!") == ["l", "été", "c", "est", "3", "7"]


def test_two_windows_do_not_reach_the_needle_nor_the_echo():
    draw, reach = torch.Generator().manual_seed(0), 2 * thread_settings.WINDOW
    keys, _, _, places = thread_tasks.needle(64, draw)
    marked = (keys == thread_tasks.KEYS).nonzero()[:, 1]
    first_question = (places["first"] | places["within"]).int().argmax(1)
    assert (first_question - marked > reach).all()
    assert ((marked < 4) == places["first"].any(1)).all()
    _, values, wanted, places = thread_tasks.echo(4, draw)
    back = places["echo"].int().argmax(1)[0].item()
    assert back > reach and torch.equal(wanted[:, back:], values[:, :back])


def test_the_gated_delta_rule_all_at_once_is_the_one_step_by_step():
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 2, 9, 4, dtype=torch.float64)
    k, rates = F.normalize(k, dim=-1), torch.rand(2, 2, 9, dtype=torch.float64)
    beta, alpha = rates
    state, steps = torch.zeros(2, 4, 4, dtype=torch.float64), []
    for t in range(9):
        state = alpha[:, t, None, None] * state
        new = v[:, t, None] - k[:, t, None] @ state
        state = state + beta[:, t, None, None] * k[:, t, :, None] @ new
        steps.append(q[:, t, None] @ state)
    found = thread_settings.gated_delta(q, k, v, beta, alpha.log())
    torch.testing.assert_close(found, torch.cat(steps, 1))
