"""What single figures say is what the library computes, or what they were given."""

import base64
import io
import wave

import numpy as np
import pytest
import torch
from moving_examples import SCORES, STATES, attention_step_figure, block_figure

from course_lib import KeyValueCache, MultiHeadAttention, rotary_embedding, softmax
from course_lib.estimates import Machine, ModelConfig, kv_cache_bytes, step_time
from course_lib.figures import moving
from course_lib.figures.moving.gate import states_and_traces
from course_lib.figures.moving.roofline import step
from course_lib.figures.moving.rotary import scores
from course_lib.gate.positions import rotary_frequencies


@pytest.mark.parametrize("b", [[1.0, 1.5], [-1.0, 1.0], [-1.0, 2.0]])
def test_agreement_is_the_dot_product_and_length_times_shadow(b):
    text = repr(moving.agreement_figure([2.0, 1.0], b, ("cat", "query")))
    dot, length = np.dot([2.0, 1.0], b), np.hypot(2.0, 1.0)
    assert f"2 · {b[0]:g} + 1 · {b[1]:g} = {dot:.2f}" in text
    assert f"length of cat {length:.2f}, times shadow of query {dot / length:.2f}" in text


def test_every_step_of_a_block_holds_its_matrices_and_says_its_result():
    figure = block_figure()
    assert [stage["title"] for stage in figure.data["stages"]] == ["Norm", "Sum"]
    assert figure.data["stages"][1]["matrices"][0]["values"] == [[2, -0.01], [0, 2], [6, 1]]
    assert "2. Sum: x + x. Result, first row: 2.00 -0.01" in repr(figure)
    assert figure.still.count("<rect") == 2 * 3 * 2, "what goes in and what comes out"


def test_of_a_bottleneck_the_last_row_is_said_and_words_not_yet_read_are_not_looked_at():
    shares = np.array([[0.9, 0.7, 0.7], [0.5, 0.8, 0.7], [0.2, 0.4, 0.6]])
    words, chance = ["the", "cat", "sat"], [0.3, 0.1, 0.2]
    figure = moving.bottleneck_figure(words, {"trained": shares}, chance, size=8)
    assert "trained, after 3 words: the 0.20, cat 0.40, sat 0.60" in repr(figure)
    assert figure.data["shares"][0][0] == [0.9, 0.0, 0.0]
    assert "8 numbers" in figure.data["label"]


def test_the_rows_that_are_kept_are_those_of_a_cache():
    shown = moving.cache_figure(["the", "cat", "sat", "down"], prompt=2, bytes_per_token=8)
    lines = repr(shown).splitlines()[1:]
    attention, cache = MultiHeadAttention(8, 2), KeyValueCache()
    text = torch.zeros(1, 4, 8)
    for line, (start, end) in zip(lines, [(0, 2), (2, 3), (3, 4)], strict=True):
        _, weights = attention(text[:, start:end], is_causal=True, cache=cache, need_weights=True)
        seen = int((weights[0, 0] > 0).sum())
        rows = "rows" if end - start > 1 else "row"
        assert f"{end - start} {rows} computed, {seen} scores, {len(cache)} kept." in line
    assert lines[0].startswith("Prefill") and lines[1].startswith("Decode")


def test_bytes_per_token_are_those_of_the_estimates():
    figure = moving.sharing_figure(32, 128, 32, room=66e9, latent=576)
    sizes = {"layers": 32, "d_model": 4096, "heads": 32, "d_ff": 1, "vocabulary": 1}
    for kv, held in figure.data["kinds"]:
        more = {"kv_heads": kv} if kv else {"latent_dim": 576}
        assert held == kv_cache_bytes(ModelConfig(**sizes, **more), 1)
    assert [kv for kv, _ in figure.data["kinds"]] == [32, 16, 8, 4, 2, 1, 0]


