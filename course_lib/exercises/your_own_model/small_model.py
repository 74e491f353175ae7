"""A small model, drawn: its numbers, and how a student's assembly is examined on it.

The text of the examiners enters the cell in which the student's functions run.
"""

from collections.abc import Callable

import numpy as np
import torch

from course_lib.checker.tasks import Candidate, Inputs, Sampler
from course_lib.exercises.mutants import HEADER, source

BASES = (100.0, 1000.0, 100_000.0)


def layer_of(matrices, heads, groups, base):
    W_q, W_k, W_v, W_o = matrices
    sizes = {"heads": heads, "groups": groups, "base": base}
    return {"W_q": W_q, "W_k": W_k, "W_v": W_v, "W_o": W_o, **sizes}


def output_and_cache(found, piece):
    """The two that an attention returns, or an error that says which is missing."""
    if not isinstance(found, tuple | list) or len(found) != 2:
        kind = type(found).__name__
        raise TypeError(f"two things are needed, the output and the cache; it returns a {kind}")
    if not isinstance(found[0], torch.Tensor) or found[0].shape != piece.shape:
        is_tensor = isinstance(found[0], torch.Tensor)
        given = tuple(found[0].shape) if is_tensor else f"a {type(found[0]).__name__}"
        raise ValueError(
            f"the first of the two that it returns is the output, {tuple(piece.shape)}, and the "
            f"second the cache; its first is {given}"
        )
    return found


def in_pieces(own_attention, x, matrices, heads, groups, base, pieces):
    """The outputs for a text that comes in pieces, each with the cache of those before."""
    layer, cache, outputs = layer_of(matrices, heads, groups, base), None, []
    for piece in x.split(pieces, dim=1):
        output, cache = output_and_cache(own_attention(piece, layer, cache), piece)
        outputs.append(output)
    return torch.cat(outputs, dim=1)


def in_turns(own_attention, x, other, matrices, heads, groups, base, begin):
    """The outputs for a text that goes on after another text of the same layer has begun."""
    layer = layer_of(matrices, heads, groups, base)
    first, cache = own_attention(x[:, :begin], layer, None)
    second, _ = own_attention(other, layer, None)
    third, _ = own_attention(x[:, begin:], layer, cache)
    return torch.cat([first, second, third], dim=1)


def logits_in_pieces(own_logits, tokens, embedding, attentions, feeds, gains, sizes, pieces):
    """The logits of a text that comes in pieces."""
    layers = []
    for matrices, (gate, up, down), (first, second) in zip(attentions, feeds, gains, strict=False):
        layer = layer_of(matrices, *sizes)
        layer |= {"gate": gate, "up": up, "down": down, "norm_1": first, "norm_2": second}
        layers.append(layer)
    model, caches, found = (
        {"embedding": embedding, "layers": layers, "norm": gains[-1][0]},
        None,
        [],
    )
    for piece in tokens.split(pieces, dim=1):
        logits, caches = own_logits(model, piece, caches)
        found.append(logits)
    return torch.cat(found, dim=1)


def continued(own_text, tokens, length, table, rank, less):
    """What is written with a model whose logits hang on all tokens before, and how it was read.
    The rule takes `less` from the logits of the words, and then the one at `rank`."""
    read, asked = [], []

    def step(new, state=None):
        read.append(new.shape[1])
        total = new.cumsum(1) if state is None else state[:, None] + new.cumsum(1)
        return table[total % len(table), new], total[:, -1]

    def choose(logits):
        if logits.ndim != 2 or len(logits) != len(tokens):
            raise ValueError(
                f"`choose` takes the logits of one place for all texts, ({len(tokens)}, V), "
                f"and gets {tuple(logits.shape)}"
            )
        if any(one.data_ptr() == logits.data_ptr() for one in asked):
            raise ValueError(
                "`choose` is asked twice about the same logits, and a rule that draws would answer "
                "otherwise: keep its first answer"
            )
        asked.append(logits)
        return (logits - less).argsort(-1, descending=True)[:, rank]

    written = own_text(step, choose, tokens, length)
    once = sum(read) <= tokens.shape[1] + length
    return written, "each token is read once" if once else "tokens are read again"


def examiner(function: Callable, pieces: int = 0) -> Candidate:
    """With one piece its result is the answer's own."""
    text = HEADER + "\n\n".join(map(source, (layer_of, output_and_cache, function)))
    return Candidate(function.__name__, text, hands_on=pieces == 1)


def matrices(s: Sampler, heads: int, groups: int, size: int) -> tuple:
    """W_q, W_k, W_v and W_o of a layer."""
    width, scale = heads * size, (heads * size) ** -0.5
    shapes = [(width, width), (groups * size, width), (groups * size, width), (width, width)]
    return tuple(s.floats(*shape, scale=1.5 * scale) for shape in shapes)


def attention_inputs(
    s: Sampler, groups: int = 2, share: int = 2, pieces: tuple[int, ...] | None = None
) -> Inputs:
    """A text of some words for one layer; `pieces` None: at once."""
    batch, length = s.dims(2, low=2)
    pieces = pieces or (length + 2,)
    heads, size = groups * share, 2 * (1 + s.size % 3)
    x = s.floats(batch, sum(pieces), heads * size)
    base = BASES[int(s.rng.integers(len(BASES)))]
    layer = matrices(s, heads, groups, size)
    return Inputs(
        kwargs={
            "x": x,
            "matrices": layer,
            "heads": heads,
            "groups": groups,
            "base": base,
            "pieces": list(pieces),
        },
        examiner=examiner(in_pieces, len(pieces)),
    )


def turns_inputs(s: Sampler) -> Inputs:
    """Two texts for one layer, of which the first goes on when the second has begun."""
    found = attention_inputs(s, pieces=(3, 2))
    given = dict(found.kwargs)
    given |= {"other": s.floats(*given["x"][:, :3].shape), "begin": given.pop("pieces")[0]}
    return Inputs(kwargs=given, examiner=examiner(in_turns))


def model_inputs(
    s: Sampler, layers: int = 2, pieces: tuple[int, ...] = (5,), gain: float = 0.3
) -> Inputs:
    """A text for a model of some layers, which has four heads in two groups. The gains are spread
    by `gain` around 1."""
    width, hidden, words, batch = 16, 12, 7 + s.size, 1 + s.size % 2
    shapes = ((hidden, width), (hidden, width), (width, hidden))
    feeds = [tuple(s.floats(*shape, scale=0.5) for shape in shapes) for _ in range(layers)]
    return Inputs(
        kwargs={
            "tokens": s.integers(0, words, batch, sum(pieces)),
            "embedding": s.floats(words, width),
            "attentions": [matrices(s, 4, 2, 4) for _ in range(layers)],
            "feeds": feeds,
            "gains": [tuple(1 + s.floats(2, width, scale=gain)) for _ in range(layers + 1)],
            "sizes": (4, 2, 1000.0),
            "pieces": list(pieces),
        },
        examiner=examiner(logits_in_pieces, len(pieces)),
    )


def text_inputs(
    s: Sampler, prompt: int = 3, length: int = 5, rank: int = 0, batch=2, height: float = 0.0
) -> Inputs:
    """The rule takes up to `height` from the logits, from the first words the most."""
    words = 7 + s.size
    return Inputs(
        kwargs={
            "tokens": s.integers(0, words, batch, prompt),
            "length": length,
            "table": s.floats(5, words, words),
            "rank": rank,
            "less": np.linspace(height, 0, words, dtype=s.dtype),
        },
        examiner=examiner(continued, pieces=1),
    )
