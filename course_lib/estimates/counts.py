"""Parameters, bytes that are kept and operations, from the sizes of a model."""

from collections.abc import Callable
from typing import NamedTuple

from course_lib.estimates.config import ModelConfig, check_config
from course_lib.validation.arguments import flag, integer, number


class Kind(NamedTuple):
    """Attention layers of one kind: how many, how many of them keep a cache, and their sizes."""

    layers: int
    keeping: int
    window: int | None
    kv_heads: int
    head_dim: int


def kinds(config: ModelConfig) -> tuple[Kind, Kind]:
    """The layers that see everything, and those that see a window."""
    shared_full, shared_local = config.shared_layers
    full, local = config.global_layers, config.n_local
    kv_heads = config.global_kv_heads or config.n_kv_heads
    return (
        Kind(full, full - shared_full, None, kv_heads, config.global_head_dim or config.d_head),
        Kind(local, local - shared_local, config.window, config.n_kv_heads, config.d_head),
    )


def parameter_count(config: ModelConfig) -> int:
    """Weights of all matrices.

    layers · (attention + feed-forward) + embedding (+ output, unless tied)
    attention = d_model · head_dim · (2 heads + 2 kv_heads),   feed-forward = (2 or 3) d_model d_ff

    With a latent, experts, states or an indexer their matrices take the place of these or join
    them; `other_weights` are added.
    """
    check_config(config)
    embeddings = config.vocabulary * config.d_model * (1 if config.tied else 2)
    experts = config.expert_layers * (config.experts or 0) * expert_weights(config)
    return shared_weights(config) + experts + embeddings + config.other_weights


def active_parameters(config: ModelConfig) -> int:
    """Weights that one token is multiplied with: its own experts, and no table of embeddings."""
    check_config(config)
    experts = config.expert_layers * (config.experts_per_token or 0) * expert_weights(config)
    return shared_weights(config) + experts + config.vocabulary * config.d_model


def kv_cache_bytes(
    config: ModelConfig, length: int, batch: int = 1, bytes_per_number: int = 2
) -> int:
    """Bytes of the keys and values of `batch` texts of `length` positions.

        2 · layers · kv_heads · head_dim · length · batch · bytes

    With a window, local layers keep at most `window` positions; with a latent, its numbers take
    the place of 2 · kv_heads · head_dim; an indexer keeps one key more in each full layer. Layers
    with a state are counted by `state_bytes`.
    """
    check_config(config)
    length, batch = integer("length", length, 0), integer("batch", batch, 0)
    number("bytes_per_number", bytes_per_number, above=0)
    numbers = 0
    for kind in kinds(config):
        each = config.latent_dim or 2 * kind.kv_heads * kind.head_dim
        numbers += kind.keeping * each * min(length, length if kind.window is None else kind.window)
    numbers += config.global_layers * config.index_dim * length
    return numbers * batch * bytes_per_number


def state_bytes(config: ModelConfig, batch: int = 1, bytes_per_number: int = 4) -> int:
    """Bytes of the states of `batch` texts, the same at every length; mostly kept in float32."""
    check_config(config)
    batch = integer("batch", batch, 0)
    number("bytes_per_number", bytes_per_number, above=0)
    return config.state_layers * config.state_numbers * batch * bytes_per_number


def flops_per_token(config: ModelConfig, length: int = 0, *, absorbed: bool = False) -> int:
    """Operations to read one token whose attention sees `length` positions.

        2 · (active parameters) + 4 · length · heads · head_dim · layers

    A multiplication and an addition for each weight; looking up an embedding multiplies nothing.
    The second part is Q Kᵀ and the weighted sum; an indexer and states add their own. Latent
    attention compares keys of each head, which a prompt makes once; with `absorbed` it compares
    with the latents, as a step of writing does. Training costs three times as much.
    """
    check_config(config)
    length, absorbed = integer("length", length, 0), flag("absorbed", absorbed)
    work = attention_flops(config, read_by_one(length), absorbed=absorbed)
    return 2 * active_parameters(config) + work


Pairs = Callable[[int | None], int]  # from a limit, or None, to pairs of a query and a key


def read_by_one(length: int) -> Pairs:
    """Of one new token after `length` positions."""
    return lambda limit: length if limit is None else min(length, limit)


def attention_flops(
    config: ModelConfig, pairs: Pairs, tokens: int = 1, *, absorbed: bool = False
) -> int:
    """Operations of the scores and the sums in all layers.

    Args:
        config: the sizes.
        pairs: how many pairs of a query and a key a layer has that reads so many keys at most.
        tokens: how many queries these are, which states are updated for.
        absorbed: latent attention compares with the latent, which is what a decoding kernel does.
    """
    work = 0
    for kind in kinds(config):
        each = 2 * kind.head_dim  # of the score and of the sum, per position and head
        if config.rotary_dim is not None and config.latent_dim is not None:
            value = config.value_dim or kind.head_dim
            each = kind.head_dim + config.rotary_dim + value
            if absorbed:
                each = 2 * config.latent_dim - config.rotary_dim
        limit = config.index_topk if kind.window is None else kind.window
        work += kind.layers * 2 * config.heads * each * pairs(limit)
    work += config.global_layers * 2 * config.index_heads * config.index_dim * pairs(None)
    # A state is corrected, added to and read: two operations a number each.
    return work + config.state_layers * 6 * config.state_numbers * tokens


def shared_weights(config: ModelConfig) -> int:
    """Weights of the layers that every token meets: all but the embeddings and the experts."""
    attention = sum(
        attention_weights(config, kind) * kind.layers
        - (kind.layers - kind.keeping) * 2 * config.d_model * kind.kv_heads * kind.head_dim
        for kind in kinds(config)
    )
    states = config.state_layers * config.state_weights
    matrices = 3 if config.gated else 2
    dense = (config.layers - config.expert_layers) * matrices * config.d_model * config.d_ff
    beside = (
        config.expert_layers
        * config.d_model
        * (
            matrices * config.shared_d_ff + (config.experts or 0)  # the router's matrix
        )
    )
    return attention + states + dense + beside


def expert_weights(config: ModelConfig) -> int:
    """Weights of one expert."""
    return (3 if config.gated else 2) * config.d_model * (config.expert_d_ff or config.d_ff)


def attention_weights(config: ModelConfig, kind: Kind) -> int:
    """Weights of one layer's attention."""
    d, heads, index = config.d_model, config.heads, config.index_heads * config.index_dim
    if config.latent_dim is None or config.rotary_dim is None:
        one = config.shared_kv_projection and kind.window is None
        weights = d * kind.head_dim * (2 * heads + (1 if one else 2) * kind.kv_heads)
    else:
        value, latent = config.value_dim or kind.head_dim, config.latent_dim - config.rotary_dim
        query = heads * (kind.head_dim + config.rotary_dim)
        into = d * query if config.query_rank is None else config.query_rank * (d + query)
        weights = into + d * config.latent_dim + heads * latent * (kind.head_dim + value)
        weights += heads * value * d
    if index and kind.window is None:  # its queries, its key, and a weight for each of its heads
        weights += (config.query_rank or d) * index + d * (config.index_dim + config.index_heads)
    return weights + (d * heads * kind.head_dim if config.attention_gate else 0)
