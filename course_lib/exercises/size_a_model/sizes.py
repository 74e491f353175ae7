"""The answers of lab 5, and what makes one a task: how it is drawn, and how it may go wrong."""

from collections.abc import Callable, Sequence

from course_lib.exercises.mutants import mutant
from course_lib.exercises.size_a_model.words import WORDS
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task

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
    answer: Callable,
    points: int,
    cases: Sequence[tuple[str, Callable[[Sampler], tuple]]],
    wrong: Sequence[tuple[str, ...]],
    hints: tuple[str, str, str],
    within: float | None = WITHIN,
) -> Task:
    """A task whose answer is a number. Every second case is hidden; a mistake is a name, a
    sentence, and pairs of words of the reference's text with what replaces them."""
    idea, cost = WORDS[answer.__name__]
    return Task(
        name=answer.__name__,
        points=points,
        reference=answer,
        library="numpy",
        idea=idea,
        cost=cost,
        cases=tuple(
            Case(
                name,
                lambda s, draw=draw: Inputs(draw(s)),
                hidden=i % 2 == 1,
                dtypes=("float32",),
                within=within,
            )
            for i, (name, draw) in enumerate(cases)
        ),
        mistakes=tuple(Mistake(name, said, mutant(answer, *how)) for name, said, *how in wrong),
        hints=hints,
    )


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


