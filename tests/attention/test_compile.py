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
LENGTHS = f"""
import sys
import torch

sys.path.insert(0, {str(Path(__file__).parent)!r})
from attention_variants import VARIANTS, build, draw, tolerance
from course_lib import KeyValueCache, LatentAttention, MultiHeadAttention, linear_attention
from course_lib import scaled_dot_product_attention

torch.set_num_threads(1)
graphs = []


def backend(graph, inputs):
    graphs.append(graph)
    return graph


def compare(name, function, make, lengths, most=1):
    print(name, flush=True)
    torch.compiler.reset()
    graphs.clear()
    compiled = torch.compile(function, fullgraph=True, dynamic=True, backend=backend)
    for length in lengths:
        given = make(*length)
        torch.testing.assert_close(compiled(*given), function(*given), **tolerance(torch.float32))
    assert len(graphs) <= most, f"{{len(graphs)}} graphs: a length is part of one"


PAIRS = (3, 5), (4, 7), (6, 9), (7, 4), (5, 5)
for name in VARIANTS:
    attention = build(name, dtype=torch.float32)

    def context(query, keys, attention=attention):
        return attention(query, keys, need_weights=False)[0]

    compare(name, context, lambda T, S: draw(2, T, S, dtype=torch.float32), PAIRS)


def bottom_right(query, keys):
    return scaled_dot_product_attention(query, keys, keys, is_causal=True, need_weights=False)[0]


compare("causal", bottom_right, lambda T, S: draw(2, T, S, dtype=torch.float32), PAIRS, most=2)
heads = MultiHeadAttention(8, 2, rotary_base=100.0)
latent = LatentAttention(8, 2, latent_dim=4, rotary_dim=2, rotary_base=100.0)
for attention, window in (heads, None), (heads, 4), (latent, None):

    def in_two_pieces(first, second, window=window, attention=attention):
        cache = KeyValueCache(window)
        attention(first, cache=cache, is_causal=True)
        return attention(second, cache=cache, is_causal=True)[0]

    name = f"{{type(attention).__name__}}, a cache with window {{window}}"
    compare(name, in_two_pieces, lambda T, S: draw(2, T, S, dtype=torch.float32), PAIRS, most=2)
compare("linear", lambda q, k: linear_attention(q, k, k), lambda T, S: draw(2, T, S), PAIRS)

print("one cache, many steps", flush=True)
torch.compiler.reset()
graphs.clear()
compiled = torch.compile(heads, fullgraph=True, dynamic=True, backend=backend)
for grad in (True, False):
    ours, theirs = KeyValueCache(), KeyValueCache()
    with torch.set_grad_enabled(grad):
        for T in (3, 2, 4, 2, 3, 5, 6):
            x = torch.randn(2, T, 8)
            found = compiled(x, cache=ours, is_causal=True)[0]
            expected = heads(x, cache=theirs, is_causal=True)[0]
            torch.testing.assert_close(found, expected)
assert len(graphs) <= 6, f"{{len(graphs)}} graphs for 14 steps: a length is part of one"
"""


@pytest.mark.parametrize("script", [SCRIPT, LENGTHS], ids=["once", "lengths"])
def test_one_graph_with_the_same_numbers(script):
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]  # the last line says of what
