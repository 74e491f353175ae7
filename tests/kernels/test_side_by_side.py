"""Parts on threads of their own: the same numbers, and nothing is left changed in torch."""

import multiprocessing
import sys
import threading

import pytest
import torch

import course_lib.kernels.additive_blocked as blocked
from course_lib.kernels import additive_attention, choose
from course_lib.kernels.side_by_side import _pool, side_by_side

CPU = torch.device("cpu")


@pytest.fixture(params=[1, 2, 3])
def threads(request):
    torch.set_num_threads(request.param)
    _pool.cache_clear()
    yield request.param
    torch.set_num_threads(1)


def results(N: int) -> list[torch.Tensor]:
    torch.manual_seed(0)
    shapes = (N, 6, 4), (N, 7, 4), (4,), (N, 7, 3)
    tensors = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    out = additive_attention(*tensors)
    return [out.detach(), *torch.autograd.grad(out.square().sum(), tensors)]


@pytest.mark.parametrize("N", [1, 2, 5])
@pytest.mark.parametrize("block", [30, 60, 200, 10_000])  # one row, some, a sentence, all
def test_any_number_of_threads_gives_the_same_numbers(N, block, threads, monkeypatch):
    expected = results(N)  # by the formula
    monkeypatch.setattr(choose, "MAX_READABLE", 0)
    monkeypatch.setattr(blocked, "BLOCK_NUMBERS", block)
    first, second = results(N), results(N)
    for x, again, y in zip(first, second, expected, strict=True):
        torch.testing.assert_close(x, y, atol=1e-12, rtol=0)
        assert torch.equal(x, again)  # sums in one order


def test_every_item_is_in_one_part_and_no_operation_starts_a_thread(threads):
    seen = side_by_side(lambda part: (part, torch.get_num_threads()), range(7), CPU)
    assert [i for part, _ in seen for i in part] == list(range(7))
    assert len(seen) == threads
    assert all(inner == 1 for _, inner in seen)
    assert torch.get_num_threads() == threads


def test_later_threads_begin_with_the_number_that_was_set(threads):
    side_by_side(list, range(7), CPU)
    found = []
    thread = threading.Thread(target=lambda: found.append(torch.get_num_threads()))
    thread.start()
    thread.join()
    assert found == [threads]


def test_parts_record_nothing_and_keep_to_inference_mode(threads):
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        assert not any(side_by_side(lambda _: (x * 2).requires_grad, range(7), CPU))
    with torch.inference_mode():
        out = torch.empty(7)  # may be written in inference mode alone

        def write(part):
            out[part.start : part.stop] = 1

        side_by_side(write, range(7), CPU)
    assert out.tolist() == [1] * 7


def test_an_error_in_a_part_arrives(threads):
    with pytest.raises(ZeroDivisionError):
        side_by_side(lambda part: [1 / i for i in part], range(7), CPU)
    assert side_by_side(sum, range(7), CPU)  # and the threads are there for the next call


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not fork")
def test_a_forked_process_has_threads_of_its_own(threads):
    side_by_side(list, range(7), CPU)
    process = multiprocessing.get_context("fork").Process(
        target=side_by_side, args=(list, range(7), CPU)
    )
    process.start()
    process.join(30)
    process.kill()  # threads that are not there would be waited for without end
    assert process.exitcode == 0