PARAMETERS = size(
    count_parameters,
    3,
    (
        ("heads that share", shape),
        ("no sharing", lambda s: shape(s, 1, words=500)),
        ("one table for reading and writing", lambda s: shape(s, 4, True)),
        ("many query heads for each head of keys", lambda s: shape(s, 8, words=500)),
    ),
    (
        ("keys-as-wide-as-queries", "Your W_k and W_v are as large as W_q. They make `kv_heads` "
         "heads only: d_model × (kv_heads · head_dim) each.", "kv_heads * head_dim", "d_model"),
        ("no-output-matrix", "You forget W_o, which puts the heads together: another d_model × "
         "d_model.", "2 * queries", "queries"),
        ("keys-alone", "You count W_k and forget W_v, which is as large.", "2 * keys", "keys"),
        ("two-matrices", "You count two matrices in the feed-forward block. With a gate there are "
         "three.", "3 * d_model", "2 * d_model"),
        ("always-tied", "You count one table of embeddings, also where reading and writing have "
         "their own.", "1 if tied else 2", "1"),
        ("always-two-tables", "You count two tables of embeddings, also where they are one.",
         "1 if tied else 2", "2"),
        ("no-embeddings", "You forget the embeddings: vocabulary × d_model.", " + embeddings", ""),
        ("one-layer", "You count a single layer.", "layers * (", "("),
        ("embeddings-in-every-layer", "You count the embeddings in every layer; the model has them "
         "once.", "feed_forward) + embeddings", "feed_forward + embeddings)"),
    ),
    (
        "List the matrices of one layer with their shapes. Which of them know how many heads of "
        "keys there are?",
        "W_q and W_o are d_model × d_model, W_k and W_v are d_model × (kv_heads · head_dim), the "
        "feed-forward block has three of d_model × d_ff.",
        "layers · (2 d² + 2 d · kv_heads · head_dim + 3 d · d_ff), and vocabulary · d once if "
        "tied, else twice; head_dim is d_model // heads.",
    ),
)  # fmt: skip
TEXTS = size(
    most_texts,
    2,
    (
        ("half of the memory is left", served),
        ("little is left", lambda s: served(s, 0.02)),
        ("one byte a number", lambda s: (*served(s)[:2], 1, 10**8 + 7)),
        ("the weights alone do not fit", lambda s: (10**9, *served(s)[1:])),
    ),
    (
        ("weights-forgotten", "You forget that the weights lie in the same memory.",
         "memory - parameters * bytes_per_number", "memory"),
        ("numbers-for-bytes", "You subtract numbers from bytes: each parameter takes "
         "`bytes_per_number`.", "parameters * bytes_per_number", "parameters"),
        ("a-part-of-a-text", "There is no part of a text: round down.", "//", "/"),
        ("rounded-up", "You round up. A text that fits in part does not fit.",
         "left // cache_bytes",
         "-(-left // cache_bytes)"),
        ("fewer-than-none", "Where the weights alone do not fit, the answer is 0, not less.",
         "max(left // cache_bytes, 0)", "left // cache_bytes"),
    ),
    (
        "What lies in the memory while a model writes?",
        "Weights once, and for each text its cache.",
        "`(memory - parameters * bytes_per_number) // cache_bytes`, and 0 where that is less than "
        "0.",
    ),
    within=None,
)  # fmt: skip
PREFILL = size(
    prefill_seconds,
    2,
    (
        ("a short prompt", lambda s: prompt(s, 500, 1)),
        ("a batch of prompts", lambda s: prompt(s, 2_000, 3 + s.size)),
        ("a prompt so long that attention is most of it", lambda s: prompt(s, 200_000, 1)),
        ("two long prompts", lambda s: prompt(s, 100_000, 2)),
    ),
    (
        ("one-a-parameter", "A parameter costs two operations a token: it is multiplied, and the "
         "product is added.", "2 * parameters", "parameters"),
        ("six-a-parameter", "Six operations a parameter are training's: two forwards, four "
         "backwards. Here nothing goes back.", "2 * parameters", "6 * parameters"),
        ("no-attention", "You leave attention out, which grows with the square of the length.",
         "(matrices + attention)", "matrices"),
        ("attention-of-one-layer", "You count the attention of one layer.", "2 * layers * d_model",
         "2 * d_model"),
        ("whole-square", "You count the scores of all pairs. A causal model needs those below the "
         "diagonal: half of them.", "2 * layers * d_model", "4 * layers * d_model"),
        ("scores-alone", "You count the scores and forget the weighted sum of the values, which "
         "costs as much.", "2 * layers * d_model", "layers * d_model"),
        ("attention-linear", "Your attention grows with the length; it grows with its square.",
         "length**2", "length"),
        ("one-token", "You count one token. All tokens of the prompt are read.",
         "2 * parameters * length", "2 * parameters"),
        ("one-prompt", "You count one prompt of the batch.", " * batch", ""),
    ),
    (
        "Two kinds of work: what each token does with the parameters, and what each pair of tokens "
        "does.",
        "2 operations for each parameter and token. For each pair and layer: a score, 2 d_model "
        "operations over all heads together, and its share of the weighted sum, as many; half of "
        "the pairs lie ahead.",
        "(2 · parameters · length + 2 · layers · d_model · length²) · batch / flops.",
    ),
)  # fmt: skip
DECODE = size(
    decode_seconds,
    3,
    (
        ("one text", lambda s: step(s, 1)),
        ("thousands of short texts: computing takes longer", lambda s: step(s, 20_000, 1_000)),
        ("some long texts: the cache is most of it", lambda s: step(s, 64, 10**9)),
        ("as many texts as balance both", lambda s: step(s, 333, 10)),
    ),
    (
        ("computing-alone", "You count operations alone. For few texts the chip waits for its "
         "memory: every parameter must be read for every step.", "max(read, compute)", "compute"),
        ("reading-alone", "You count bytes alone. With thousands of texts computing takes longer.",
         "max(read, compute)", "read"),
        ("both-added", "You add the two times. The chip reads while it computes: the longer one "
         "counts.", "max(read, compute)", "read + compute"),
        ("the-shorter", "You take the shorter of the two times; a step is done when both are.",
         "max(", "min("),
        ("no-cache", "You forget that each text's cache is read, too.", " + cache_bytes * batch",
         ""),
        ("one-cache", "You read one text's cache. Each text of the batch has its own.",
         "cache_bytes * batch", "cache_bytes"),
        ("weights-for-each-text", "You read the weights once for each text. One reading serves the "
         "whole batch: that is what batches are for.", "(parameters * bytes_per_number + "
         "cache_bytes * batch)", "(parameters * bytes_per_number + cache_bytes) * batch"),
        ("numbers-for-bytes", "You read numbers; the bandwidth is in bytes.",
         "parameters * bytes_per_number", "parameters"),
    ),
    (
        "A step does two things at once: it reads, and it computes. Which one is it waiting for?",
        "Read: all weights once, and each text's cache. Compute: two operations for each parameter "
        "and text.",
        "max((parameters · bytes_per_number + cache_bytes · batch) / bandwidth, 2 · parameters · "
        "batch / flops).",
    ),
)  # fmt: skip
