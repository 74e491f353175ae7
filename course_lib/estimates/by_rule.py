"""A released model by the rules of `read_config` alone, in the form of what is built."""

from course_lib.estimates.cache_by_running import Layer
from course_lib.estimates.config import ModelConfig
from course_lib.estimates.config_file import Source, language_fields, read_fields
from course_lib.estimates.counts import (
    active_parameters,
    attention_weights,
    expert_weights,
    kinds,
    parameter_count,
    shared_weights,
)
from course_lib.estimates.fields import read_config
from course_lib.estimates.parts import Weight
from course_lib.estimates.released import Released
from course_lib.estimates.stored_bits import find_quantization, stored_bytes


def by_rule(source: Source) -> Released:
    """Counts a `config.json` by rule, without building anything.

    Raises:
        ValueError: what `read_config` raises.
    """
    fields = read_fields(source)
    config, assumed = read_config(fields)
    inner, total = language_fields(fields), parameter_count(config)
    dtype = inner.get("dtype") or inner.get("torch_dtype")
    table = config.vocabulary * config.d_model
    attention = sum(attention_weights(config, kind) * kind.layers for kind in kinds(config))
    routers = config.expert_layers * config.d_model * (config.experts or 0)
    of_experts = config.expert_layers * (config.experts or 0) * expert_weights(config)
    inside = "model.language_model.layers.0" if inner is not fields else "model.layers.0"
    width = config.d_model
    parts = [
        Weight("tokens", (table // width, width), True, True, not config.tied, False, False),
        Weight(f"{inside}.self_attn", (attention // width, width)),
        Weight(f"{inside}.mlp", ((shared_weights(config) - attention - routers) // width, width)),
        Weight(f"{inside}.mlp.router", (routers // width, width), quantizable=False),
        Weight(f"{inside}.mlp.experts", (of_experts // width, width), expert=True),
    ]
    if not config.tied:
        parts.append(Weight("lm_head", (table // width, width), table=True, quantizable=False))
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
        notes=(*assumed, *stored.notes),
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
