"""Choosing the next token."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.generation import evaluating, sample, sampling_probabilities
from course_lib.transformer import LanguageModel

LOGITS = torch.tensor([[0.5, 0.3, 0.15, 0.05]]).log()


def probabilities(**settings):
    return [round(p, 4) for p in sampling_probabilities(LOGITS, **settings)[0].tolist()]


def test_what_is_kept():
    assert probabilities(top_k=2) == [0.625, 0.375, 0, 0]
    assert probabilities(top_p=0.5) == [1, 0, 0, 0]  # it reaches p by itself
    assert probabilities(top_p=0.51) == [0.625, 0.375, 0, 0]  # the token that crosses is kept
    assert probabilities(top_k=3, top_p=0.8) == [0.625, 0.375, 0, 0]  # of 50/95 and 30/95
    assert probabilities(top_p=1.0) == probabilities(top_k=9) == probabilities()
    squares = [p**2 for p in (0.5, 0.3, 0.15, 0.05)]
    assert probabilities(temperature=0.5) == [round(p / sum(squares), 4) for p in squares]


def test_equal_logits_keep_exactly_k():
    assert sampling_probabilities(torch.zeros(2, 5), top_k=2).tolist() == [[0.5, 0.5, 0, 0, 0]] * 2


@given(st.integers(1, 6), st.floats(0.05, 1.0), st.integers(2, 6))
def test_the_smallest_set_that_reaches_p(top_k, top_p, V):
    p = torch.randn(V, dtype=torch.float64).softmax(-1)
    kept = sampling_probabilities(p.log(), top_k=top_k, top_p=top_p) > 0
    order = p.argsort(descending=True)[:top_k].tolist()
    share, chosen = p[order] / p[order].sum(), 1
    while chosen < len(order) and share[:chosen].sum() < top_p:
        chosen += 1
    assert set(kept.nonzero().flatten().tolist()) == set(order[:chosen])


def test_draws_follow_the_probabilities(device):
    generator = torch.Generator(device).manual_seed(0)
    drawn = sample(LOGITS.to(device).expand(20_000, 4), top_k=3, generator=generator)
    found = drawn.bincount(minlength=4).cpu() / 20_000
    expected = sampling_probabilities(LOGITS, top_k=3)[0]
    assert (found - expected).abs().max() < 0.02 and found[3] == 0
    again = torch.Generator(device).manual_seed(0)
    assert torch.equal(drawn, sample(LOGITS.to(device).expand(20_000, 4), top_k=3, generator=again))


def test_temperature_zero_is_greedy_whatever_is_kept():
    logits = torch.randn(3, 2, 9)
    assert torch.equal(sample(logits, temperature=0.0, top_p=0.1), logits.argmax(-1))
    p = sampling_probabilities(logits, temperature=0.0)
    assert torch.equal(p, torch.nn.functional.one_hot(logits.argmax(-1), 9).float())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_widened(dtype):
    assert sampling_probabilities(LOGITS.to(dtype)).dtype == torch.float32


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"temperature": -1.0}, "temperature must be a finite number, at least 0, got -1"),
        ({"top_k": 0}, "top_k must be at least 1, got 0"),
        ({"top_p": 0.0}, "top_p must be .* above 0 and at most 1, got 0.0"),
        ({"top_p": 1.5}, "1.5"),
    ],
)
def test_bad_settings(settings, words):
    with pytest.raises(ValueError, match=words):
        sample(LOGITS, **settings)


def test_bad_logits(as_a_user):
    with pytest.raises(ValueError, match="NaN"):
        sample(LOGITS * torch.nan)
    for forbidden in (torch.full((2, 3), -torch.inf), torch.tensor([1.0, torch.inf])):
        with pytest.raises(ValueError, match="nothing but -inf"):
            sample(forbidden)
    with pytest.raises(TypeError, match="int64"):
        sample(torch.ones(2, 3, dtype=torch.long))


def test_evaluating_gives_every_module_its_mode_back():
    model = torch.nn.Sequential(torch.nn.Dropout(), torch.nn.Dropout())
    model[1].eval()
    with pytest.raises(RuntimeError), evaluating(model):
        assert not model.training and not model[0].training
        raise RuntimeError
    assert model.training and model[0].training and not model[1].training


@pytest.mark.parametrize("V", [1, 7, 50_257])
@pytest.mark.parametrize("sigma", [3.0, 8.0])
def test_a_p_of_one_keeps_everything(V, sigma):
    for seed in range(3):
        torch.manual_seed(seed)
        logits = sigma * torch.randn(V)
        expected = logits.softmax(-1)
        torch.testing.assert_close(sampling_probabilities(logits, top_p=1.0), expected)
        assert ((sampling_probabilities(logits, top_p=1.0) > 0) == (expected > 0)).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("V", [3, 5, 10, 1000])
def test_between_equally_likely_tokens_the_sum_decides(dtype, V):
    """Of V equal tokens n / V is reached by exactly n, however the sums round."""
    logits = torch.zeros(V, dtype=dtype)
    for n in {1, 2, 3, V // 3, V // 2, V - 1, V} - {0}:
        kept = sampling_probabilities(logits, top_p=n / V) > 0
        assert kept[:n].all() and not kept[n:].any()
    assert (sampling_probabilities(logits, top_p=1e-12) > 0).tolist() == [True] + [False] * (V - 1)


@pytest.mark.parametrize("temperature", [1e-4, 1e-30, 1e-38, 1e-45, 1e-300, 1e30])
def test_any_temperature_above_zero_leaves_probabilities(temperature):
    p = sampling_probabilities(torch.tensor([3.0, 1.0, 3.0, -torch.inf]), temperature=temperature)
    expected = [1 / 2, 0, 1 / 2, 0] if temperature < 1 else [1 / 3, 1 / 3, 1 / 3, 0]
    torch.testing.assert_close(p, torch.tensor(expected))
    assert sample(torch.tensor([3.0, 1.0]), temperature=min(temperature, 1e-4)) == 0


def test_min_p_is_a_share_of_the_likeliest():
    assert probabilities(min_p=0.6) == [0.625, 0.375, 0, 0]  # at least 0.3
    assert probabilities(min_p=1.0) == [1, 0, 0, 0]
    assert probabilities(min_p=0.0) == probabilities()
    assert probabilities(min_p=0.2, top_k=2) == [0.625, 0.375, 0, 0]


@given(
    st.integers(1, 6), st.floats(0.05, 1.0), st.floats(0.0, 1.0), st.floats(0.5, 2.0),
    st.integers(2, 6), st.sampled_from([0.5, 1.0, 1.5]),
)  # fmt: skip
def test_every_setting_follows_its_formula(top_k, top_p, min_p, temperature, V, penalty):
    """The penalty, then the bias, then the temperature; kept is what each of the three keeps."""
    logits, bias = torch.randn(2, V, dtype=torch.float64), torch.randn(V, dtype=torch.float64)
    previous = torch.randint(V, (2, 3))
    x = logits.clone()
    for row, seen in zip(x, previous.tolist(), strict=True):
        for i in set(seen):
            row[i] = row[i] / penalty if row[i] > 0 else row[i] * penalty
    p = ((x + bias) / temperature).softmax(-1)
    by_rank = sampling_probabilities(p.log(), top_k=top_k, top_p=top_p)
    expected = by_rank * (p >= min_p * p.amax(-1, keepdim=True) * (1 - 1e-12))
    found = sampling_probabilities(
        logits, temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p,
        repetition_penalty=penalty, previous=previous, logit_bias=bias,
    )  # fmt: skip
    torch.testing.assert_close(found, expected / expected.sum(-1, keepdim=True))


def test_a_bias_forbids_and_a_penalty_turns_the_likeliest_away():
    forbidden = torch.tensor([-torch.inf, 0.0, 0.0, 0.0])
    assert sample(LOGITS, temperature=0.0, logit_bias=forbidden).tolist() == [1]
    seen = {"previous": torch.tensor([[0, 0]]), "temperature": 0.0}
    assert sample(LOGITS, repetition_penalty=2.0, **seen).tolist() == [1]
    assert sample(LOGITS, **seen).tolist() == [0]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"min_p": 1.5}, "min_p"),
        ({"repetition_penalty": 0.0}, "repetition_penalty must be .* above 0"),
        ({"repetition_penalty": 2.0}, "needs previous="),
        ({"repetition_penalty": 2.0, "previous": torch.tensor([1])}, "needs previous="),
        ({"repetition_penalty": 2.0, "previous": torch.tensor([[4]])}, "from 4 to 4.*4 tokens"),
        ({"logit_bias": torch.zeros(3)}, r"\(V,\) = \(4,\), got shape \(3,\)"),
        ({"logit_bias": torch.full((4,), -torch.inf)}, "nothing but -inf"),
    ],
)
def test_bad_settings_of_the_later_ones(settings, words, as_a_user):
    with pytest.raises(ValueError, match=words):
        sample(LOGITS, **settings)


@pytest.mark.parametrize("use_cache", [True, False])
@given(seed=st.integers(0, 50), stop=st.lists(st.integers(0, 4), min_size=1, max_size=2))
def test_a_text_ends_with_its_stop_token(use_cache, seed, stop):
    """Up to there it is the text without a stop; behind it the token is repeated."""
    torch.manual_seed(seed)
    model = LanguageModel(5, d_model=8, num_heads=1, num_layers=1, d_hidden=8, positions="none")
    prompt = torch.randint(5, (3, 2))

    def written(**options):
        draws = torch.Generator().manual_seed(seed)
        return model.generate(prompt, 6, temperature=1.0, generator=draws, **options)

    whole = written().tolist()
    found = written(stop=stop if len(stop) > 1 else stop[0], use_cache=use_cache).tolist()
    expected, ended = [], []
    for row in whole:
        at = next((i for i in range(2, 8) if row[i] in stop), 7)
        ended.append(at + 1)
        expected.append(row[: at + 1] + [row[at]] * (7 - at))
    assert found == [row[: max(ended)] for row in expected]


def test_a_penalty_is_not_for_the_padding():
    torch.manual_seed(0)
    model = LanguageModel(5, d_model=8, num_heads=1, num_layers=1, d_hidden=8, positions="rotary")
    prompt, mask = torch.tensor([[3, 1, 2]]), torch.tensor([[[False, True, True]]])
    settings = {"temperature": 0.0, "repetition_penalty": 9.0}
    padded = model.generate(prompt, 4, mask=mask, **settings)[:, 1:]
    assert torch.equal(padded, model.generate(prompt[:, 1:], 4, **settings))
