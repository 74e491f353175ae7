"""The translator's figure: each stage computes what it says, and keeps what came before."""

import numpy as np
import pytest
from moving_examples import STATES, WORDS, A, translation_figure

from course_lib.figures.moving.encoder_decoder import STAGES
from course_lib.figures.style import CONTEXT, DECODER, ENCODER


def said(figure) -> list[str]:
    return [frame["says"] for frame in figure.data["frames"]]


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_has_its_events_and_a_still_in_the_colours_of_its_parts(stage):
    figure = translation_figure(stage)
    once, each = STAGES[stage]
    reads = len(WORDS) + 1 if once else 0  # each word, and the hand-over
    assert len(figure.data["frames"]) == reads + 2 * len(each.split())
    assert ENCODER in figure.still and DECODER in figure.still
    assert (CONTEXT in figure.still) == ("context" in each)
    assert figure.data["frames"][-1]["written"] == ("le chat" if "write" in each else "")


def test_the_encoder_reads_word_by_word_and_hands_over_its_last_state():
    figure = translation_figure("hand-over")
    assert [frame["read"] for frame in figure.data["frames"]] == [1, 2, 3, 3, 3, 3, 3, 3]
    assert "computes h₂ from it and h₁" in said(figure)[1]
    assert "from the last state, h₃, comes s₀" in said(figure)[3]
    assert [frame["fed"] for frame in figure.data["frames"]][-2:] == ["le", "le"]


def test_a_context_is_the_weighted_sum_of_the_states():
    x, y = (A @ STATES)[1]
    frame = translation_figure("word").data["frames"][5]
    assert frame["context"] == f"c₂ = ({x:.2g}, {y:.2g})" and frame["links"] == A[1].tolist()
    assert "0.1 × (1, 0) + 0.2 × (0, 2) + 0.7 × (2, 1)" in frame["says"]


def test_the_score_adds_bends_and_becomes_a_weight():
    chips = [frame["chips"] for frame in translation_figure("score").data["frames"]]
    assert chips[0] == ["(1.5, −1)", "(0.5, 1)", "(2.5, 0)"]
    assert chips[1][0] == f"({np.tanh(1.5):.2f}, −{np.tanh(1):.2f})"
    assert chips[3] == ["0.6", "0.3", "0.1"]


def test_join_mix_squeeze_score_lead_to_the_word():
    frames = translation_figure("word").data["frames"]
    assert frames[4]["rows"] == [
        ["join", "[c; s] = (0.8, 0.7, 0.5, −1)"],
        ["mix", "W_c [c; s] = (0.5, −1)"],
        ["squeeze", f"tanh = ({np.tanh(0.5):.3f}, −{np.tanh(1):.3f})"],
    ]
    p = 1 / (1 + np.exp(-2.0))
    assert frames[4]["bars"][0] == ["le", "2", pytest.approx(p, abs=1e-4)]
    assert f"“le” is written, p = {p:.2f}" in frames[4]["says"]


def test_a_row_of_weights_stays_in_the_map():
    figure = translation_figure("map")
    kept = [frame["kept"] for frame in figure.data["frames"]]
    assert kept == [0, 0, 0, 1, 1, 1, 1, 2] and figure.data["weights"] == A.tolist()
