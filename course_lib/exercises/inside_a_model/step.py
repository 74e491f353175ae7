"""Task `bytes_per_step` of lab 6: what a model reads to write one token."""

from course_lib.checker.tasks import Cases, Mistakes, Sampler, task


def bytes_per_step(layers, kv_heads, head_dim, length, parameters, bytes_per_number):
    """A step reads every weight once, and of each layer the keys and values of all tokens so far.
    The first part is the same at every step; the second grows with the text. Which of them is
    larger says what would make the step faster.

    Cost: A product and a sum; the result is what the memory has to deliver."""
    cache = 2 * layers * kv_heads * head_dim * length
    return (parameters + cache) * bytes_per_number


def draw(s: Sampler, parameters: int = 100, width: int = 4) -> tuple:
    layers, kv_heads, head_dim, length = s.dims(4, low=3)
    return layers, kv_heads, head_dim, length, parameters * (7 + s.size) + 1, width


case = Cases(dtypes=("float32",))
case("a small model", draw)
case("a large model and a short text", lambda s: draw(s, 10**8))
case.hidden("two bytes a number", lambda s: draw(s, width=2))
case.hidden("more than a float can hold", lambda s: draw(s, 10**16 + 1, 3))

MISTAKES = Mistakes(bytes_per_step)
MISTAKES.change("no-weights", "(parameters + cache)", "cache").says(
    "You count the cache alone. A step reads all weights, too."
)
MISTAKES.change("no-cache", "(parameters + cache)", "parameters").says("""
    You count the weights alone. A step reads the keys and values of all tokens so far.
""")
MISTAKES.change("keys-alone", "2 * layers", "layers").says(
    "You count keys and forget the values, which are as many."
)
MISTAKES.change("one-layer", "layers * ", "").says("""
    You count one layer of the cache. Each layer has its keys and values.
""")
MISTAKES.change("one-head", "kv_heads * ", "").says(
    "You count one head of the cache. There are `kv_heads`."
)
MISTAKES.change("one-feature", " * head_dim", "").says(
    "You count one number for a key. A key has `head_dim`."
)
MISTAKES.change("one-token", " * length", "").says(
    "You count one token of the cache. All `length` are read."
)
MISTAKES.change("numbers", " * bytes_per_number", "").says("""
    You count numbers. Bytes are asked: each number takes `bytes_per_number`.
""")
MISTAKES.change(
    "cache-in-numbers",
    "(parameters + cache) * bytes_per_number",
    "parameters * bytes_per_number + cache",
).says("""
    You forget that a number of the cache has `bytes_per_number` bytes, too.
""")
MISTAKES.change(
    "weights-in-numbers",
    "(parameters + cache) * bytes_per_number",
    "parameters + cache * bytes_per_number",
).says("You forget that a weight has `bytes_per_number` bytes, too.")
MISTAKES.change("weights-by-layer", "(parameters +", "(layers * parameters +").says("""
    You read the weights once for each layer. `parameters` counts those of all layers.
""")
MISTAKES.change("weights-by-token", "(parameters +", "(length * parameters +").says("""
    You read the weights once for each token of the text. One step reads them once.
""")
MISTAKES.change("float", "2 * layers", "2.0 * layers").says("""
    Your result is a float. A number of bytes is whole: return an int, without `/` and without 2.0.
""")
MISTAKES.by("through-a-float", lambda *numbers: int(float(bytes_per_step(*numbers)))).says("""
    On the way your number was a float, which holds 53 bits. Add and multiply the ints themselves.
""")
STEP = task(
    MISTAKES,
    2,
    case.all,
    (
        "What must be read from memory before a step can write its token?",
        "All weights, once; and in each layer, for each head of keys and each token, a key and a "
        "value of `head_dim` numbers.",
        "(parameters + 2 · layers · kv_heads · head_dim · length) · bytes_per_number.",
    ),
)
