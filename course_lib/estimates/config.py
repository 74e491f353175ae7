"""The sizes of a language model, as far as its memory and its time depend on them."""

from dataclasses import dataclass, fields

from course_lib.validation.arguments import flag, integer, integers

# Counts that a model may have none of.
MAY_BE_ZERO = frozenset(
    {
        "local_layers",
        "shared_d_ff",
        "dense_layers",
        "state_layers",
        "state_numbers",
        "state_weights",
        "index_heads",
        "index_dim",
        "rotary_dim",
        "other_weights",
    }
)


def check_config(config: object) -> None:
    """Refuse what is no `ModelConfig`, such as a model's own settings."""
    if not isinstance(config, ModelConfig):
        raise TypeError(
            f"config must be a ModelConfig, got {type(config).__name__}: config_of(model) makes "
            "one of a model of ours, read_config one of a config.json."
        )


@dataclass(frozen=True)
class ModelConfig:
    """The sizes of a language model.

    Attributes:
        layers: number of layers, those with a state included.
        d_model: size of the vectors between them.
        heads: query heads.
        d_ff: width of the feed-forward network.
        vocabulary: number of tokens.
        kv_heads: heads of keys and values; default to `heads`.
        head_dim: size of one head; defaults to d_model / heads. With a latent, without its rotary
            part.
        gated: whether the feed-forward network has three matrices (gate, up, down) or two.
        tied: whether the output shares the embedding's matrix.
        attention_gate: whether attention's output is multiplied by a gate, one more matrix of
            d_model · heads · head_dim.

        window: positions that a local layer keeps and sees, or None.
        global_every: with a window, each n-th layer sees everything; None: no layer does.
        local_layers: the number of layers with the window, where it is not 1 in n.
        global_kv_heads, global_head_dim: those of the layers that see everything, if they differ.
        shared_kv_projection: those layers make keys and values from one matrix.
        shared_layers: full layers, and local layers, that read the cache of an earlier layer and
            keep none.

        latent_dim: size of the latent that latent attention keeps, its rotary key included; it
            takes the place of keys and values in the cache.
        rotary_dim: the part of it that is the rotary key. Without it the latent changes the cache
            and no other count.
        value_dim: size of a head's value, with a latent; defaults to head_dim.
        query_rank: width of the bottleneck before the queries, with a latent.

        experts, experts_per_token: feed-forward networks of a layer, and how many a token uses.
        expert_d_ff: width of an expert; defaults to d_ff.
        shared_d_ff: width of what every token uses beside its experts.
        dense_layers: layers with a feed-forward network of width d_ff and no experts.

        state_layers: layers that carry a state in place of a cache.
        state_numbers, state_weights: numbers of the state and weights of the mixer in one of them.

        index_heads, index_dim, index_topk: an indexer scores all keys with its own heads, and
            attention reads the best index_topk; a key of index_dim numbers is kept for it.

        other_weights: what is in none of these matrices, if it is known (`config_of`).
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
    attention_gate: bool = False
    local_layers: int | None = None
    global_kv_heads: int | None = None
    global_head_dim: int | None = None
    shared_kv_projection: bool = False
    shared_layers: tuple[int, int] = (0, 0)
    rotary_dim: int | None = None
    value_dim: int | None = None
    query_rank: int | None = None
    experts: int | None = None
    experts_per_token: int | None = None
    expert_d_ff: int | None = None
    shared_d_ff: int = 0
    dense_layers: int = 0
    state_layers: int = 0
    state_numbers: int = 0
    state_weights: int = 0
    index_heads: int = 0
    index_dim: int = 0
    index_topk: int | None = None
    other_weights: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type is int or (field.type == int | None and value is not None):
                value = integer(field.name, value, int(field.name not in MAY_BE_ZERO))
            elif field.type is bool:
                value = flag(field.name, value)
            object.__setattr__(self, field.name, value)  # Python's own
        shared = integers("shared_layers", self.shared_layers, 0)
        if len(shared) != 2:
            raise ValueError(f"shared_layers must be two integers, got {self.shared_layers}.")
        object.__setattr__(self, "shared_layers", tuple(shared))
        if self.heads % self.n_kv_heads:
            raise ValueError(
                f"kv_heads must divide heads: {self.heads} heads cannot share {self.n_kv_heads}."
            )
        if self.head_dim is None and self.d_model % self.heads:
            raise ValueError(
                f"d_model {self.d_model} cannot be divided among {self.heads} heads: give head_dim."
            )
        if (self.experts is None) != (self.experts_per_token is None):
            raise ValueError(
                f"experts ({self.experts}) and experts_per_token ({self.experts_per_token}) belong "
                "together: give both, or neither."
            )
        if self.local_layers and self.window is None:
            raise ValueError(f"{self.local_layers} local layers need a window, and it is None.")
        if self.global_layers < 0 or self.dense_layers > self.layers:
            raise ValueError(
                f"of {self.layers} layers, {self.state_layers} carry a state, {self.n_local} are "
                f"local and {self.dense_layers} are dense: these are more than there are."
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
    def n_local(self) -> int:
        """Layers that see a window."""
        if self.local_layers is not None:
            return self.local_layers
        if self.window is None:
            return 0
        attending = self.layers - self.state_layers
        return attending - (attending // self.global_every if self.global_every else 0)

    @property
    def global_layers(self) -> int:
        """Layers that see every position."""
        return self.layers - self.state_layers - self.n_local

    @property
    def expert_layers(self) -> int:
        """Layers with experts."""
        return 0 if self.experts is None else self.layers - self.dense_layers
