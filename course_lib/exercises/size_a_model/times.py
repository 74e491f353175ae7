"""Two tasks of lab 5: the time of prefill and of decode, in seconds."""

from course_lib.checker.tasks import Mistakes, Sampler
from course_lib.exercises.common import family
from course_lib.exercises.size_a_model.sizes import size


def prefill_seconds(parameters, layers, d_model, length, batch, flops):
    matrices = 2 * parameters * length  # one multiplication and one addition each
    attention = 2 * layers * d_model * length**2  # 4 T² d, and causal: half of it
    return (matrices + attention) * batch / flops


def decode_seconds(parameters, bytes_per_number, cache_bytes, batch, flops, bandwidth):
    read = (parameters * bytes_per_number + cache_bytes * batch) / bandwidth
    compute = 2 * parameters * batch / flops
    return max(read, compute)


def prompt(s: Sampler, length: int, batch: int) -> tuple:
    layers, d_model = 16 + s.size, 1024 * s.dims(1)[0]
    return 12 * layers * d_model**2, layers, d_model, length, batch, 4e14


def step(s: Sampler, batch: int, cache: int = 10**6, width: int = 2) -> tuple:
    parameters = int(s.integers(1, 9)) * 10**9
    return parameters, width, cache * (1 + s.size), batch, 1e15, 3e12


def crowded(s: Sampler) -> tuple:
    """Computing takes longest, and reading the caches a third of it, so both are seen; the caches
    are small, or the chip is slow."""
    parameters, _width, _cache, batch, flops, bandwidth = step(s, 20_000)
    part, flops = (500, flops) if s.size == 1 else (5, flops / 100)
    return parameters, 4, parameters // part, batch, flops, bandwidth  # 4: not an operation's 2


