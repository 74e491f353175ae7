"""Speculative decoding against the large model alone."""

import itertools

import pytest
import torch

from course_lib.generation import (
    generate,
    sampling_probabilities,
    speculative_decode,
)
from course_lib.transformer import LanguageModel

V = 3
PROMPT = torch.tensor([[0, 2, 1]])


def build(seed, vocab_size=V, **settings):
    torch.manual_seed(seed)
    sizes = {"d_model": 8, "num_heads": 2, "num_layers": 2, "d_hidden": 8}
    model = LanguageModel(vocab_size, **sizes, **settings).double()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)  # with the usual ones every model repeats its last token
    return model


def nearly(model):
    """A draft that is often right."""
    for parameter in model.parameters():
        parameter.data += 0.2 * torch.randn_like(parameter)
    return model


def counted(model, calls):
    read = model.read
    model.read = lambda tokens, state: calls.append(tokens.shape[1]) or read(tokens, state)
    return model


class Table(torch.nn.Module):
    """A model whose next token depends on the last one alone, and which counts what it reads."""

    def __init__(self, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.logits = torch.randn(V, V, dtype=torch.float64)
        self.length = 0

    def start(self):
        return self

    def read(self, tokens, state):
        self.length += tokens.shape[1]
        return self.logits[tokens], self

    def crop(self, length):
        assert length <= self.length
        self.length = length


@pytest.mark.parametrize(
    ("ahead", "settings"),
    [(1, {"temperature": 1.0}), (5, {"temperature": 1.0}), (2, {"temperature": 0.7, "top_p": 0.8})],
)
def test_the_text_is_distributed_as_the_target_says(ahead, settings):
    """All 27 texts of three tokens: χ² below what one run in 10⁵ exceeds."""
    n = 800
    p = sampling_probabilities(Table(0).logits, **settings)
    expected = {
        tail: n * p[[1, *tail[:-1]], tail].prod().item()
        for tail in itertools.product(range(V), repeat=3)
    }
    assert sum(expected.values()) == pytest.approx(n)
    generator, found = torch.Generator().manual_seed(0), dict.fromkeys(expected, 0)
    for _ in range(n):
        models = Table(0), Table(1)
        text = speculative_decode(*models, PROMPT, 3, ahead=ahead, generator=generator, **settings)
        assert models[0].length == text.shape[1] - 1
        found[tuple(text[0, 3:].tolist())] += 1
    assert all(found[tail] == 0 for tail, count in expected.items() if count == 0)
    seen = [tail for tail, count in expected.items() if count > 0]
    assert sum((found[t] - expected[t]) ** 2 / expected[t] for t in seen) < 70


@pytest.mark.parametrize("ahead", [1, 3, 8])
@pytest.mark.parametrize("positions", ["sinusoidal", "rotary", "alibi"])
def test_greedy_writes_what_the_target_writes(ahead, positions):
    target = build(0, 11, positions=positions, dropout=0.5)
    draft = nearly(build(0, 11, positions=positions))
    calls = []
    text = speculative_decode(counted(target, calls), draft, PROMPT, 20, ahead=ahead)
    assert torch.equal(text, generate(build(0, 11, positions=positions), PROMPT, 20))
    assert 20 / (ahead + 1) < len(calls) < 20 and target.training


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_draft_equal_to_the_target_is_never_refused(temperature):
    calls = []
    target, draft = counted(build(0, 11), calls), build(0, 11)
    generator = torch.Generator().manual_seed(0)
    settings = {"temperature": temperature, "generator": generator}
    text = speculative_decode(target, draft, PROMPT, 20, ahead=4, **settings)
    assert text.shape == (1, 23)
    assert calls == [3 + 4, 5, 5, 5]  # five tokens a call; the prompt is read with the first


def test_a_draft_that_is_always_wrong_costs_a_call_for_each_token():
    calls, target = [], build(0, 11)
    expected = generate(target, PROMPT, 12)

    class Wrong(LanguageModel):
        def read(self, tokens, state):
            _, state = super().read(tokens, state)
            right = target(expected[:, : state.length])[0][:, -1].argmax(-1)
            return torch.nn.functional.one_hot((right + 1) % 11, 11).double()[:, None], state

    torch.manual_seed(1)
    draft = Wrong(11, d_model=8, num_heads=2, num_layers=1, d_hidden=8).double()
    counted(target, calls)
    assert torch.equal(speculative_decode(target, draft, PROMPT, 12), expected)
    assert len(calls) == 12


def test_nothing_is_added_when_nothing_is_asked():
    assert torch.equal(speculative_decode(build(0), build(1), PROMPT, 0), PROMPT)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"prompt": PROMPT.expand(2, 3)}, "got 2 texts"),
        ({"ahead": 0}, "ahead must be at least 1, got 0"),
        ({"draft": build(1, 5)}, "11 and 5 tokens"),
        ({"target": build(0, 11, window=2)}, "window has already forgotten"),
    ],
)
def test_bad_input(change, words, as_a_user):
    models = {"target": build(0, 11), "draft": build(1, 11)}
    given = models | {"prompt": PROMPT, "num_tokens": 9} | change
    with pytest.raises(ValueError, match=words):
        speculative_decode(**given)