CONFIG = ModelConfig(layers=4, d_model=256, heads=8, d_ff=1024, vocabulary=1000)
MACHINE = Machine(flops=3e14, bandwidth=2e12)
WEIGHTS = 4 * (4 * 256**2 + 3 * 256 * 1024) + 1000 * 256


@pytest.mark.parametrize("batch", [1, 64])
def test_operations_and_bytes_of_decode_are_counted_by_hand(batch):
    found = step(CONFIG, MACHINE, 2048, batch, prefill=False)
    attend = 4 * 4 * 256 * 2048  # layers, two products, width, positions
    assert found["operations"] == pytest.approx(batch * (2 * WEIGHTS + attend))
    cache = kv_cache_bytes(CONFIG, 2048, batch)
    assert found["bytes"] == pytest.approx(2 * WEIGHTS + cache)
    assert found["seconds"] == step_time(CONFIG, MACHINE, 2048, batch=batch)


def test_the_roofline_has_every_stop_and_says_where_the_roof_turns():
    stops = {"batches": (1, 64), "lengths": (128, 2048), "at": (64, 128)}
    figure = moving.roofline_figure(CONFIG, MACHINE, **stops)
    assert figure.state == {"batch": 1, "length": 0}
    decode = figure.data["steps"]["decode"]
    assert decode[1][1] == step(CONFIG, MACHINE, 2048, 64, prefill=False)
    more, less = figure.data["steps"]["prefill"][0][0], decode[0][0]
    assert more["operations"] / more["bytes"] > 50 * less["operations"] / less["bytes"]
    assert "turns flat at 150 operations a byte" in repr(figure)


Q, K = [[1.0, 0.5], [0.5, -1.0]], [[1.0, 0.0], [1.0, 1.0]]


@pytest.mark.parametrize(("m", "n"), [(5, 2), (9, 6), (3, 31)])
def test_a_rotary_score_is_that_of_the_library_and_depends_on_the_difference(m, n):
    theta = rotary_frequencies(4, 100.0)
    q, k = torch.tensor(Q).reshape(1, -1), torch.tensor(K).reshape(1, -1)
    turned_q = rotary_embedding(q, torch.tensor([m]), base=100.0)
    turned_k = rotary_embedding(k, torch.tensor([n]), base=100.0)
    parts = scores(Q, K, theta.tolist(), m, n)
    assert sum(parts) == pytest.approx((turned_q * turned_k).sum().item(), abs=1e-5)
    assert scores(Q, K, theta.tolist(), m + 20, n + 20) == pytest.approx(parts)
    text = repr(moving.rotary_figure(Q, K, theta, positions=(m, n)))
    assert f"difference {m - n}" in text and f"score {sum(parts):.2f}" in text


def test_a_gate_mixes_old_and_new_and_says_what_is_left_of_each_word():
    suggestions, shares = [0.4, -0.8, 0.1], [0.5, 0.25, 0.9]
    states, traces = states_and_traces(suggestions, shares)
    assert states[0] == 0.5 * 0.4 and states[1] == 0.25 * states[0] + 0.75 * -0.8
    assert np.dot(traces, suggestions) == pytest.approx(states[-1])
    assert states_and_traces([1.0, -1.0], [0.0, 1.0]) == ([1.0, 1.0], [1.0, 0.0])
    text = repr(moving.gate_figure(["the", "cat"], [0.0, 0.8], kept=0.5))
    assert "cat: suggests 0.80, the state becomes 0.40, 0.50 of the last one" in text


def test_a_step_of_attention_is_the_softmax_of_its_scores_and_the_mixture_of_its_values():
    figure = attention_step_figure()
    for look, row in zip(figure.data["looks"], ([0.0, 1.0, -1.0], SCORES), strict=True):
        weights = softmax(np.array(row))
        assert look["weights"][look["at"]] == pytest.approx(weights, abs=1e-4)
        assert look["points"] == pytest.approx(10 * weights, abs=1e-2)
        assert np.array(look["parts"]) == pytest.approx(weights[:, None] * STATES, abs=1e-4)
        assert look["mixture"] == pytest.approx(weights @ STATES, abs=1e-4)
    first, second = weights @ STATES  # of the last look
    told = repr(figure).splitlines()[-1]
    assert told.startswith("“le” asks “cats love warm”: score cats 2.30, love 0.10, warm −0.20; ")
    assert told.endswith(f"mixture animal {first:.1f}, size {second:.1f}")
    assert figure.still.count('class="attn-cell"') == 2 * 2 * 3, "two maps of all queries"