MISTAKES = Mistakes(prefill_seconds)
MISTAKES.change("one-a-parameter", "2 * parameters", "parameters").says("""
    A parameter costs two operations a token: it is multiplied, and the product is added.
""")
MISTAKES.change("six-a-parameter", "2 * parameters", "6 * parameters").says("""
    Six operations a parameter are training's: two forwards, four backwards. Here nothing goes back.
""")
MISTAKES.change("operations", " / flops", "").says("""
    You return operations. Divide by `flops`, those of a second.
""")
MISTAKES.change("milliseconds", "/ flops", "/ flops * 1000").says(
    "You return milliseconds. Seconds are asked."
)
MISTAKES.change("no-attention", "(matrices + attention)", "matrices").says("""
    You leave attention out, which grows with the square of the length.
""")
MISTAKES.change("attention-of-one-layer", "2 * layers * d_model", "2 * d_model").says(
    "You count the attention of one layer."
)
MISTAKES.change("whole-square", "2 * layers * d_model", "4 * layers * d_model").says("""
    You count the scores of all pairs. A causal model needs those below the diagonal: half of them.
""")
MISTAKES.change("scores-alone", "2 * layers * d_model", "layers * d_model").says("""
    Your attention costs half of what it does. The scores and the weighted sum of the values cost 2
    d_model each for a pair, and half of the T² pairs count, not a quarter.
""")
MISTAKES.change("attention-linear", "length**2", "length").says("""
    Your attention grows with the length; it grows with its square.
""")
MISTAKES.change("one-token", "2 * parameters * length", "2 * parameters").says(
    "You count one token. All tokens of the prompt are read."
)
MISTAKES.change("one-prompt", " * batch", "").says("You count one prompt of the batch.")
MISTAKES.change("pairs-without-width", "2 * layers * d_model", "2 * layers").says("""
    A pair of tokens costs more than an operation: its score has d_model products over all heads.
""")
MISTAKES.change("batch-squared", "length**2", "length**2 * batch").says("""
    Your prompts see each other. They do not: square the length of one prompt, then multiply by the
    batch.
""")
MISTAKES.change("divided-by-batch", " * batch", " / batch").says("""
    More prompts take longer, not shorter: multiply by the batch.
""")
family(
    MISTAKES,
    """You multiply one of the two kinds of work by the batch, and not the other. Each prompt does
    both: add them, then multiply.""",
    batch_on_matrices=("(matrices + attention) * batch", "(matrices * batch + attention)"),
    batch_on_attention=("(matrices + attention) * batch", "(matrices + attention * batch)"),
)
family(
    MISTAKES,
    """All that you count is half of what it is. A multiplication and the addition of its product
    are two operations, for each parameter and in each pair; and causal halves the pairs alone.""",
    multiplications_alone=("(matrices + attention)", "(matrices + attention) / 2"),
)
family(
    MISTAKES,
    """You take the longer of two works. The chip does both, one after the other: add them.""",
    longer=("(matrices + attention)", "max(matrices, attention)"),
)
family(
    MISTAKES,
    """You take the parameters once for each layer. `parameters` counts those of all layers.""",
    parameters_by_layer=("2 * parameters", "2 * layers * parameters"),
)
family(
    MISTAKES,
    """You count four times as many pairs as there are. Half of the T² pairs count, with 4
    d_model operations each in every layer.""",
    twice=("2 * layers * d_model", "8 * layers * d_model"),
)
PREFILL = size(
    MISTAKES,
    2,
    (100, 1, 4, 10, 1, 1400),
    (
        ("a short prompt", lambda s: prompt(s, 500, 1)),
        ("a batch of prompts", lambda s: prompt(s, 20_000, 3 + s.size)),
        ("a prompt so long that attention is most of it", lambda s: prompt(s, 200_000, 1)),
        ("two long prompts", lambda s: prompt(s, 100_000, 2)),
    ),
    (
        "Two kinds of work: what each token does with the parameters, and what each pair of tokens "
        "does.",
        "2 operations for each parameter and token. For each pair and layer: a score, 2 d_model "
        "operations over all heads together, and its share of the weighted sum, as many; half of "
        "the pairs lie ahead.",
        "(2 · parameters · length + 2 · layers · d_model · length²) · batch / flops.",
    ),
)
MISTAKES = Mistakes(decode_seconds)
MISTAKES.change(
    "tokens-a-second", "return max(read, compute)", "return batch / max(read, compute)"
).says("""
    You return tokens a second. The seconds of a step are asked.
""")
MISTAKES.change(
    "milliseconds", "return max(read, compute)", "return max(read, compute) * 1000"
).says("You return milliseconds. Seconds are asked.")
MISTAKES.change(
    "steps-a-second", "return max(read, compute)", "return 1 / max(read, compute)"
).says("You return steps a second. The seconds of a step are asked.")
MISTAKES.change("computing-alone", "max(read, compute)", "compute").says("""
    You count operations alone. For few texts the chip waits for its memory: every parameter must be
    read for every step.
""")
MISTAKES.change("reading-alone", "max(read, compute)", "read").says("""
    You count bytes alone, or the operations of one text. With thousands of texts computing takes
    longer.
""")
MISTAKES.change("both-added", "max(read, compute)", "read + compute").says("""
    You add the two times. The chip reads while it computes: the longer one counts.
""")
MISTAKES.change(
    "caches-added",
    " + cache_bytes * batch",
    "",
    "max(read, compute)",
    "max(read, compute) + cache_bytes * batch / bandwidth",
).says("""
    You add the time of reading the caches. They are read while the chip computes, as the weights
    are.
""")
MISTAKES.change("the-shorter", "max(", "min(").says("""
    You take the shorter of the two times; a step is done when both are.
""")
MISTAKES.change("no-cache", " + cache_bytes * batch", "").says(
    "You forget that each text's cache is read, too."
)
MISTAKES.change("one-cache", "cache_bytes * batch", "cache_bytes").says("""
    You read one text's cache. Each text of the batch has its own.
""")
MISTAKES.change(
    "weights-for-each-text",
    "(parameters * bytes_per_number + cache_bytes * batch)",
    "(parameters * bytes_per_number + cache_bytes) * batch",
).says("""
    You read the weights once for each text. One reading serves the whole batch: that is what
    batches are for.
""")
MISTAKES.change("numbers-for-bytes", "parameters * bytes_per_number", "parameters").says(
    "You read numbers; the bandwidth is in bytes."
)
MISTAKES.change("one-a-parameter", "2 * parameters", "parameters").says("""
    A parameter costs two operations a text: it is multiplied, and the product is added.
""")
family(
    MISTAKES,
    """You multiply the caches by `bytes_per_number`. `cache_bytes` is in bytes already.""",
    cache_in_bytes_twice=("cache_bytes * batch", "cache_bytes * batch * bytes_per_number"),
)
family(
    MISTAKES,
    """You have exchanged the two rates. What is read is divided by `bandwidth`, operations by
    `flops`.""",
    rates_exchanged=("/ bandwidth", "/ flops", "batch / flops", "batch / bandwidth"),
)
family(
    MISTAKES,
    """You multiply the parameters by the bytes of a number and call it operations. A parameter
    costs two, whatever its size: it is multiplied, and the product is added.""",
    bytes_for_operations=("2 * parameters * batch", "bytes_per_number * parameters * batch"),
)
family(
    MISTAKES,
    """You take the mean of the two times. They run side by side: the longer one counts.""",
    mean_of_both=("max(read, compute)", "(read + compute) / 2"),
)
family(
    MISTAKES,
    """You divide by the batch: the time of a step is asked, which writes a token of each text.""",
    by_text=("max(read, compute)", "max(read, compute) / batch"),
)
DECODE = size(
    MISTAKES,
    3,
    (100, 2, 50, 4, 1000, 400),
    (
        ("one text", lambda s: step(s, 1, width=s.turn(4, 1))),  # not the example's 2
        ("thousands of texts: computing takes longer", crowded),
        (
            "some long texts: the cache is most of it",
            lambda s: step(s, 64 if s.size == 1 else 2000, 10**9),
        ),
        ("as many texts as balance both", lambda s: step(s, 333, 10)),
    ),
    (
        "A step does two things at once: it reads, and it computes. Which one is it waiting for?",
        "Read: all weights once, and each text's cache. Compute: two operations for each parameter "
        "and text.",
        "max((parameters · bytes_per_number + cache_bytes · batch) / bandwidth, 2 · parameters · "
        "batch / flops).",
    ),
)
