"""Benchmark results for the chapters: beside the library, from the web, or a clear refusal."""

import pytest

from course_lib.figures import results
from course_lib.figures.results import benchmark_rows


def test_rows_have_the_columns_of_the_file():
    rows = benchmark_rows("generation")
    assert rows and {"device", "torch"} <= rows[0].keys()


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """The library without the repository around it; what it can reach lies in the folder."""
    monkeypatch.setattr(results, "HERE", tmp_path / "nowhere")
    monkeypatch.setattr(results, "THERE", tmp_path.as_uri())
    return tmp_path


def test_without_the_repository_they_come_from_the_web(elsewhere):
    (elsewhere / "heights.csv").write_text("name,metres\nÅre,1420\n", encoding="utf-8")
    assert benchmark_rows("heights") == [{"name": "Åre", "metres": "1420"}]


def test_out_of_reach_is_said(elsewhere):
    with pytest.raises(FileNotFoundError, match=r"'heights'.*cannot be reached.*Clone"):
        benchmark_rows("heights")


def test_the_thread_says_loss_spread_and_bytes(elsewhere):
    head = "model,seed,loss,bytes_64,bytes_1024\n"
    lines = "a,0,3.0,1000,4000\na,1,3.1,1000,4000\nb,0,2.0,500,500\n"
    (elsewhere / "thread.csv").write_text(head + lines, encoding="utf-8")
    _, *told = results.thread_table("a", "b").splitlines()
    assert [line.split() for line in told] == [
        ["a", "3.05", "±", "0.05", "1.0", "4.0"],
        ["b", "2.00", "±", "0.00", "0.5", "0.5"],
    ]
    with pytest.raises(ValueError, match="no 'c'; it has a, b"):
        results.thread_table("c")
