"""The numbers that public functions take: name, function, argument, and what it must be."""

import math

import numpy as np
import torch

import course_lib as cl
from course_lib import generation, translation
from course_lib.gate.masks import padding_mask
from course_lib.gate.positions import rotary_frequencies
from course_lib.kernels import flash_attention
from course_lib.modules.hard import straight_through_gumbel
from course_lib.transformer import (
    EncoderDecoder,
    FeedForward,
    GatedFeedForward,
    LanguageModel,
    TransformerConfig,
)
from course_lib.transformer.positions import relative_position_bucket
from course_lib.transformer.stretched import (
    interpolated_frequencies,
    llama3_frequencies,
    ntk_base,
    partial_frequencies,
    yarn_frequencies,
)

X, SCORES, LOGITS = torch.randn(2, 3, 4), torch.randn(3, 4), torch.randn(5)
TOKENS = torch.tensor([[1, 2]])
SIZES = {"d_model": 8, "num_heads": 2, "d_hidden": 8}
PAIR = translation.Pair(["a", "b"], ["c"])


class Table:
    """A decoder whose next token depends on the last alone."""

    def step(self, tokens, state):
        return torch.zeros(len(tokens), 5), state, None

    def reorder(self, index):
        return self


def latent(**settings):
    return cl.LatentAttention(4, 2, **({"latent_dim": 4} | settings))


def model(**settings):
    return LanguageModel(9, **(SIZES | settings))


def translator_of_today(**settings):
    return EncoderDecoder(9, 9, **settings)


def seq2seq(**settings):
    return translation.Seq2Seq(9, 9, **({"hidden_dim": 8} | settings))


def translator():
    torch.manual_seed(0)
    words = translation.Vocabulary([["a", "b", "c"]])
    return translation.Translator(translation.Seq2Seq(7, 7, hidden_dim=8), words, words)


def search(f, **settings):
    given = {"max_length": 3, "end": 4} | settings
    return f(Table(), torch.tensor([1]), Table(), **given)


def train(**settings):
    given = {"epochs": 1, "hidden_dim": 8, "progress": False} | settings
    return translation.train([PAIR, PAIR], "dot", **given)


WORDS = [float("nan"), "3", None, torch.tensor([1, 2])]
BAD = {
    "integer": [*WORDS, 1.5, math.inf, True, np.float64(2.0)],
    "place": [math.nan, "3", 1.5, math.inf, True, np.float64(2.0), [1, 2]],
    "positive": [*WORDS, 1.5, math.inf, True, 0, -1],
    "natural": [*WORDS, 1.5, math.inf, True, -1],
    "finite": [math.nan, math.inf, -math.inf, "3", [1.0], np.ones(1)],
    "above 0": [math.nan, math.inf, -math.inf, "3", 0, -1.5],
    "share": [math.nan, math.inf, "0.5", -0.1, 1.5],
    "share below 1": [math.nan, math.inf, "0.5", -0.1, 1.0],
    "flag": ["False", "", None, 0, 1.0, [True], torch.ones(3, 3) > 0, np.ones(1, bool)],
}
# None stands for the default there.
OPTIONAL = {"n_keys", "max_length", "num_kv_heads", "kdim", "vdim", "window", "top_k", "kv_heads"}
OPTIONAL |= {"head_dim", "scale", "attention_dim", "norm_eps", "top_p", "threshold"}
OPTIONAL |= {"bytes_per_weight", "positions"}

