"""Arithmetic of language models: parameters, bytes, operations, and the time of a step.

Everything here multiplies sizes; nothing is built or run. The counts are of the matrices that
matter: norms and biases (below one percent) are left out.

The rules are those of Austin et al. (2025), "How to scale your model",
https://jax-ml.github.io/scaling-book/, chapters on Transformers and inference.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelConfig:
    """The sizes of a language model.

    Attributes:
        layers: number of layers.
        d_model: size of the vectors between them.
        heads: heads of queries.
        d_ff: width of the feed-forward network.
        vocabulary: number of tokens.
        kv_heads: heads of keys and values; default to `heads`.
        head_dim: size of one head; defaults to d_model / heads.
        gated: whether the feed-forward network has three matrices (gate, up, down) or two.
        tied: whether the output shares the embedding's matrix.
        window: positions that a local layer keeps and sees, or None.
        global_every: with a window, each n-th layer sees everything; None: no layer does.
        latent_dim: size of the latent that latent attention keeps, its rotated key included; it
            takes the place of keys and values in the cache, and changes no other count.
    """

    layers: int
    d_model: int
    heads: int
    d_ff: int
    vocabulary: int
    kv_heads: int | None = None
    head_dim: int | None = None
    gated: bool = True
    tied: bool = False
    window: int | None = None
    global_every: int | None = None
    latent_dim: int | None = None

    def __post_init__(self) -> None:
        sizes = (self.layers, self.d_model, self.heads, self.d_ff, self.vocabulary)
        if min(sizes) < 1 or self.heads % self.n_kv_heads:
            raise ValueError(
                "layers, d_model, heads, d_ff and vocabulary must be at least 1 and kv_heads must "
                f"divide heads, got {sizes} and kv_heads {self.n_kv_heads}."
            )

    @property
    def n_kv_heads(self) -> int:
        """Heads of keys and values."""
        return self.heads if self.kv_heads is None else self.kv_heads

    @property
    def d_head(self) -> int:
        """Size of one head."""
        return self.d_model // self.heads if self.head_dim is None else self.head_dim

    @property
    def global_layers(self) -> int:
        """Layers that keep every position."""
        if self.window is None:
            return self.layers
        return 0 if self.global_every is None else self.layers // self.global_every


@dataclass(frozen=True)
class Machine:
    """What a processor can do at best: operations a second, bytes a second."""

    flops: float
    bandwidth: float


def parameter_count(config: ModelConfig) -> int:
    """Weights of all matrices.

    layers · (attention + feed-forward) + embedding (+ output, unless tied)
    attention = d_model · head_dim · (2 heads + 2 kv_heads),   feed-forward = (2 or 3) d_model d_ff
    """
    embeddings = config.vocabulary * config.d_model * (1 if config.tied else 2)
    return config.layers * _layer_weights(config) + embeddings


def kv_cache_bytes(
    config: ModelConfig, length: int, batch: int = 1, bytes_per_number: int = 2
) -> int:
    """Bytes of the keys and values of `batch` texts of `length` positions.

        2 · layers · kv_heads · head_dim · length · batch · bytes

    With a window, local layers keep at most `window` positions; with a latent, its numbers take
    the place of 2 · kv_heads · head_dim.
    """
    per_position = 2 * config.n_kv_heads * config.d_head
    if config.latent_dim is not None:
        per_position = config.latent_dim
    return per_position * _kept(config, length) * batch * bytes_per_number


def flops_per_token(config: ModelConfig, length: int = 0) -> int:
    """Operations to read one token whose attention sees `length` positions.

        2 · (weights that multiply) + 4 · length · heads · head_dim · layers

    A multiplication and an addition for each weight; looking up an embedding multiplies nothing.
    The second part is Q Kᵀ and the weighted sum. Training costs three times as much.
    """
    weights = config.layers * _layer_weights(config) + config.vocabulary * config.d_model
    return 2 * weights + 4 * config.heads * config.d_head * _kept(config, length)


def step_time(
    config: ModelConfig,
    machine: Machine,
    length: int,
    *,
    batch: int = 1,
    prefill: bool = False,
    bytes_per_number: int = 2,
) -> float:
    """Seconds of one step at best, on a roofline.

        max(operations / machine.flops, bytes / machine.bandwidth)   for the matrices, and the same
        for the attention, which reads the cache; the two are added

    Decode (the default) reads one new token of each text after `length` positions, and all weights
    once for all of them. Prefill reads `length` positions of each text at once.

    Returns:
        A lower bound, as real machines reach a part of either peak.
    """
    new = length if prefill else 1  # positions per text
    weights = config.layers * _layer_weights(config) + config.vocabulary * config.d_model
    multiply = 2 * weights * batch * new / machine.flops
    read_weights = weights * bytes_per_number / machine.bandwidth
    seen = _seen_in_prefill(config, length) if prefill else _kept(config, length)
    attend = 4 * config.heads * config.d_head * seen * batch / machine.flops
    cache = kv_cache_bytes(config, length, batch, bytes_per_number)
    return max(multiply, read_weights) + max(attend, cache / machine.bandwidth)


def _layer_weights(config: ModelConfig) -> int:
    attention = config.d_model * config.d_head * 2 * (config.heads + config.n_kv_heads)
    return attention + (3 if config.gated else 2) * config.d_model * config.d_ff


def _kept(config: ModelConfig, length: int) -> int:
    """Positions kept, summed over the layers."""
    if config.window is None:
        return config.layers * length
    local = config.layers - config.global_layers
    return config.global_layers * length + local * min(length, config.window)


def _seen_in_prefill(config: ModelConfig, length: int) -> int:
    """Pairs of a query and a key it sees, summed over the layers: causal, so about half."""
    everything = length * (length + 1) // 2
    if config.window is None:
        return config.layers * everything
    beyond = max(0, length - config.window)
    near = everything - beyond * (beyond + 1) // 2
    local = config.layers - config.global_layers
    return config.global_layers * everything + local * near
