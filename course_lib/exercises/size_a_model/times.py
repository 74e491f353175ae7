"""Two tasks of lab 5: the time of prefill and of decode, in seconds."""

from course_lib.checker.tasks import Mistakes, Sampler
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


def step(s: Sampler, batch: int, cache: int = 10**6) -> tuple:
    parameters = int(s.integers(1, 9)) * 10**9
    return parameters, 2, cache * (1 + s.size), batch, 1e15, 3e12


def crowded(s: Sampler) -> tuple:
    """Computing takes longest, and reading the caches a third of it, so both are seen."""
    parameters, width, _cache, *rest = step(s, 20_000)
    return parameters, width, parameters // 500, *rest


MISTAKES = Mistakes(prefill_seconds)
MISTAKES("""A parameter costs two operations a token: it is multiplied, and the product is
    added.""").change("one-a-parameter", "2 * parameters", "parameters")
MISTAKES("""Six operations a parameter are training's: two forwards, four backwards. Here nothing
    goes back.""").change("six-a-parameter", "2 * parameters", "6 * parameters")
MISTAKES("""You return operations. Divide by `flops`, those of a
    second.""").change("operations", " / flops", "")
MISTAKES("""You return milliseconds. Seconds are
    asked.""").change("milliseconds", "/ flops", "/ flops * 1000")
MISTAKES("""You leave attention out, which grows with the square of the
    length.""").change("no-attention", "(matrices + attention)", "matrices")
MISTAKES("""You count the attention of one
    layer.""").change("attention-of-one-layer", "2 * layers * d_model", "2 * d_model")
MISTAKES("""You count the scores of all pairs. A causal model needs those below the diagonal: half
    of them.""").change("whole-square", "2 * layers * d_model", "4 * layers * d_model")
MISTAKES("""You count the scores and forget the weighted sum of the values, which costs as
    much.""").change("scores-alone", "2 * layers * d_model", "layers * d_model")
MISTAKES("""Your attention grows with the length; it grows with its
    square.""").change("attention-linear", "length**2", "length")
MISTAKES("""You count one token. All tokens of the prompt are
    read.""").change("one-token", "2 * parameters * length", "2 * parameters")
MISTAKES("You count one prompt of the batch.").change("one-prompt", " * batch", "")
MISTAKES("""A pair of tokens costs more than an operation: its score has d_model products over all
    heads.""").change("pairs-without-width", "2 * layers * d_model", "2 * layers")
MISTAKES("""Your prompts see each other. They do not: square the length of one prompt, then multiply
    by the batch.""").change("batch-squared", "length**2", "length**2 * batch")
MISTAKES("""More prompts take longer, not shorter: multiply by the
    batch.""").change("divided-by-batch", " * batch", " / batch")
PREFILL = size(
    MISTAKES,
    2,
    (
        ("a short prompt", lambda s: prompt(s, 500, 1)),
        ("a batch of prompts", lambda s: prompt(s, 2_000, 3 + s.size)),
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
MISTAKES("""You return milliseconds. Seconds are
    asked.""").change(
    "milliseconds", "return max(read, compute)", "return max(read, compute) * 1000"
)
MISTAKES("""You return steps a second. The seconds of a step are
    asked.""").change(
    "steps-a-second", "return max(read, compute)", "return 1 / max(read, compute)"
)
MISTAKES("""You count operations alone. For few texts the chip waits for its memory: every parameter
    must be read for every step.""").change("computing-alone", "max(read, compute)", "compute")
MISTAKES("""You count bytes alone, or the operations of one text. With thousands of texts computing
    takes longer.""").change("reading-alone", "max(read, compute)", "read")
MISTAKES("""You add the two times. The chip reads while it computes: the longer one
    counts.""").change("both-added", "max(read, compute)", "read + compute")
MISTAKES("""You add the time of reading the caches. They are read while the chip computes, as the
    weights are.""").change(
    "caches-added",
    " + cache_bytes * batch",
    "",
    "max(read, compute)",
    "max(read, compute) + cache_bytes * batch / bandwidth",
)
MISTAKES("""You take the shorter of the two times; a step is done when both
    are.""").change("the-shorter", "max(", "min(")
MISTAKES("""You forget that each text's cache is read,
    too.""").change("no-cache", " + cache_bytes * batch", "")
MISTAKES("""You read one text's cache. Each text of the batch has its
    own.""").change("one-cache", "cache_bytes * batch", "cache_bytes")
MISTAKES("""You read the weights once for each text. One reading serves the whole batch: that is
    what batches are for.""").change(
    "weights-for-each-text",
    "(parameters * bytes_per_number + cache_bytes * batch)",
    "(parameters * bytes_per_number + cache_bytes) * batch",
)
MISTAKES("""You read numbers; the bandwidth is in
    bytes.""").change("numbers-for-bytes", "parameters * bytes_per_number", "parameters")
MISTAKES("""A parameter costs two operations a text: it is multiplied, and the product is
    added.""").change("one-a-parameter", "2 * parameters", "parameters")
DECODE = size(
    MISTAKES,
    3,
    (
        ("one text", lambda s: step(s, 1)),
        ("thousands of short texts: computing takes longer", crowded),
        ("some long texts: the cache is most of it", lambda s: step(s, 64, 10**9)),
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