TWO = {"le": [1.0, 0.0]}


@pytest.mark.parametrize(
    ("looks", "told"),
    [
        ([("chat", TWO, {"a": [1.0], "b": [2.0]})], "no row for the query 'chat', only"),
        ([("le", TWO, {"a": [1.0]})], "1 words with values given"),
        ([("le", TWO, {"a": [1.0, 2.0], "b": [1.0, 2.0]})], "1 features given"),
        ([("le", TWO, {"a": [1.0], "b": [-1.0]})], "must not be below zero"),
        ([], "one look at least"),
    ],
)
def test_a_step_of_attention_refuses_in_a_sentence(looks, told):
    with pytest.raises(ValueError, match=told):
        moving.attention_step_figure(looks, ["size"])


def test_rounds_are_said_one_by_one_and_must_fit():
    figure = moving.rounds_figure({0: [[0.5, 0.5]], 30: [[1.0, 0.0]]}, ["chat"], ["cat", "the"])
    assert "round 30: chat 1.00 0.00" in repr(figure) and figure.data["rounds"] == [0, 30]
    with pytest.raises(ValueError, match="round 1 is no table of 1 rows and 2 columns"):
        moving.rounds_figure({0: [[0.5, 0.5]], 1: [[1.0]]}, ["chat"], ["cat", "the"])


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"suggestions": [0.0, 2.0]}, "between −1 and 1"),
        ({"gated": 2}, "one of the 2 words"),
        ({"kept": 1.5}, "share between 0 and 1"),
    ],
)
def test_a_gate_refuses_in_a_sentence(changed, told):
    given = {"words": ["a", "b"], "suggestions": [0.0, 0.5], "gated": 1, "kept": 0.5} | changed
    with pytest.raises(ValueError, match=told):
        moving.gate_figure(**given)


def test_a_heard_piece_has_its_stretch_of_sound_and_the_sound_is_a_file():
    weights = np.zeros((2, 100))
    weights[0, 10:13], weights[1, 60] = (0.2, 0.5, 0.2), 0.9
    tone = np.sin(np.arange(4000) / 3)  # two seconds
    figure = moving.heard_figure(tone, 2000, {"French": ([" un", " deux"], weights)}, label="Two")
    text = figure.data["written"]["French"]
    assert text["peaks"] == [0.23, 1.21]
    assert text["spans"] == [[0.13, 0.33], [1.11, 1.31]]  # a fifth of a second at least
    assert "un 0.23 s, deux 1.21 s" in repr(figure)
    file = io.BytesIO(base64.b64decode(figure.data["sound"].partition(",")[2]))
    with wave.open(file) as sound:
        assert (sound.getframerate(), sound.getnframes(), sound.getnchannels()) == (2000, 4000, 1)


@pytest.mark.parametrize(
    ("samples", "written", "told"),
    [
        (np.zeros(0), {"a": (["x"], np.ones((1, 5)))}, "seconds is needed, got 0.0"),
        (np.zeros(16000), {"a": (["x"], np.ones((1, 5)))}, "seconds is needed, got 16.0"),
        (np.zeros(1000), {}, "at least one text"),
        (np.zeros(1000), {"a": (["x", "y"], np.ones((1, 5)))}, "pieces of a"),
    ],
)
def test_a_heard_figure_refuses_in_a_sentence(samples, written, told):
    with pytest.raises(ValueError, match=told):
        moving.heard_figure(samples, 1000, written, label="x")
