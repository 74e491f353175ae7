"""Attention, readable and fast: the library behind the course.

The names below are the public ones. Everything that draws, trains, checks or grades is imported
only when it is asked for, so `import course_lib` costs little more than `import torch`.
"""

from course_lib.additive import AdditiveAttention
from course_lib.attention import attend, scaled_dot_product_attention
from course_lib.cache import KeyValueCache
from course_lib.hard import (
    HardAttention,
    reinforce_loss,
    sample_choice,
    straight_through_gumbel,
)
from course_lib.kernels import explain
from course_lib.latent import LatentAttention
from course_lib.linear_attention import delta_rule, linear_attention
from course_lib.luong import LuongAttention
from course_lib.masks import causal_mask, padding_mask, window_mask
from course_lib.multihead import MultiHeadAttention
from course_lib.positions import alibi_bias, rotary_embedding, sinusoidal_positions
from course_lib.scores import (
    additive_scores,
    concat_scores,
    dot_scores,
    general_scores,
    scaled_dot_scores,
)
from course_lib.softmax import masked_softmax, online_softmax, softmax

_FROM_EXERCISES = ("check", "hint")

__all__ = [
    "AdditiveAttention",
    "HardAttention",
    "KeyValueCache",
    "LatentAttention",
    "LuongAttention",
    "MultiHeadAttention",
    "additive_scores",
    "alibi_bias",
    "attend",
    "causal_mask",
    "check",
    "concat_scores",
    "delta_rule",
    "dot_scores",
    "explain",
    "general_scores",
    "hint",
    "linear_attention",
    "masked_softmax",
    "online_softmax",
    "padding_mask",
    "reinforce_loss",
    "rotary_embedding",
    "sample_choice",
    "scaled_dot_product_attention",
    "scaled_dot_scores",
    "sinusoidal_positions",
    "softmax",
    "straight_through_gumbel",
    "window_mask",
]


def __getattr__(name: str) -> object:
    if name in _FROM_EXERCISES:
        from course_lib import exercises

        return getattr(exercises, name)
    raise AttributeError(f"module 'course_lib' has no attribute {name!r}")
