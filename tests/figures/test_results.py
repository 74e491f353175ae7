"""Benchmark results for the chapters: of this repository or brought by the wheel, or refused."""

from pathlib import Path

import pytest

from course_lib.figures import results
from course_lib.figures.results import benchmark_rows


def test_rows_have_the_columns_of_the_file():
    rows = benchmark_rows("lengths")
    assert rows and {"device", "torch"} <= rows[0].keys()


def test_what_there_is_not_is_said():
    with pytest.raises(FileNotFoundError, match=r"results/heights\.csv is not in"):
        benchmark_rows("heights")


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """Results that lie in a folder of their own."""
    monkeypatch.setattr(results, "course_file", lambda name: tmp_path / Path(name).name)
    return tmp_path


@pytest.fixture
def thread(elsewhere):
    """Two settings over two seeds, one of them with a table that ends; a third only timed."""
    lines = "model,seed,loss,bytes_64,bytes_1024,text\na,0,3.0,1000,4000,The value of one\n"
    lines += "a,1,3.1,1000,4000,The other\nb,0,2.0,500,,The third\n"
    (elsewhere / "thread.csv").write_text(lines, encoding="utf-8")
    lines = "task,model,pace,low,high\nwrite_1024,a,1.0,1.0,1.0\nread_1024,a,3.0,2.0,5.0\n"
    (elsewhere / "thread_speed.csv").write_text(lines + "write_1024,c,0.5,0.4,0.8\n")


def test_the_thread_says_loss_spread_bytes_and_pace(thread):
    head, *told = results.thread_table("a", "b", "c").splitlines()
    assert head.endswith("kB at 1,024  pace at 1,024")
    assert [line.split() for line in told] == [
        ["a", "3.05", "±", "0.05", "1.0", "4.0", "1.00", "±", "0.00"],
        ["b", "2.00", "±", "0.00", "0.5", "–", "–"],
        ["c", "–", "–", "–", "0.50", "±", "0.20"],
    ]
    _, line = results.thread_table("a", columns=("reading 1,024",)).splitlines()
    assert line.split() == ["a", "3.00", "±", "1.50"]


def test_the_thread_writes_what_the_first_seed_wrote(thread):
    assert results.thread_writes("b", "a", width=7).splitlines() == [
        f"{'b':20s}The thi",
        f"{'a':20s}one",
    ]


@pytest.fixture
def tasks(elsewhere):
    """A base and one setting over two seeds, and a third with another score."""
    lines = "setting,bytes_1024,seed,score,right\n"
    lines += "4 KV heads,8000,0,once,0.9\n4 KV heads,8000,1,once,0.7\n"
    lines += "1 KV head,2000,0,once,0.5\n1 KV head,2000,1,once,0.6\nnone,50,0,again,0.25\n"
    (elsewhere / "thread_tasks.csv").write_text(lines, encoding="utf-8")


def test_tasks_are_compared_seed_by_seed(tasks):
    names = "4 KV heads", "1 KV head", "none"
    head, *told = results.tasks_table(*names, scores=("once", "again")).splitlines()
    assert head.split() == ["once", "again", "kB", "kept"]
    assert [line.split() for line in told] == [
        ["4", "KV", "heads", "0.80", "–", "8.0"],
        ["1", "KV", "head", "0.55", "–", "2.0"],  # −0.25, and a spread of 0.30
        ["none", "–", "0.25", "0.1"],
        ["minus", "4", "KV", "heads,", "seed", "by", "seed:"],
        ["1", "KV", "head", "-0.40", "to", "-0.10", "–"],
        ["none", "–", "–"],
    ]
