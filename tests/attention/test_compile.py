"""torch.compile takes every attention as one graph.

In a process of its own: shape checking wraps each function, and the compiler would look inside.
"""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # a process of its own; `make quick` leaves it to `make test`

EACH_KIND = [
    "additive",
    "grouped-query",
    "hard",
    "luong-concat-local-p",
    "luong-dot-local-m",
    "luong-general-global",
    "scaled-dot",
]
BACKENDS = {"eager": EACH_KIND, "aot_eager": ["multi-head"]}
if sys.platform == "linux":  # elsewhere a C++ compiler is not promised
    BACKENDS["inductor"] = ["additive"]
SCRIPT = f"""
import sys
import torch

sys.path.insert(0, {str(Path(__file__).parent)!r})
from attention_variants import build, draw, tolerance
from course_lib import MultiHeadAttention, padding_mask
from course_lib.transformer import EncoderDecoder

torch.set_num_threads(1)
for backend, name in {[(backend, name) for backend, names in BACKENDS.items() for name in names]}:
    print(backend, name, flush=True)
    torch.compiler.reset()  # each is compiled for itself, not against a limit for all
    attention = build(name, dtype=torch.float32)
    query, keys = draw(2, 3, 5, dtype=torch.float32)
    mask = padding_mask([5, 2])
    compiled = torch.compile(attention, fullgraph=True, backend=backend)
    for need_weights in (True, False):
        expected, _ = attention(query, keys, mask=mask, need_weights=need_weights)
        context, _ = compiled(query, keys, mask=mask, need_weights=need_weights)
        torch.testing.assert_close(context, expected, **tolerance(torch.float32))
        if backend != "eager" and expected.requires_grad:
            parameters = list(attention.parameters())
            for a, b in zip(
                torch.autograd.grad(context.sum(), parameters),
                torch.autograd.grad(expected.sum(), parameters),
                strict=True,
            ):
                torch.testing.assert_close(a, b, **tolerance(torch.float32))

print("a model with padding", flush=True)
torch.compiler.reset()
model = EncoderDecoder(20, 20, d_model=8, num_heads=2, num_layers=1, d_hidden=8).eval()
source, target = torch.randint(20, (2, 5)), torch.randint(20, (2, 3))
inputs = source, torch.tensor([5, 3]), target
compiled = torch.compile(model, fullgraph=True, backend="eager")
torch.testing.assert_close(compiled(*inputs), model(*inputs))

print("what the docstring of MultiHeadAttention says of symbolic_trace", flush=True)
try:
    torch.fx.symbolic_trace(MultiHeadAttention(8, 2))
except torch.fx.proxy.TraceError:
    pass
else:
    raise AssertionError("it traces now: mend the docstring")
"""


def test_one_graph_with_the_same_numbers():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]  # the last line says of what
