"""The linear layer that lets oneDNN multiply: the same numbers, and only where nobody minds."""

import pytest
import torch
import torch.nn.functional as F
from attention_variants import equal
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from course_lib import MultiHeadAttention
from course_lib.kernels import Linear, choose
from course_lib.kernels.choose import choose_linear, plain_inference

WIDTH = 128
ROWS = choose.LARGE // WIDTH**2  # the fewest that are worth oneDNN's start


@pytest.fixture(autouse=True)
def onednn(monkeypatch):
    """On every processor that has the library, also where it would not be faster."""
    if not torch.backends.mkldnn.is_available():
        pytest.skip("this torch was built without oneDNN")
    monkeypatch.setattr(choose, "_has_onednn", lambda: True)


def path(x, layer):
    return choose_linear(x, layer.weight, layer.bias).name


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("layout", ["contiguous", "transposed", "every other", "flat"])
@torch.no_grad()
def test_the_numbers_of_torch(bias, layout):
    layer = Linear(WIDTH, 3 * WIDTH, bias=bias)
    x = {
        "contiguous": torch.randn(2, ROWS + 3, WIDTH),
        "transposed": torch.randn(ROWS, 2, WIDTH).transpose(0, 1),
        "every other": torch.randn(2, ROWS, 2 * WIDTH)[..., ::2],
        "flat": torch.randn(ROWS, WIDTH),
    }[layout]
    assert path(x, layer) == "onednn"
    equal(layer(x), F.linear(x, layer.weight, layer.bias))
    layer.weight = nn.Parameter(torch.randn(WIDTH, 3 * WIDTH).T / WIDTH**0.5)
    equal(layer(x), F.linear(x, layer.weight, layer.bias))


@pytest.mark.filterwarnings("ignore:TF32 acceleration")  # torch's switch sets a second one too
@torch.no_grad()
def test_where_it_begins():
    layer, x = Linear(WIDTH, WIDTH), torch.randn(ROWS, WIDTH)
    assert path(x, layer) == "onednn"
    assert path(x[1:], layer) == "torch"
    with torch.backends.mkldnn.flags(enabled=False):
        assert path(x, layer) == "torch"
    assert path(x.double(), layer.double()) == "torch"


def test_whoever_minds_gets_torch():
    layer, x = Linear(WIDTH, WIDTH), torch.randn(ROWS, WIDTH)
    assert path(x, layer) == "torch"  # its weights want gradients
    layer(x).sum().backward()
    equal(layer.bias.grad, torch.full((WIDTH,), float(ROWS)))
    layer.requires_grad_(False)
    assert path(x, layer) == "onednn"
    assert path(x.clone().requires_grad_(), layer) == "torch"
    assert path(x.as_subclass(type("Logged", (torch.Tensor,), {})), layer) == "torch"
    seen = []

    class Spy(Linear):
        def forward(self, input):
            seen.append(path(input, self))
            return super().forward(input)

    spy = Spy(WIDTH, WIDTH).requires_grad_(False)
    equal(torch.vmap(spy)(x[None]), spy(x)[None])
    equal(torch.func.grad(lambda x: spy(x).sum())(x)[0], spy.weight.sum(0))
    with torch.autocast("cpu", torch.bfloat16):
        assert spy(x).dtype == torch.bfloat16
    assert seen == ["torch", "onednn", "torch", "torch"]
    with FlopCounterMode(display=False) as counter:
        spy(x)
    assert counter.get_total_flops() == 2 * ROWS * WIDTH**2
    spy.weight = nn.Parameter(spy.weight.to_sparse(), requires_grad=False)
    assert path(x, spy) == "torch"


@pytest.mark.filterwarnings("ignore:`torch.jit.trace")
@torch.no_grad()
def test_a_trace_holds_for_other_sizes():
    layer, x = Linear(WIDTH, WIDTH), torch.randn(ROWS, WIDTH)
    traced = torch.jit.trace(layer, x)
    assert "mkldnn" not in str(traced.inlined_graph)
    equal(traced(x[:3]), layer(x[:3]))
    found = []
    torch.jit.trace(lambda x: found.append(plain_inference(x)) or 2 * x, x, check_trace=False)
    assert plain_inference(x) and found == [False]


@torch.no_grad()
def test_the_future_leaves_earlier_words_bit_identical():
    attention = MultiHeadAttention(WIDTH, 4)
    x = torch.randn(1, ROWS, WIDTH)
    assert path(x, attention.W_q) == "onednn"
    before = attention(x, is_causal=True, need_weights=True)
    x[:, ROWS // 2 :] += 1
    after = attention(x, is_causal=True, need_weights=True)
    for a, b in zip(before, after, strict=True):
        assert torch.equal(a[..., : ROWS // 2, :], b[..., : ROWS // 2, :])


@torch.no_grad()
def test_what_does_not_fit_gets_the_error_of_torch():
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        Linear(WIDTH, WIDTH)(torch.randn(2 * ROWS, WIDTH - 1))


def test_its_parameters_are_those_of_torch():
    layer, plain = Linear(3, 4), nn.Linear(3, 4)
    plain.load_state_dict(layer.state_dict())
    x = torch.randn(2, 3)
    assert torch.equal(layer(x), plain(x))
