"""The time of a step at best: the larger of what its operations and its bytes take."""

from course_lib.estimates.config import ModelConfig, check_config
from course_lib.estimates.counts import (
    Pairs,
    active_parameters,
    attention_flops,
    expert_weights,
    kinds,
    kv_cache_bytes,
    read_by_one,
    state_bytes,
)
from course_lib.estimates.machines import Machine
from course_lib.validation.arguments import flag, integer, number


def step_time(
    config: ModelConfig,
    machine: Machine,
    length: int,
    *,
    batch: int = 1,
    prefill: bool = False,
    bytes_per_number: float | int = 2,
    bytes_per_weight: float | int | None = None,
) -> float:
    """Seconds of one step at best, on a roofline.

        max(operations / machine.flops, bytes / machine.bandwidth)   for the matrices, and the same
        for the attention, which reads the cache; the two are added

    Decode (the default) reads one new token of each text after `length` positions, and all weights
    once for all of them. Prefill reads `length` positions of each text at once. Of E experts of
    which a token uses k, n tokens need E (1 − (1 − k/E)ⁿ), if each choice is as likely.

    Args:
        config, machine, length, batch: what runs, on what, after how many positions, how often.
        prefill: whether a prompt is read.
        bytes_per_number: of what is kept.
        bytes_per_weight: defaults to the same.

    Returns:
        A lower bound, as real machines reach a part of either peak.
    """
    check_config(config)
    if not isinstance(machine, Machine):
        raise TypeError(f"machine must be a Machine, as MACHINES has them, got {machine!r}.")
    length, batch = integer("length", length, 0), integer("batch", batch, 1)
    prefill = flag("prefill", prefill)
    bytes_per_number = number("bytes_per_number", bytes_per_number, above=0)
    if bytes_per_weight is not None:
        bytes_per_weight = number("bytes_per_weight", bytes_per_weight, above=0)
    tokens = batch * (length if prefill else 1)
    needed = active_parameters(config)
    if config.experts is not None and config.experts_per_token is not None:
        share = 1 - (1 - config.experts_per_token / config.experts) ** tokens
        more = config.experts * share - config.experts_per_token
        needed += config.expert_layers * expert_weights(config) * more
    each = bytes_per_number if bytes_per_weight is None else bytes_per_weight
    multiply = 2 * active_parameters(config) * tokens / machine.flops
    matrices = max(multiply, needed * each / machine.bandwidth)
    return matrices + attention_seconds(
        config, machine, length, batch, prefill=prefill, bytes_per_number=bytes_per_number
    )


def attention_seconds(
    config: ModelConfig,
    machine: Machine,
    length: int,
    batch: int = 1,
    *,
    prefill: bool = False,
    bytes_per_number: float | int = 2,
) -> float:
    """Seconds of the attention and the states alone; a step through latents is absorbed."""
    if prefill:
        work = attention_flops(config, _read_by_a_prompt(length), length)
        kept = kv_cache_bytes(config, length, batch, 1) * bytes_per_number
    else:
        absorbed = config.rotary_dim is not None
        work = attention_flops(config, read_by_one(length), absorbed=absorbed)
        kept = _read_in_decode(config, length) * batch * bytes_per_number
    kept += 2 * state_bytes(config, batch)  # read and written
    return max(batch * work / machine.flops, kept / machine.bandwidth)


def _read_in_decode(config: ModelConfig, length: int) -> int:
    """Numbers of the cache that a step reads: behind an indexer its keys, and the best."""
    kept = kv_cache_bytes(config, length, bytes_per_number=1)
    if config.index_topk is None:
        return kept
    full, _ = kinds(config)
    each = config.latent_dim or 2 * full.kv_heads * full.head_dim
    return kept - full.keeping * each * max(0, length - config.index_topk)


def _read_by_a_prompt(length: int) -> Pairs:
    """Of all tokens of a prompt: causal, so about half of the pairs."""
    everything = length * (length + 1) // 2

    def pairs(limit: int | None) -> int:
        beyond = 0 if limit is None else max(0, length - limit)
        return everything - beyond * (beyond + 1) // 2

    return pairs
