"""The switches that public functions take, as in `argument_table`."""

import torch
from argument_table import (
    SCORES,
    SIZES,
    TOKENS,
    X,
    latent,
    model,
    seq2seq,
    train,
    translator_of_today,
)
from argument_table_estimates import LLAMA, step_time

import course_lib as cl
from course_lib import generation
from course_lib.estimates import ModelConfig, flops_per_token
from course_lib.kernels import flash_attention
from course_lib.transformer import FeedForward, GatedFeedForward, Layer, TransformerConfig
from course_lib.transformer.positions import relative_position_bucket
from course_lib.translation.attentions import UniformAttention

SWITCHES = [
    *(("ModelConfig", n, lambda v, n=n: ModelConfig(**(LLAMA | {n: v})))
      for n in ("gated", "tied", "attention_gate", "shared_kv_projection")),
    ("step_time", "prefill", lambda v: step_time(prefill=v)),
    ("flops", "absorbed", lambda v: flops_per_token(ModelConfig(**LLAMA), absorbed=v)),
]  # fmt: skip
DECODERS = {
    "additive": cl.AdditiveAttention(4, 4, 4), "hard": cl.HardAttention(4, 4, 4),
    "luong": cl.LuongAttention(4, 4), "uniform": UniformAttention(4, 4),
}  # fmt: skip
LAYER = Layer(**SIZES)
SWITCHES += [  # name, function of the switch, argument, what it must be
    ("softmax", "return_running", lambda v: cl.online_softmax(SCORES, return_running=v)),
    ("window_mask", "is_causal", lambda v: cl.window_mask(3, 3, 1, is_causal=v)),
    ("linear", "is_causal", lambda v: cl.linear_attention(X, X, X, is_causal=v)),
    ("linear", "recurrent", lambda v: cl.linear_attention(X, X, X, recurrent=v)),
    ("delta", "recurrent", lambda v: cl.delta_rule(X, X, X, X[..., 0], recurrent=v)),
    ("flash", "is_causal", lambda v: flash_attention(X, X, X, is_causal=v)),
    ("append", "copy", lambda v: cl.KeyValueCache().append(X, X, copy=v)),
    ("buckets", "bidirectional", lambda v: relative_position_bucket(TOKENS, bidirectional=v)),
    *(
        (f"{name}", flag, lambda v, f=f, x=x, flag=flag: f(*x, **{flag: v}))
        for name, f, x, flags in (
            ("sdpa", cl.scaled_dot_product_attention, (X, X, X), ("is_causal", "need_weights")),
            ("explain", cl.explain, (X, X), ("is_causal", "need_weights")),
            ("heads", cl.MultiHeadAttention(4, 2), (X,), ("is_causal", "need_weights")),
            ("latent", latent(), (X,), ("is_causal", "need_weights", "absorbed")),
            ("new heads", cl.MultiHeadAttention, (4, 2), ("bias", "qk_norm", "gate")),
            *((name, f, (X, X), ("need_weights",)) for name, f in DECODERS.items()),
            ("layer", LAYER, (torch.ones(1, 2, 8),), ("is_causal", "need_weights")),
            ("new layer", lambda **given: Layer(**SIZES, **given), (), ("cross",)),
            ("model", model(), (TOKENS,), ("need_weights",)),
            ("generate", generation.generate, (model(), TOKENS, 1), ("use_cache",)),
            ("relu", FeedForward, (4, 4), ("bias",)),
            ("gated", GatedFeedForward, (4, 4), ("bias",)),
            ("seq2seq", seq2seq, (), ("bidirectional", "input_feeding")),
            ("teacher", seq2seq(), (TOKENS, [2], TOKENS), ("loop", "need_weights")),
            ("train", train, (), ("progress",)),
        )
        for flag in flags
    ),
    *(
        (kind.__name__, flag, lambda v, k=kind, flag=flag: k(**(SIZES | {flag: v})))
        for kind in (TransformerConfig, model, translator_of_today)
        for flag in ("tied", "scale_embedding", "bias", "qk_norm", "gate", "causal")
    ),
]
FLAGS = [(name, f, argument, "flag") for name, argument, f in SWITCHES]
