"""One small example of every figure that moves, for the tests of all of them."""

import numpy as np
import torch

from course_lib import causal_mask
from course_lib.estimates import Machine, ModelConfig
from course_lib.figures import moving
from course_lib.translation import Pair, train

WORDS, SCORES = ["cats", "love", "warm"], np.array([2.3, 0.1, -0.2])


A = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
STATES = np.array([[1.0, 0.0], [0.0, 2.0], [2.0, 1.0]])
PLANE = {
    "query": [1.0, 0.5],
    "keys": [[1.5, 0.5], [-1.0, 1.0], [0.6, 0.6]],
    "W": [[0.0, -1.0], [1.0, 0.0]],
    "W_a": [[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]],
    "U_a": [[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]],
    "v_a": [1.0, 1.0, 0.5],
}


def softmax_figure():
    return moving.softmax_figure(WORDS, SCORES, 0.5)


def translation_figure(stage="map"):
    vector, table = np.array([[0.5, -1.0], [1.0, 0.0]]), np.array([[2.0, 0.0], [-1.0, 1.0]])
    values = {"asking": vector, "mixed": vector, "logits": table, "weights": A, "scores": A}
    values |= {"states": STATES, "summed": STATES[None] + vector[:, None]}
    french = ["le", "chat"]
    return moving.encoder_decoder_figure(stage, WORDS, french, vocabulary=french, **values)


def heatmap_figure():
    return moving.heatmap_figure(torch.tensor(A), ["le", "chat"], WORDS)


def own_sentence_figure():
    pairs = [Pair(["the", "cat", "sat"], ["le", "chat", "était", "assis"])]
    sizes = {"hidden_dim": 4, "embedding_dim": 4, "progress": False}
    kinds = {"with": "general", "without": "none"}
    translators = {name: train(pairs, kind, epochs=1, **sizes) for name, kind in kinds.items()}
    return moving.own_sentence_figure(translators, ["the cat sat"], pairs)


def heard_figure():
    sound = np.sin(np.arange(800) / 3) * np.linspace(0, 1, 800)  # 0.8 s
    weights = np.eye(2, 40) * 0.5 + np.eye(2, 40, k=20) * 0.3
    return moving.heard_figure(
        sound, 1000, {"French": ([" un", " deux"], weights)}, label="Two words"
    )


def heads_figure():
    weights = torch.softmax(torch.randn(2, 3, 2, 3, generator=torch.manual_seed(0)), dim=-1)
    return moving.heads_figure(weights, ["le", "chat"], WORDS)


def causal_figure():
    weights = causal_mask(3) / torch.arange(1, 4)[:, None]
    return moving.causal_figure(WORDS, weights)


def scores_figure():
    return moving.score_functions_figure(**PLANE)


def scaling_figure():
    draw = torch.Generator().manual_seed(0)
    return moving.scaling_figure({d: torch.randn(64, 8, generator=draw) * d**0.5 for d in (4, 64)})


def online_figure():
    return moving.online_softmax_figure([-0.2, 0.1, 0.5, 0.8, 2.3], block_sizes=(2, 3))


def agreement_figure():
    return moving.agreement_figure([2.0, 1.0], [1.0, 1.5], ("cat", "query"))


def cost_figure():
    curves = {"exact": [1e3, 1e5], "linear": [1e2, 1e3]}
    return moving.cost_figure([100, 1000], curves, curves)


def coordinate_figure():
    return moving.additive_coordinate_figure(WORDS, [[0.5, 0.0], [1.0, -1.0], [-1.0, 1.0]], [1, 0])


def orders_figure():
    return moving.decoder_orders_figure(WORDS, ["le", "chat"], A)


def rotary_figure():
    return moving.rotary_figure([[1.0, 0.5], [0.5, -1.0]], [[1.0, 0.0], [1.0, 1.0]], [1.0, 0.1])


def bottleneck_figure():
    kept = np.tril(np.full((3, 3), 0.5))
    return moving.bottleneck_figure(WORDS, {"before": kept, "after": kept / 2}, [0.1] * 3, size=8)


def block_figure():
    x = np.array([[1.0, -0.004], [0.0, 1.0], [3.0, 0.5]])
    return moving.block_figure(
        WORDS, [("Norm", "One size.", {"x": x}), ("Sum", "x + x.", {"2 x": 2 * x})]
    )


def roofline_figure():
    config = ModelConfig(layers=2, d_model=64, heads=4, d_ff=128, vocabulary=100)
    return moving.roofline_figure(config, Machine(1e12, 1e10), batches=(1, 8), lengths=(16, 2048))


def cache_figure():
    return moving.cache_figure(["the", "cat", "sat", "down"], prompt=2, bytes_per_token=1000)


def sharing_figure():
    return moving.sharing_figure(8, 16, 2, room=1e9, latent=24)


def gate_figure():
    return moving.gate_figure(WORDS, [0.0, 0.8, -0.5], kept=0.5)


def attention_step_figure():
    values = dict(zip(WORDS, STATES, strict=True))
    scores = {"le": SCORES, "chat": [0.0, 1.0, -1.0]}
    return moving.attention_step_figure(
        [("chat", scores, values), ("le", scores, values)], ["animal", "size"]
    )


def rounds_figure():
    return moving.rounds_figure({0: [[0.5, 0.5]], 3: [[0.9, 0.1]]}, ["chat"], ["cat", "the"])


FIGURES = [make for name, make in list(globals().items()) if name.endswith("_figure")]
