"""The reference, the cases and the hints of `switch_off`."""

from collections.abc import Callable

from course_lib.checker.tasks import Candidate, Cases, Inputs, Sampler
from course_lib.exercises.inside_a_model.small_model import (
    Attention,
    Layer,
    Small,
    Stack,
    logits_without,
    same_after_an_error,
    same_afterwards,
    same_in_training,
)
from course_lib.exercises.mutants import HEADER, source


def switch_off(model, tokens, heads):
    """What the heads found lies side by side in the input of W_o, so a hook that runs before W_o
    can set the part of one head to zero without touching the model's code. Whatever happens in
    between, `finally` takes the hooks away: else the next measurement is made on a damaged model.

    Cost: One forward pass, and a copy of the heads' outputs in the layers concerned."""
    hooks = []
    try:
        for layer, head in heads:
            attention = model.stack.layers[layer].self_attention

            def silence(module, inputs, head=head, num_heads=attention.num_heads):
                found = inputs[0].clone().unflatten(-1, (num_heads, -1))  # (B, T, H, d)
                found[:, :, head] = 0
                return (found.flatten(2),)

            hooks.append(attention.W_o.register_forward_pre_hook(silence))
        logits, _weights = model(tokens)
        return logits
    finally:
        for hook in hooks:
            hook.remove()


def draw(s: Sampler, examine: Callable, choose: Callable[[int, int], list]) -> Inputs:
    """Tokens (B, T), the heads to switch off, and the numbers of a model."""
    num_heads, head_dim, T = s.dims(3, low=3)
    layers, words, width = num_heads + 1, 11 + s.size, num_heads * head_dim
    parts = (Attention, Layer, Stack, Small, examine)
    text = "import contextlib\n" + HEADER + "\n\n".join(source(part) for part in parts)
    return Inputs(
        kwargs={
            "tokens": s.integers(0, words, 2 if s.size == 1 else 1, T + 3),
            "heads": choose(layers, num_heads),
            "table": s.floats(words, width),
            "matrices": s.floats(layers, 4, width, width, scale=width**-0.5),
            "num_heads": num_heads,
        },
        examiner=Candidate(examine.__name__, text),
    )


def several(layers: int, heads: int) -> list:
    return [(layers - 1, 0), (0, heads - 1), (0, 1)]


case = Cases(sizes=(1, 3), dtypes=("float64",))
case("one head", lambda s: draw(s, logits_without, lambda _, heads: [(1, heads - 1)]))
case("two heads of one layer, one of another", lambda s: draw(s, logits_without, several))
case("the model is the same afterwards", lambda s: draw(s, same_afterwards, several))
case.hidden("no head at all", lambda s: draw(s, logits_without, lambda *_: []))
case.hidden(
    "all heads of a layer",
    lambda s: draw(s, logits_without, lambda _, heads: [(2, head) for head in range(heads)]),
)
case.hidden("the model is the same after an error", lambda s: draw(s, same_after_an_error, several))
case.hidden(
    "a model in training mode is the same afterwards", lambda s: draw(s, same_in_training, several)
)

WITHOUT = {
    "example": "Logits of a whole model are no sum for a pencil.",
    "dtype: float64 and float32": "The model has its dtype, and what is silenced is a part of it.",
}
