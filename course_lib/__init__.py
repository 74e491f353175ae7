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

from course_lib import moved

_FILES = {
    "modules.additive": ("AdditiveAttention",),
    "modules.cache": ("KeyValueCache",),
    "modules.hard": (
        "HardAttention",
        "reinforce_loss",
        "sample_choice",
        "straight_through_gumbel",
    ),
    "modules.latent": ("LatentAttention",),
    "gate.linear": ("delta_rule", "linear_attention"),
    "modules.luong": ("LuongAttention",),
    "gate.masks": ("causal_mask", "padding_mask", "window_mask"),
    "modules.multi_head": ("MultiHeadAttention",),
    "gate.positions": ("alibi_bias", "rotary_embedding", "sinusoidal_positions"),
    "gate.attention": ("attend", "scaled_dot_product_attention"),
    "gate.scores": (
        "additive_scores",
        "concat_scores",
        "dot_scores",
        "general_scores",
        "scaled_dot_scores",
    ),
    "gate.softmax": ("masked_softmax", "online_softmax", "softmax"),
    "exercises": ("check", "hint", "show"),
    "gate.explain": ("explain",),
}
_FILE_OF = {name: file for file, names in _FILES.items() for name in names}

__all__ = sorted(_FILE_OF)
moved.register()


def __getattr__(name: str) -> object:
    if name not in _FILE_OF:
        raise AttributeError(f"module 'course_lib' has no attribute {name!r}")
    try:
        value = getattr(import_module(f"course_lib.{_FILE_OF[name]}"), name)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"course_lib.{name} needs {missing.name}, which is not installed: python -m pip "
            "install 'course-lib[course]', in the course's folder '.[course]'.",
            name=missing.name,
        ) from missing
    globals()[name] = value  # the next time it is there
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
