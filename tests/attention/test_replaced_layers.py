"""Layers that a user puts in the place of ours: with low-rank matrices beside, or quantized."""

import copy
import warnings

import pytest
import torch
from torch import nn

from course_lib import AdditiveAttention, LatentAttention, LuongAttention, MultiHeadAttention
from course_lib.transformer import LanguageModel
from course_lib.translation import Seq2Seq


class LowRank(nn.Module):
    """W x + B A x, and nothing that says its sizes."""

    def __init__(self, linear):
        super().__init__()
        self.linear = linear.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(2, linear.in_features))
        self.B = nn.Parameter(torch.zeros(linear.out_features, 2))

    def forward(self, x):
        return self.linear(x) + x @ self.A.T @ self.B.T


ATTENTIONS = {
    "heads": lambda: MultiHeadAttention(8, 2, rotary_base=100.0, gate=True),
    "latent": lambda: LatentAttention(8, 2, latent_dim=4, rotary_dim=2),
    "additive": lambda: AdditiveAttention(8, 8, 4),
    "general": lambda: LuongAttention(8, 8, score="general"),
    "local": lambda: LuongAttention(8, 8, score="dot", scope="local-p"),
}
READ = {"additive": ("v_a",)}  # not only called


@pytest.mark.parametrize("name", ATTENTIONS)
def test_low_rank_matrices_beside_each_map(name, as_a_user):
    attention, x = ATTENTIONS[name](), torch.randn(2, 3, 8)
    expected = attention(x, x)[0]
    maps = [n for n, m in attention.named_children() if isinstance(m, nn.Linear)]
    for n in (n for n in maps if n not in READ.get(name, ())):
        setattr(attention, n, LowRank(getattr(attention, n)))
    torch.testing.assert_close(attention(x, x)[0], expected)
    attention(x, x)[0].sum().backward()
    again = copy.deepcopy(attention).to(torch.float64)
    torch.testing.assert_close(again(x.double(), x.double())[0].float(), expected)


@pytest.mark.parametrize(
    ("attention", "layer", "options"),
    [
        (ATTENTIONS["latent"](), "W_v", {"absorbed": True}),
        (ATTENTIONS["additive"](), "v_a", {}),
        (LuongAttention(8, 8, score="concat"), "W_a", {}),
    ],
)
def test_a_map_that_is_read_needs_its_matrix(attention, layer, options, as_a_user):
    setattr(attention, layer, LowRank(getattr(attention, layer)))
    with pytest.raises(TypeError, match=f"{layer} must be a layer with a weight.*LowRank"):
        attention(torch.randn(2, 3, 8), torch.randn(2, 3, 8), **options)


MODELS = {
    **{f"{p}": (lambda p=p: LanguageModel(9, d_model=8, num_heads=2, positions=p))
       for p in ("rotary", "learned")},
    **{f"seq2seq {a}": (lambda a=a: Seq2Seq(9, 9, hidden_dim=8, attention=a))
       for a in ("additive", "concat", "local-p")},
}  # fmt: skip
TOKENS = torch.tensor([[4, 5, 6], [7, 8, 4]])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_quantized_layers(name, as_a_user):
    with warnings.catch_warnings(action="ignore"):
        model = MODELS[name]().eval()
        small = torch.ao.quantization.quantize_dynamic(copy.deepcopy(model), {nn.Linear})
    given = (TOKENS,) if isinstance(model, LanguageModel) else (TOKENS, [3, 2], TOKENS)
    for one in (small, copy.deepcopy(small).to("cpu")):
        found, expected = one(*given)[0], model(*given)[0]
        assert (found - expected).abs().max() < 0.1 * expected.abs().max()
