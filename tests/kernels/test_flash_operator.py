"""How the Triton kernels of flash attention are launched: views, shares of the keys, operators."""

import os
import subprocess
import sys
import textwrap

import pytest
import torch
from kernel_paths import gap, readable_flash

if sys.platform != "linux":
    pytest.skip("Triton is made for Linux", allow_module_level=True)
pytest.importorskip("triton", reason="Triton is not installed")
from course_lib.kernels import flash_operator
from course_lib.kernels.flash_operator import split_keys, triton_flash

# The interpreter takes tensors on the CPU, compiled kernels those on the GPU.
DEVICE = "cpu" if os.environ.get("TRITON_INTERPRET") == "1" else "cuda"
if DEVICE == "cuda":
    pytestmark = [
        pytest.mark.cuda,
        pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA device"),
    ]


def inputs(H=4, h=2, T=5, S=9, d=16, dtype=torch.float32):
    shapes = (2, H, T, d), (2, h, S, d), (2, h, S, d)
    return [torch.randn(s, dtype=dtype, device=DEVICE) for s in shapes]


def readable(q, k, v):
    return readable_flash(q, k, v, is_causal=True, scale=0.2)


def fast(q, k, v):
    return triton_flash(q, k, v, True, 0.2)


def test_views_are_read_where_they_lie(monkeypatch):
    """(N, T, H, d) with the heads moved forward, as every layer has it, and a slice of a cache."""
    q, k, v = inputs()
    q, k = (x.transpose(1, 2).contiguous().transpose(1, 2) for x in (q, k))
    v = torch.cat([v, v], 2)[:, :, 9:]
    assert not any(x.is_contiguous() for x in (q, k, v))
    assert all(x is y for x, y in zip(flash_operator._rows(q, k, v), (q, k, v), strict=True))
    assert gap(fast, readable, [q, k, v]) < 1e-5
    assert gap(fast, readable, [x.mT.contiguous().mT for x in (q, k, v)]) < 1e-5  # these are copied


def test_a_gradient_that_repeats_one_number():
    q, k, v = (x.requires_grad_() for x in inputs())
    both = [torch.autograd.grad(f(q, k, v).sum(), (q, k, v)) for f in (fast, readable)]
    torch.testing.assert_close(*both, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("T, S", [(1, 200), (5, 130), (40, 35)])
def test_programs_share_the_keys_of_few_queries(T, S, monkeypatch):
    monkeypatch.setattr(flash_operator, "split_keys", lambda *_: (-(-S // 64), 64))
    assert gap(fast, readable, inputs(T=T, S=S)) < 1e-5
    q, k, v = inputs(T=T, S=S, dtype=torch.float16)
    torch.testing.assert_close(fast(q, k, v), readable(q, k, v), atol=4e-3, rtol=4e-3)


def test_how_many_share():
    assert split_keys(1, 8192, 64, 132) == (16, 512)  # no share is shorter
    assert split_keys(32, 8192, 64, 132) == (4, 2048)
    assert split_keys(132, 8192, 64, 132) == (1, 8192)  # every processor has work
    assert split_keys(1, 700, 64, 132) == (1, 700)
    shares, span = split_keys(3, 5000, 64, 132)
    assert span % 64 == 0 and (shares - 1) * span < 5000 <= shares * span


def test_kernels_run_on_the_device_of_their_inputs(monkeypatch):
    inner, seen = torch.cuda.device_of, []
    monkeypatch.setattr(torch.cuda, "device_of", lambda x: seen.append(x) or inner(x))
    q, k, v = (x.requires_grad_() for x in inputs())
    fast(q, k, v).sum().backward()
    assert len(seen) == 3 and all(x.shape == q.shape for x in seen)  # three kernels


PROGRAM = f"""
    import torch
    torch.set_default_device("{DEVICE}")
    from torch.library import opcheck
    from course_lib.kernels import additive_attention, additive_operator, choose
    from course_lib.kernels import flash_attention, flash_operator

    shapes = (2, 4, 5, 16), (2, 2, 9, 16), (2, 2, 9, 16)
    q, k, v = (torch.randn(s).transpose(1, 2).contiguous().transpose(1, 2) for s in shapes)
    q, k, v = leaves = [x.requires_grad_() for x in (q, k, v)]
    opcheck(flash_operator.flash, (q, k, v, True, 0.2))

    def fast(q, k, v):
        return flash_operator.triton_flash(q * 2, k, v, True, 0.2)

    graphs = []
    def backend(graph, _):
        graphs.append(graph.print_readable(print_output=False))
        return graph
    torch.testing.assert_close(torch.compile(fast, backend=backend, fullgraph=True)(*leaves),
                               fast(*leaves))
    assert "torch.ops.course_lib.flash" in graphs[0], graphs[0]
    compiled = torch.compile(fast, backend="aot_eager", fullgraph=True)
    both = [torch.autograd.grad(f(*leaves).square().sum(), leaves) for f in (compiled, fast)]
    torch.testing.assert_close(*both)

    # The public functions, as if the interpreter's tensors were on a GPU.
    choose.GPU = "{DEVICE}"
    opcheck(additive_operator.additive, (q[:, 0], k[:, 0], v[0, 0, 0], v[:, 0], None))
    leaves = q[:, 0], k[:, 0], v[0, 0, 0], v[:, 0], torch.rand(2, 5, 9) > 0.3
    for f, inputs, name in (
        (lambda *x: flash_attention(*x, is_causal=True), (q, k, v), "flash"),
        (additive_attention, leaves, "additive"),
    ):
        expected = f(*inputs)
        found = torch.compile(f, backend=backend, fullgraph=True)(*inputs)
        torch.testing.assert_close(found, expected)
        assert f"torch.ops.course_lib.{{name}}" in graphs[-1], graphs[-1]
"""


def test_a_compiled_graph_keeps_the_kernel():
    """In a process of its own: shape checking wraps each function, and dynamo would look inside."""
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
