"""The answers of lab 5, and what makes one a task: how it is drawn, and how it may go wrong."""

from collections.abc import Callable, Sequence

from course_lib.checker.tasks import Cases, Mistakes, Sampler, Task, task
from course_lib.exercises.size_a_model.words import WORDS

WITHIN = 0.05


def count_parameters(layers, d_model, heads, kv_heads, d_ff, vocabulary, tied):
    head_dim = d_model // heads
    queries = d_model * d_model  # W_q, and W_o is as large
    keys = d_model * kv_heads * head_dim  # W_k, and W_v is as large
    feed_forward = 3 * d_model * d_ff  # gate, up and down
    tables = 1 if tied else 2
    embeddings = tables * vocabulary * d_model
    return float(layers * (2 * queries + 2 * keys + feed_forward) + embeddings)


def most_texts(memory, parameters, bytes_per_number, cache_bytes):
    left = memory - parameters * bytes_per_number
    return float(max(left // cache_bytes, 0))


def prefill_seconds(parameters, layers, d_model, length, batch, flops):
    matrices = 2 * parameters * length  # one multiplication and one addition each
    attention = 2 * layers * d_model * length**2  # 4 T² d, and causal: half of it
    return (matrices + attention) * batch / flops


def decode_seconds(parameters, bytes_per_number, cache_bytes, batch, flops, bandwidth):
    read = (parameters * bytes_per_number + cache_bytes * batch) / bandwidth
    compute = 2 * parameters * batch / flops
    return max(read, compute)


def size(
    mistakes: Mistakes,
    points: int,
    cases: Sequence[tuple[str, Callable[[Sampler], tuple]]],
    hints: tuple[str, str, str],
    within: float | None = WITHIN,
) -> Task:
    """A task whose answer is a number. Every second case is hidden."""
    answer = mistakes.reference
    idea, cost = WORDS[answer.__name__]
    case = Cases(dtypes=("float32",), within=within)
    for i, (name, draw) in enumerate(cases):
        (case.hidden if i % 2 else case)(name, draw)
    return task(mistakes, points, case.all, hints, library="numpy", idea=idea, cost=cost)


def shape(s: Sampler, share: int = 4, tied: bool = False, words: int = 64_000) -> tuple:
    """A model: heads of 128, `share` query heads for each head of keys."""
    kv_heads, layers = s.dims(2, low=3)
    heads = share * kv_heads
    d_model = 128 * heads
    return layers, d_model, heads, kv_heads, 2 * d_model + 64, words, tied


def served(s: Sampler, spare: float = 0.5) -> tuple:
    """A machine's memory, of which `spare` is left beside the weights."""
    parameters = int(s.integers(1, 9)) * 10**9 + int(s.integers(1, 10**6))
    memory = int(2 * parameters / (1 - spare)) + 12_345
    return memory, parameters, 2, int(s.integers(10**6, 10**7)) * 7


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


MISTAKES = Mistakes(count_parameters)
MISTAKES("""Your W_k and W_v are as large as W_q. They make `kv_heads` heads only: d_model ×
    (kv_heads · head_dim)
    each.""").change("keys-as-wide-as-queries", "kv_heads * head_dim", "d_model")
MISTAKES("""`kv_heads` alone is no width: W_k and W_v make kv_heads · head_dim features
    each.""").change("heads-without-their-width", "kv_heads * head_dim", "kv_heads")
MISTAKES("""You forget W_o, which puts the heads together: another d_model ×
    d_model.""").change("no-output-matrix", "2 * queries", "queries")
MISTAKES("""You count W_k and forget W_v, which is as
    large.""").change("keys-alone", "2 * keys", "keys")
MISTAKES("""You count two matrices in the feed-forward block. With a gate there are
    three.""").change("two-matrices", "3 * d_model", "2 * d_model")
MISTAKES("""You count one table of embeddings, also where reading and writing have their
    own.""").change("always-tied", "1 if tied else 2", "1")
MISTAKES("""You count two tables of embeddings, also where they are
    one.""").change("always-two-tables", "1 if tied else 2", "2")
MISTAKES("""You forget the embeddings: vocabulary ×
    d_model.""").change("no-embeddings", " + embeddings", "")
MISTAKES("You count a single layer.").change("one-layer", "layers * (", "(")
MISTAKES("You count the embeddings in every layer; the model has them once.").change(
    "embeddings-in-every-layer", "feed_forward) + embeddings", "feed_forward + embeddings)"
)
MISTAKES("""You have turned *tied* round: tied, reading and writing share one
    table.""").change("tied-turned", "1 if tied else 2", "2 if tied else 1")
PARAMETERS = size(
    MISTAKES,
    3,
    (
        ("heads that share", shape),
        ("no sharing", lambda s: shape(s, 1, words=500)),
        ("one table for reading and writing", lambda s: shape(s, 4, True)),
        ("many query heads for each head of keys", lambda s: shape(s, 8, words=500)),
    ),
    (
        "List the matrices of one layer with their shapes. Which of them know how many heads of "
        "keys there are?",
        "W_q and W_o are d_model × d_model, W_k and W_v are d_model × (kv_heads · head_dim), the "
        "feed-forward block has three of d_model × d_ff.",
        "layers · (2 d² + 2 d · kv_heads · head_dim + 3 d · d_ff), and vocabulary · d once if "
        "tied, else twice; head_dim is d_model // heads.",
    ),
)
MISTAKES = Mistakes(most_texts)
MISTAKES("""You forget that the weights lie in the same
    memory.""").change("weights-forgotten", "memory - parameters * bytes_per_number", "memory")
MISTAKES("You subtract numbers from bytes: each parameter takes `bytes_per_number`.").change(
    "numbers-for-bytes", "parameters * bytes_per_number", "parameters"
)
MISTAKES("There is no part of a text: round down.").change("a-part-of-a-text", "//", "/")
MISTAKES("""You round up. A text that fits in part does not
    fit.""").change("rounded-up", "left // cache_bytes", "-(-left // cache_bytes)")
MISTAKES("""Where the weights alone do not fit, the answer is 0, not
    less.""").change("fewer-than-none", "max(left // cache_bytes, 0)", "left // cache_bytes")
MISTAKES("""You round to the nearest number. A text that fits in part does not fit: round
    down.""").change("rounded", "left // cache_bytes", "round(left / cache_bytes)")
TEXTS = size(
    MISTAKES,
    2,
    (
        ("half of the memory is left", served),
        ("little is left", lambda s: served(s, 0.02)),
        ("one byte a number", lambda s: (*served(s)[:2], 1, 10**8 + 7)),
        ("the weights alone do not fit", lambda s: (10**9, *served(s)[1:])),
    ),
    (
        "What lies in the memory while a model writes?",
        "Weights once, and for each text its cache.",
        "`(memory - parameters * bytes_per_number) // cache_bytes`, and 0 where that is less than "
        "0.",
    ),
    within=None,
)
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