TABLE = [
    # attention
    ("softmax", lambda v: cl.softmax(SCORES, dim=v), "dim", "integer"),
    ("online_softmax", lambda v: cl.online_softmax(SCORES, v), "block_size", "positive"),
    ("causal_mask", lambda v: cl.causal_mask(v, 3), "n_queries", "natural"),
    ("causal_mask", lambda v: cl.causal_mask(3, v), "n_keys", "natural"),
    ("window_mask", lambda v: cl.window_mask(3, 3, v), "window", "natural"),
    ("window_mask", lambda v: cl.window_mask(3, 3, 1, sinks=v), "sinks", "natural"),
    ("padding_mask", lambda v: padding_mask([1, 2], v), "max_length", "natural"),
    ("sdpa", lambda v: cl.scaled_dot_product_attention(X, X, X, scale=v), "scale", "finite"),
    *(
        (
            f"sdpa weights={n}",
            lambda v, n=n: cl.scaled_dot_product_attention(X, X, X, dropout_p=v, need_weights=n),
            "dropout_p",
            "share below 1",
        )
        for n in (True, False)
    ),
    ("additive", lambda v: cl.AdditiveAttention(v, 3, 4), "query_dim", "positive"),
    ("additive", lambda v: cl.AdditiveAttention(3, v, 4), "key_dim", "positive"),
    ("additive", lambda v: cl.AdditiveAttention(3, 3, v), "attention_dim", "positive"),
    ("luong", lambda v: cl.LuongAttention(4, 4, window=v), "window", "positive"),
    ("hard", lambda v: cl.HardAttention(4, 4, 4, temperature=v), "temperature", "above 0"),
    ("gumbel", lambda v: straight_through_gumbel(SCORES, v), "temperature", "above 0"),
    ("heads", lambda v: cl.MultiHeadAttention(v, 2), "embed_dim", "positive"),
    ("heads", lambda v: cl.MultiHeadAttention(8, v), "num_heads", "positive"),
    ("heads", lambda v: cl.MultiHeadAttention(8, 2, num_kv_heads=v), "num_kv_heads", "positive"),
    ("heads", lambda v: cl.MultiHeadAttention(8, 2, head_dim=v), "head_dim", "positive"),
    ("heads", lambda v: cl.MultiHeadAttention(8, 2, kdim=v), "kdim", "positive"),
    ("heads", lambda v: cl.MultiHeadAttention(8, 2, vdim=v), "vdim", "positive"),
    ("heads", lambda v: cl.MultiHeadAttention(8, 2, dropout=v), "dropout", "share below 1"),
    ("heads", lambda v: cl.MultiHeadAttention(8, 2, rotary_base=v), "rotary_base", "above 0"),
    ("latent", lambda v: latent(latent_dim=v), "latent_dim", "positive"),
    ("latent", lambda v: latent(rotary_dim=v), "rotary_dim", "natural"),
    ("cache", lambda v: cl.KeyValueCache(v), "window", "positive"),
    ("cache", lambda v: cl.KeyValueCache(3, v), "sinks", "natural"),
    ("crop", lambda v: cl.KeyValueCache().crop(v), "length", "integer"),
    ("sinusoids", lambda v: cl.sinusoidal_positions(v, 4), "length", "natural"),
    ("sinusoids", lambda v: cl.sinusoidal_positions(3, v), "d_model", "positive"),
    ("sinusoids", lambda v: cl.sinusoidal_positions(3, 4, start=v), "start", "natural"),
    ("rotary", lambda v: cl.rotary_embedding(X, base=v), "base", "above 0"),
    ("rotary", lambda v: cl.rotary_embedding(X, factor=v), "factor", "above 0"),
    ("rotary", lambda v: rotary_frequencies(4, v), "base", "above 0"),
    ("alibi", lambda v: cl.alibi_bias(v, 3), "num_heads", "positive"),
    ("alibi", lambda v: cl.alibi_bias(2, v), "n_queries", "natural"),
    ("reinforce", lambda v: cl.reinforce_loss(LOGITS, LOGITS, v), "baseline", "finite"),
    ("flash", lambda v: flash_attention(X, X, X, scale=v), "scale", "finite"),
    ("scores", lambda v: cl.scaled_dot_scores(X, X, v), "scale", "finite"),
    ("explain", lambda v: cl.explain(X, X, scale=v), "scale", "finite"),
    ("explain", lambda v: cl.explain(X, X, dropout_p=v), "dropout_p", "share below 1"),
    *(
        (f"heads {name}", lambda v, f=f: f(v), "positions", "place")
        for name, f in {
            "rotary": lambda v: cl.rotary_embedding(X, v),
            "heads": lambda v: cl.MultiHeadAttention(4, 2, rotary_base=1e4)(X, positions=v),
            "latent": lambda v: latent(rotary_dim=2)(X, positions=v),
            "model": lambda v: model(positions="rotary")(TOKENS, positions=v),
            "learned": lambda v: model(positions="learned")(TOKENS, positions=v),
            "no positions": lambda v: model(positions="none")(TOKENS, positions=v),
        }.items()
    ),
    # transformer
    *(
        (name, lambda v, f=f: f(v), argument, "positive")
        for name, argument, f in (
            ("model", "vocab_size", LanguageModel),
            ("translator", "source_vocab", lambda v: EncoderDecoder(v, 9)),
            ("translator", "target_vocab", lambda v: EncoderDecoder(9, v)),
        )
    ),
    *(
        (f.__name__, lambda v, f=f, n=n: f(**({"d_model": 8, "d_hidden": 8} | {n: v})), n, what)
        for f in (FeedForward, GatedFeedForward)
        for n, what in {
            "d_model": "positive", "d_hidden": "positive", "dropout": "share below 1",
        }.items()
    ),
    *(
        (kind.__name__, lambda v, k=kind, n=name: k(**(SIZES | {n: v})), name, what)
        for kind in (TransformerConfig, model, translator_of_today)
        for name, what in {
            "d_model": "positive", "num_heads": "positive", "num_layers": "positive",
            "d_hidden": "positive", "max_length": "positive", "num_kv_heads": "positive",
            "head_dim": "positive", "window": "positive", "sinks": "natural",
            "dropout": "share below 1", "rotary_base": "above 0",
        }.items()
    ),
    (
        "buckets",
        lambda v: relative_position_bucket(TOKENS, num_buckets=v),
        "num_buckets",
        "positive",
    ),
    (
        "buckets",
        lambda v: relative_position_bucket(TOKENS, max_distance=v),
        "max_distance",
        "above 0",
    ),
    ("interpolated", lambda v: interpolated_frequencies(8, v), "factor", "above 0"),
    ("ntk", lambda v: ntk_base(8, v), "factor", "above 0"),
    ("ntk", lambda v: ntk_base(v, 2.0), "d", "positive"),
    ("partial", lambda v: partial_frequencies(v, 0), "d", "natural"),
    ("partial", lambda v: partial_frequencies(8, v), "rotary_dim", "natural"),
    ("llama3", lambda v: llama3_frequencies(8, v, 64), "factor", "above 0"),
    ("yarn", lambda v: yarn_frequencies(8, v, 64), "factor", "above 0"),
    ("yarn", lambda v: yarn_frequencies(8, 2.0, v), "trained_length", "positive"),
    ("yarn", lambda v: yarn_frequencies(8, 2.0, 64, slow=v), "slow", "above 0"),
    ("yarn", lambda v: yarn_frequencies(8, 2.0, 64, fast=v), "fast", "above 0"),
    # generation
    ("sample", lambda v: generation.sample(LOGITS, top_k=v), "top_k", "positive"),
    ("generate", lambda v: model().generate(TOKENS, v), "num_tokens", "natural"),
    *(
        (f.__name__, lambda v, f=f, n=n: f(LOGITS, **{n: v}), n, what)
        for f in (generation.sample, generation.sampling_probabilities)
        for n, what in {"temperature": "finite", "top_p": "share"}.items()
    ),
    *(
        (
            "speculative",
            lambda v, n=n: generation.speculative_decode(
                model(), model(), TOKENS, **({"num_tokens": 2} | {n: v})
            ),
            n,
            what,
        )
        for n, what in {"num_tokens": "natural", "ahead": "positive"}.items()
    ),
    *(
        (f.__name__, lambda v, f=f, n=n, b=b: search(f, **b, **{n: v}), n, "natural")
        for f, b in ((generation.greedy_search, {}), (generation.beam_search, {"beam": 2}))
        for n in ("max_length", "end")
    ),
    ("beam", lambda v: search(generation.beam_search, beam=v), "beam", "positive"),
    (
        "beam",
        lambda v: search(generation.beam_search, beam=2, length_penalty=v),
        "length_penalty",
        "finite",
    ),
    # translation
    ("corpus", lambda v: translation.ParallelCorpus(v), "seed", "integer"),
    ("pairs", lambda v: translation.ParallelCorpus().pairs(v), "n", "natural"),
    ("vocabulary", lambda v: translation.Vocabulary([["a"]], v), "min_count", "positive"),
    *(
        (n, lambda v, n=n: seq2seq(attention="additive", **{n: v}), n, "positive")
        for n in ("embedding_dim", "hidden_dim", "num_layers", "window", "attention_dim")
    ),
    ("seq2seq", lambda v: seq2seq(dropout=v), "dropout", "share below 1"),
    *(
        ("train", lambda v, n=n: train(**{n: v}), n, what)
        for n, what in {
            "epochs": "natural", "batch_size": "positive", "patience": "natural",
            "seed": "integer", "learning_rate": "above 0", "clip": "above 0", "sampling": "share",
            "min_count": "positive",
        }.items()
    ),
    *(
        ("translate", lambda v, n=n: translator().translate(["a"], **{n: v}), n, "positive")
        for n in ("beam", "max_length", "batch_size")
    ),
    ("align", lambda v: translator().align([PAIR], v), "batch_size", "positive"),
    ("by length", lambda v: translation.bleu_by_length([PAIR], [["c"]], v), "width", "positive"),
    ("hard_links", lambda v: translation.hard_links(np.eye(2), v), "threshold", "finite"),
]  # fmt: skip
