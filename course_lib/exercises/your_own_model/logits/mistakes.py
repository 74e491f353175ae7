"""What goes wrong in `own_logits`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.your_own_model.logits.task import own_logits

FEED = 'x + feed_forward(rms_norm(x, layer["norm_2"]), layer)'
MISTAKES = Mistakes(own_logits, globals())
MISTAKES.change("attention-not-added", "x = x + found", "x = found").says("""
    What the attention finds takes the place of x. It is added: `x = x + found`.
""")
MISTAKES.change("feed-not-added", FEED, FEED.removeprefix("x + ")).says("""
    What the feed-forward network finds takes the place of x. It is added: `x = x + …`.
""")
MISTAKES.change("attention-reads-x", 'rms_norm(x, layer["norm_1"])', "x").says("""
    Your attention reads x as it is. It reads a normalised copy, `rms_norm(x, layer["norm_1"])`.
""")
MISTAKES.change("feed-reads-x", 'rms_norm(x, layer["norm_2"])', "x").says("""
    Your feed-forward network reads x as it is. It reads `rms_norm(x, layer["norm_2"])`.
""")
MISTAKES.change("first-norm-twice", 'layer["norm_2"]', 'layer["norm_1"]').says("""
    You normalise with `norm_1` twice. The feed-forward network has its own, `norm_2`.
""")
MISTAKES.change(
    "normalised-and-kept",
    'found, cache = own_attention(rms_norm(x, layer["norm_1"]), layer, cache)',
    'x = rms_norm(x, layer["norm_1"]); found, cache = own_attention(x, layer, cache)',
).says("""
    You put the normalised x in the place of x. It is a copy for the attention alone; what that
    finds is added to x as it came in.
""")
MISTAKES.change("last-norm-missing", 'rms_norm(x, model["norm"])', "x").says("""
    The last normalisation is missing: `rms_norm(x, model["norm"])`, before the words are compared.
""")
MISTAKES.change("no-feed", f"x = {FEED}", "pass").says("""
    Your layers have no feed-forward network. Each adds its result after the attention's.
""")
MISTAKES.change(
    "feed-first", f"x = x + found\n        x = {FEED}", f"x = {FEED}\n        x = x + found"
).says("""
    Your feed-forward network reads x before the attention's result has been added to it.
""")
MISTAKES.change("first-cache-for-all", "caches[i]", "caches[0]").says("""
    All your layers read the cache of the first. Layer i has its own, `caches[i]`.
""")
MISTAKES.change("caches-not-read", "None if caches is None else caches[i]", "None").says("""
    Your new tokens see none of those before them: each stands alone at position 0. Hand `caches[i]`
    to the attention of layer i, and return the caches that the layers give back.
""")
LOGITS = 'rms_norm(x, model["norm"]) @ model["embedding"].T'
MISTAKES.change(
    "normalised-afterwards",
    'found, cache = own_attention(rms_norm(x, layer["norm_1"]), layer, cache)',
    "found, cache = own_attention(x, layer, cache)\n"
    '        found = rms_norm(found, layer["norm_1"])',
).says("""
    You normalise what the attention has found. Normalise what it reads: `rms_norm(x,
    layer["norm_1"])` goes in, and what comes out is added as it is.
""")
MISTAKES.change(
    "one-cache-through-all-layers",
    "cache = None if caches is None else caches[i]",
    "cache = (None if caches is None else caches[0]) if i == 0 else cache",
).says("""
    Your layers hand one cache on from each to the next. Each layer has its own: layer i begins with
    `caches[i]`, or with None.
""")
MISTAKES.change("last-logits-alone", LOGITS, LOGITS.replace("]) @", "])[:, -1] @")).says("""
    You return the logits of the last token alone. Return those of all T, (B, T, V).
""")
MISTAKES.change(
    "a-layer-left-out", 'enumerate(model["layers"])', 'enumerate(model["layers"][:-1])'
).says("""
    Your last layer has no part in the logits. Go through all of `model["layers"]`.
""")
MISTAKES.change(
    "first-layer-left-out", 'enumerate(model["layers"])', 'enumerate(model["layers"][1:])'
).says("""
    Your first layer has no part in the logits. Go through all of `model["layers"]`.
""")
MISTAKES.change(
    "embedding-scaled",
    'model["embedding"][tokens]',
    'model["embedding"][tokens] * model["embedding"].shape[1] ** 0.5',
).says("""
    You multiply the embedding by the root of its width. This model takes its rows as they are.
""")
MISTAKES.change("first-text-alone", "[tokens]", "[tokens[:1]]").says("""
    Your logits are those of the first text alone. `model["embedding"][tokens]` has all of them,
    (B, T, width).
""")
MISTAKES.change("logits-alone", f"return {LOGITS}, new", f"return {LOGITS}").says("""
    You return the logits alone. Return the new caches with them: `return logits, caches`.
""")
MISTAKES.change("one-layer-for-all", "layer, cache)", 'model["layers"][0], cache)').says("""
    All your layers attend with the matrices of the first. Hand on `layer`.
""")
ATTENDS = 'own_attention(rms_norm(x, layer["norm_1"]), layer, cache)'
READS_X, SUM = "own_attention(x, layer, cache)", "x = x + found"
AFTER_SUM = """
    You normalise the sum. Normalise what a part reads, and add what it finds to x as it came in:
    `x = x + part(rms_norm(x, …))`.
"""
MISTAKES.change(
    "norm-after-both-sums", ATTENDS, READS_X,
    SUM, 'x = rms_norm(x + found, layer["norm_1"])',
    FEED, 'rms_norm(x + feed_forward(x, layer), layer["norm_2"])',
).says(AFTER_SUM)  # fmt: skip
MISTAKES.change(
    "norm-after-the-first-sum", ATTENDS, READS_X, SUM, 'x = rms_norm(x + found, layer["norm_1"])'
).says(AFTER_SUM)
MISTAKES.change(
    "norm-after-the-second-sum", FEED, 'rms_norm(x + feed_forward(x, layer), layer["norm_2"])'
).says(AFTER_SUM)
KEPT = """
    You put the normalised x in the place of x before both parts. It is a copy that each of them
    reads; what they find is added to x as it came in.
"""
NORMALISED = 'x = rms_norm(x, layer["norm_2"])\n        x = x + feed_forward(x, layer)'
MISTAKES.change(
    "both-normalised-and-kept",
    f"found, cache = {ATTENDS}", f'x = rms_norm(x, layer["norm_1"]); found, cache = {READS_X}',
    f"x = {FEED}", NORMALISED,
).says(KEPT)  # fmt: skip
MISTAKES.change("second-normalised-and-kept", f"x = {FEED}", NORMALISED).says("""
    You put the x that is normalised for the feed-forward network in the place of x. It is a copy
    for that network alone; what it finds is added to x as it came in.
""")
