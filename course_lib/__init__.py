"""Attention, readable and fast: the library behind the course.

The names below are the public ones. Each is loaded when it is first asked for, so that
`import course_lib` costs nothing, and the checker of the NumPy exercises needs no torch.

A function or module is called with its paper's names, and returns its weights by default where the
weights are what one looks at:

    called                        names                need_weights   mask
    scaled_dot_product_attention  query, key, value    True           fourth
    AdditiveAttention             query, keys, values  True           fourth
    LuongAttention                query, keys, values  True           fourth
    HardAttention                 query, keys, values  True           fourth
    MultiHeadAttention            query, key, value    False          by name
    LatentAttention               query, key, value    False          by name
    linear_attention              q, k, v              no weights     no mask
    delta_rule                    q, k, v              no weights     no mask
"""

from importlib import import_module

_FILES = {
    "attention.additive": ("AdditiveAttention",),
    "attention.cache": ("KeyValueCache",),
    "attention.hard": (
        "HardAttention",
        "reinforce_loss",
        "sample_choice",
        "straight_through_gumbel",
    ),
    "attention.latent": ("LatentAttention",),
    "attention.linear": ("delta_rule", "linear_attention"),
    "attention.luong": ("LuongAttention",),
    "attention.masks": ("causal_mask", "padding_mask", "window_mask"),
    "attention.multi_head": ("MultiHeadAttention",),
    "attention.positions": ("alibi_bias", "rotary_embedding", "sinusoidal_positions"),
    "attention.scaled_dot_product": ("attend", "scaled_dot_product_attention"),
    "attention.scores": (
        "additive_scores",
        "concat_scores",
        "dot_scores",
        "general_scores",
        "scaled_dot_scores",
    ),
    "attention.softmax": ("masked_softmax", "online_softmax", "softmax"),
    "exercises": ("check", "hint", "show"),
    "kernels": ("explain",),
}
_FILE_OF = {name: file for file, names in _FILES.items() for name in names}

__all__ = sorted(_FILE_OF)


def __getattr__(name: str) -> object:
    if name not in _FILE_OF:
        raise AttributeError(f"module 'course_lib' has no attribute {name!r}")
    value = getattr(import_module(f"course_lib.{_FILE_OF[name]}"), name)
    globals()[name] = value  # the next time it is there
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
