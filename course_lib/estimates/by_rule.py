"""A released model by the rules of `read_config` alone, in the form of what is built."""

from course_lib.estimates.cache_by_running import Layer
from course_lib.estimates.config import ModelConfig
from course_lib.estimates.config_file import Source
from course_lib.estimates.counts import (
    active_parameters,
    attention_weights,
    expert_weights,
    kinds,
    parameter_count,
    shared_weights,
)
from course_lib.estimates.fields import language_fields, read_config
from course_lib.estimates.parts import Weight
from course_lib.estimates.released import Released
from course_lib.estimates.stored_bits import find_quantization, stored_bytes

ALONE = (
    "transformers is not installed: counted by rule, and nothing was built. A size that is "
    "misspelled or that the model's class never reads was not looked for."
)


def by_rule(fields: dict, source: Source) -> Released:
    """Counts by rule, and says so; refuses what `read_config` refuses."""
    config, assumed = read_config(fields)
    inner, total = language_fields(fields), parameter_count(config)
    dtype = inner.get("dtype") or inner.get("torch_dtype")
    table = config.vocabulary * config.d_model
    attention = sum(attention_weights(config, kind) * kind.layers for kind in kinds(config))
    routers = config.expert_layers * config.d_model * (config.experts or 0)
    of_experts = config.expert_layers * (config.experts or 0) * expert_weights(config)
    parts = [
        Weight("model.embed_tokens", (1, table), table=True, looked_up=not config.tied),
        Weight("model.layers.0.self_attn", (1, attention)),
        Weight("model.layers.0.mlp", (1, shared_weights(config) - attention - routers)),
        Weight("model.layers.0.mlp.router", (1, routers), quantizable=False),
        Weight("model.layers.0.mlp.experts", (1, of_experts), expert=True),
    ]
    if not config.tied:
        parts.append(Weight("lm_head", (1, table), table=True))
    parts = [w if not w.table else w._replace(quantizable=False) for w in parts]
    stored = stored_bytes(parts, find_quantization(fields, source), dtype)
    experts = (config.experts, config.experts_per_token) if config.experts else None
    return Released(
        kind=inner["model_type"],
        parameters=total,
        active=active_parameters(config),
        by_part={
            "text": total,
            "pictures": 0,
            "tables": table * (1 if config.tied else 2),
            "experts": of_experts,
        },
        weight_bytes=stored.size,
        stored=stored.by_format,
        read_bytes=stored.read,
        expert_bytes=stored.experts,
        layers=layers_of(config),
        experts=experts,  # type: ignore[arg-type]
        notes=(ALONE, *assumed, *stored.notes),
        certain=False,
    )


def layers_of(config: ModelConfig) -> tuple[Layer, ...]:
    """What the layers of a configuration keep at 16 bits, states at 32."""
    rows = []
    for kind in kinds(config):
        each = 2 * (config.latent_dim or 2 * kind.kv_heads * kind.head_dim)
        heads = 1 if config.latent_dim else kind.kv_heads
        index = 2 * config.index_dim if kind.window is None else 0
        if kind.keeping and kind.window is None:
            rows.append(Layer(kind.keeping, each + index, 0, 0, None, heads))
        elif kind.keeping:
            rows.append(Layer(kind.keeping, 0, 0, each, kind.window, heads))
    if config.state_layers:
        rows.append(Layer(config.state_layers, 0, 4 * config.state_numbers, 0, None, config.heads))
    return tuple(rows)
