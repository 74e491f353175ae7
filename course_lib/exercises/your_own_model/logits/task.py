"""The reference, the cases and the hints of `own_logits`."""

from course_lib.checker.tasks import Cases
from course_lib.exercises.your_own_model.attention.task import own_attention
from course_lib.exercises.your_own_model.lent import feed_forward, rms_norm
from course_lib.exercises.your_own_model.small_model import model_inputs


def own_logits(model, tokens, caches=None):
    """Look the vectors up, let each layer add what its attention and its feed-forward network find,
    and compare what comes out with every word's vector. Each of the two reads a normalised copy,
    and its result is added to what came in; so every layer can leave a vector as it is.

    Cost: For each token the parameters once, and the scores of all layers."""
    x = model["embedding"][tokens]  # (B, T, width)
    new = []
    for i, layer in enumerate(model["layers"]):
        cache = None if caches is None else caches[i]
        found, cache = own_attention(rms_norm(x, layer["norm_1"]), layer, cache)
        x = x + found
        x = x + feed_forward(rms_norm(x, layer["norm_2"]), layer)
        new.append(cache)
    return rms_norm(x, model["norm"]) @ model["embedding"].T, new


case = Cases(sizes=(1, 2), dtypes=("float32",), atol=1e-3)
case("one layer, all gains 1", lambda s: model_inputs(s, layers=1, gain=0.0))
case(
    "one layer, a text at once",
    lambda s: model_inputs(s, layers=1),
    place="With gains of 1 it is right, and with others it is not. Look at what each of the three "
    'normalisations is handed: `layer["norm_1"]` before the attention, `layer["norm_2"]` before '
    'the feed-forward network, `model["norm"]` at the end.',
)
case(
    "two layers, a text at once",
    model_inputs,
    place="A single layer is right, and two are not. Look at what one layer hands to the next: the "
    "second reads x as the first leaves it, and has matrices, gains and a cache of its own.",
)
case(
    "a prompt, then one token at a time",
    lambda s: model_inputs(s, pieces=(4, 1, 1)),
    place="A text that comes at once is right, and with caches it is not. Layer i reads its own "
    "cache, `caches[i]`, and all new caches are returned, in the order of the layers.",
)
case.hidden("three layers, token by token", lambda s: model_inputs(s, 3, (1, 1, 1, 1)))
case.hidden("a single token", lambda s: model_inputs(s, pieces=(1,)))

HINTS = (
    "A layer changes x twice, and both times by adding. What stands between x and the part that "
    "reads it?",
    "For each layer: `found, cache = own_attention(rms_norm(x, …), layer, cache)`, x + found, and "
    "then the same with `feed_forward`. Layer i has the cache i.",
    'Begin with `model["embedding"][tokens]`, end with '
    '`rms_norm(x, model["norm"]) @ model["embedding"].T`, and return the list of the new caches '
    "beside the logits.",
)

# Why special values do not come.
WITHOUT = {
    "example": "A model and its logits are too many numbers to print.",
    "dtype: float64 and float32": "A published model comes in one dtype.",
}
