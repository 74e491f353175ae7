"""A check that reads numbers stops no graph and no transform, and asks for no default device."""

import pytest
import torch
from torch.func import functional_call, grad, vmap

from course_lib import padding_mask, sinusoidal_positions
from course_lib.generation import sampling_probabilities
from course_lib.transformer import EncoderDecoder, LanguageModel

TOKENS = torch.tensor([[1, 2, 3], [4, 5, 6]])
SIZES = {"d_model": 8, "num_heads": 2, "d_hidden": 8, "num_layers": 1, "dropout": 0.0}
INTEGERS = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64")


def per_text(model, *given):
    """The gradient of each text's own loss, all at once."""

    def loss(parameters, *one):
        found = functional_call(model, parameters, tuple(x[None] for x in one))
        return (found if isinstance(found, torch.Tensor) else found[0]).square().mean()

    axes = (None, *(0 for _ in given))
    return vmap(grad(loss), axes)({n: p.detach() for n, p in model.named_parameters()}, *given)


class At(LanguageModel):
    def forward(self, tokens, positions):
        return super().forward(tokens, positions=positions)


class Twice(EncoderDecoder):
    def forward(self, source, lengths):
        return super().forward(source, lengths, source)


@pytest.mark.parametrize("positions", ["learned", "sinusoidal", "rotary"])
def test_a_gradient_for_each_text(positions, as_a_user):
    rows = torch.tensor([[0, 1, 2], [2, 3, 4]])
    given = {"positions": positions, **SIZES}
    pairs = (At(9, **given), rows), (Twice(9, 9, **given), torch.tensor([3, 2]))
    for model, more in pairs:
        together = per_text(model, TOKENS, more)
        for i in range(2):
            found = model(TOKENS[i : i + 1], more[i : i + 1])
            found = found if isinstance(found, torch.Tensor) else found[0]
            alone = torch.autograd.grad(
                found.square().mean(), list(model.parameters()), allow_unused=True
            )
            for (name, _), expected in zip(model.named_parameters(), alone, strict=True):
                if expected is not None:
                    torch.testing.assert_close(together[name][i], expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("f", "make"),
    [
        (lambda x: sampling_probabilities(x, top_k=3, top_p=0.9), lambda n: torch.randn(2, n)),
        (lambda x: sinusoidal_positions(x.shape[0], 4), lambda n: torch.randn(n)),
        (lambda x: padding_mask(torch.tensor([1, 2]), x.shape[0]), lambda n: torch.randn(n)),
    ],
    ids=["sampling", "sinusoids", "padding"],
)
def test_in_one_graph(f, make, as_a_user):
    torch.compiler.reset()
    compiled = torch.compile(f, fullgraph=True, backend="eager")
    for length in (4, 5, 6):
        given = make(length)
        torch.testing.assert_close(compiled(given), f(given))


def test_lengths_stay_where_they_are():
    torch.set_default_device("meta")
    try:
        mask = padding_mask(torch.tensor([1, 2], device="cpu"), 3)
    finally:
        torch.set_default_device("cpu")
        torch.set_default_device(None)
    assert mask.tolist() == [[[True, False, False]], [[True, True, False]]]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_every_kind_of_integer(dtype, as_a_user):
    kind = getattr(torch, dtype)
    for length in (None, 3):
        mask = padding_mask(torch.tensor([1, 3], dtype=kind), length)
        assert torch.equal(mask, padding_mask([1, 3], length))
    model = LanguageModel(9, positions="learned", **SIZES)
    at = torch.tensor([0, 1, 2], dtype=kind)
    torch.testing.assert_close(model(TOKENS, positions=at)[0], model(TOKENS)[0])
