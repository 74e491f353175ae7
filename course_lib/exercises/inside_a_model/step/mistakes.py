"""What goes wrong in `bytes_per_step`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.inside_a_model.step.task import bytes_per_step

MISTAKES = Mistakes(bytes_per_step, globals())
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
MISTAKES.change("one-token-more", "head_dim * length", "head_dim * (length + 1)").says("""
    You count one token more than the cache holds. `length` is the number of tokens that the step
    reads: what it writes is read by the next one.
""")
MISTAKES.change("multiplied", "(parameters + cache)", "(parameters * cache)").says("""
    You multiply the weights by the cache. A step reads the one and then the other: add them.
""")
