"""Whatever an answer does, `check` comes back with a sentence, and this process lives."""

import mmap
import signal
import sys
import threading
import time

import numpy as np
import pytest

from course_lib.checker import limits
from course_lib.checker.check import check_answer
from tests.checker.toy import catalogue, double, named

MAP_NORESERVE = 0x4000  # Linux
SLOW = (
    "It took longer than 0.3 s of the processor, which is the limit for all inputs of a task "
    "together, or 6 times as long by the clock. Perhaps a loop never ends, or one in Python does "
    "what a product of arrays does."
)
FULL = "It needs more memory than it may have."


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.3)


def loops(x, times=1):
    while True:
        pass


def loops_and_catches(x, times=1):
    while True:
        try:
            x = x + 1
        except BaseException:
            continue


def sleeps(x, times=1):
    time.sleep(10**6)


def prints(x, times=1):
    while True:
        print("storm")


class Endless:
    def __str__(self):
        while True:
            pass


class Complaint(Exception):
    __str__ = Endless.__str__


def complains(x, times=1):
    raise Complaint


def check(answer):
    return check_answer(catalogue(), named("double", answer), seed=1)


def check_in_a_thread(answer):
    found = []
    worker = threading.Thread(target=lambda: found.append(check(answer)))
    worker.start()
    worker.join(60)
    return found[0]


# A sleep is one call of C: only a signal ends it.
ENDLESS = [(check, answer) for answer in (loops, loops_and_catches, prints, complains)]
ENDLESS += [(check, sleeps)] * hasattr(signal, "setitimer")
ENDLESS += [(check_in_a_thread, answer) for answer in (loops, loops_and_catches, prints)]


@pytest.mark.parametrize(("check_it", "answer"), ENDLESS)
def test_an_endless_answer_is_ended(check_it, answer):
    assert {case.message for case in check_it(answer).cases} == {SLOW}
    if hasattr(signal, "getitimer"):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert check(double).passed


@pytest.mark.parametrize("clock", ["_signals", "_thread"])
def test_only_the_inputs_that_take_forever_are_slow(monkeypatch, clock):
    """The next one may wait for a busy machine, many ticks long."""
    monkeypatch.setattr(limits, "PATIENCE", 1000)
    monkeypatch.setattr(limits, "_has_signals", lambda: clock == "_signals")

    def answer(x, times=1):
        time.sleep(3 * limits.TICK)
        return double(x, times) if times == 1 else loops(x)

    assert [case.passed for case in check(answer).cases] == [True, False, True]


def waits(x, times=1):
    time.sleep(0.4 * (x.size == 1))
    return double(x, times)


@pytest.mark.parametrize("clock", ["_signals", "_thread"])
def test_a_busy_machine_ends_no_answer(monkeypatch, clock):
    """Longer on the wall than the limit, which is the processor's time."""
    monkeypatch.setattr(limits, "PATIENCE", 1000)
    monkeypatch.setattr(limits, "_has_signals", lambda: clock == "_signals")
    assert check(waits).passed


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no alarm here")
def test_an_alarm_of_the_caller_s_own_comes_back():
    def mine(number, frame):
        pass

    before = signal.signal(signal.SIGALRM, mine)
    try:
        check(double)
        assert signal.getsignal(signal.SIGALRM) is mine
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
@pytest.mark.parametrize("gpu", [False, True])
def test_a_huge_array_is_refused(monkeypatch, gpu):
    """Also where there is a GPU: its driver reserves addresses by the terabyte."""
    import resource

    if gpu:
        monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr(limits, "ROOM", 1 << 29)
    before = resource.getrlimit(resource.RLIMIT_DATA)
    for answer in (
        lambda x, times=1: np.ones(1 << 28),
        lambda x, times=1: np.ones((10**6, 10**6)),
        lambda x, times=1: [0] * (1 << 28),
    ):
        assert {case.message for case in check(answer).cases} == {FULL}
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def reserves(x, times=1):
    mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE, prot=0).close()
    return double(x, times)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_addresses_that_are_only_reserved_are_free():
    assert check(reserves).passed
