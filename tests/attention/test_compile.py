"""torch.compile takes every attention as one graph.

In a process of its own: shape checking wraps each function, and the compiler would look inside.
"""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # a process each; `make quick` leaves them to `make test`

SCRIPT = """
    import sys
    import torch

    sys.path.insert(0, {tests!r})
    from attention_variants import build, draw, tolerance
    from course_lib import padding_mask

    torch.set_num_threads(1)
    for name in {names}:
        torch.compiler.reset()  # each is compiled for itself, not against a limit for all
        attention = build(name, dtype=torch.float32)
        query, keys = draw(2, 3, 5, dtype=torch.float32)
        mask = padding_mask([5, 2])
        compiled = torch.compile(attention, fullgraph=True, backend={backend!r})
        for need_weights in (True, False):
            expected, _ = attention(query, keys, mask=mask, need_weights=need_weights)
            context, _ = compiled(query, keys, mask=mask, need_weights=need_weights)
            torch.testing.assert_close(context, expected, **tolerance(torch.float32))
            if {backend!r} != "eager" and expected.requires_grad:
                parameters = list(attention.parameters())
                for a, b in zip(
                    torch.autograd.grad(context.sum(), parameters),
                    torch.autograd.grad(expected.sum(), parameters),
                    strict=True,
                ):
                    torch.testing.assert_close(a, b, **tolerance(torch.float32))
"""


EACH_KIND = [
    "additive",
    "grouped-query",
    "hard",
    "luong-concat-local-p",
    "luong-dot-local-m",
    "luong-general-global",
    "scaled-dot",
]


@pytest.mark.parametrize(
    ("backend", "names"),
    [
        ("eager", EACH_KIND),
        ("aot_eager", ["multi-head"]),
        pytest.param(
            "inductor",
            ["additive"],
            marks=pytest.mark.skipif(
                sys.platform != "linux", reason="a C++ compiler is promised on Linux alone"
            ),
        ),
    ],
)
def test_one_graph_with_the_same_numbers(backend, names):
    run(SCRIPT.format(tests=str(Path(__file__).parent), backend=backend, names=names))


def test_a_model_with_padding_is_one_graph():
    run("""
        import torch
        from course_lib.transformer import EncoderDecoder

        model = EncoderDecoder(20, 20, d_model=8, num_heads=2, num_layers=1, d_hidden=8).eval()
        source, target = torch.randint(20, (2, 5)), torch.randint(20, (2, 3))
        inputs = source, torch.tensor([5, 3]), target
        compiled = torch.compile(model, fullgraph=True, backend="eager")
        torch.testing.assert_close(compiled(*inputs), model(*inputs))
    """)


def run(script):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
