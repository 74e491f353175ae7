"""The first check of a session says that it loads, once, and only where that takes a while."""

import time

import pytest

from course_lib.checker import loading


class Kernel:
    """What a notebook's shell is asked for."""

    kernel = True

    def __init__(self):
        self.said = []
        self.display_pub = self

    def publish(self, data, transient, update=False):
        self.said.append((data["text/html"], transient["display_id"], update))


@pytest.fixture
def notebook(monkeypatch):
    kernel = Kernel()
    monkeypatch.setattr(loading, "shell_here", lambda: kernel)
    monkeypatch.setattr(loading, "_session", {})
    return kernel


def wait_for_a_word(notebook):
    for _ in range(6000):  # a minute, on any machine
        if notebook.said:
            return
        time.sleep(0.01)
    raise AssertionError("nothing is said")


def test_a_slow_first_check_says_so_and_takes_it_away(notebook):
    for _ in range(2):
        with loading.said_once(after=0.01):
            wait_for_a_word(notebook)
    (said, place, fresh), (after, same, update) = notebook.said
    assert loading.SAYS in said and not fresh
    assert not after and update and same == place


def test_a_fast_one_says_nothing_and_nor_does_a_later_one(notebook):
    with loading.said_once(after=3600.0):
        pass
    with loading.said_once(after=0.01):
        time.sleep(0.1)
    assert not notebook.said


def test_an_error_takes_it_away_too(notebook):
    with pytest.raises(KeyError), loading.said_once(after=0.01):
        wait_for_a_word(notebook)
        raise KeyError
    assert len(notebook.said) == 2


def test_outside_a_notebook_no_pipe_gets_a_word(monkeypatch, capsys):
    monkeypatch.setattr(loading, "shell_here", lambda: None)
    monkeypatch.setattr(loading, "_session", {})
    with loading.said_once(after=0.01):
        time.sleep(0.1)
    assert capsys.readouterr() == ("", "")
