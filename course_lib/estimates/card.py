"""The card of a released model: what it weighs, keeps and takes, as data or as text."""

from typing import Any

from course_lib.estimates.config import ModelConfig
from course_lib.estimates.config_file import Source, read_fields
from course_lib.estimates.fields import read_config
from course_lib.estimates.groups import gpus_needed
from course_lib.estimates.machines import MACHINES, Machine
from course_lib.estimates.measuring import measure
from course_lib.estimates.released import Released
from course_lib.estimates.roofline import attention_seconds

BY_BYTES = (
    "read_config does not know this type: the time of the attention is that of reading the whole "
    "cache, and what it computes is not counted."
)


def find_machine(name: str) -> tuple[str, Machine]:
    """A machine by its name, or by the beginning of one."""
    plain = name.lower().replace(" ", "").replace("_", "").replace("-", "")
    for known, machine in MACHINES.items():
        if known.lower().replace(" ", "").startswith(plain) and plain:
            return known, machine
    raise ValueError(f"There is no GPU {name!r} here, but {', '.join(MACHINES)}.")


def card(
    source: Source,
    gpu: str = "H100",
    context: int = 131_072,
    batch: int = 1,
    *,
    as_type: str | None = None,
    accept: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Everything that `python -m course_lib.estimates` prints, by name.

    Sizes come from `measure`, at the bytes that the weights are stored in. Times are those of a
    roofline, divided by the GPUs: a lower bound.

    Raises:
        ValueError: what `measure` raises, and for a GPU, context or batch that cannot be.
    """
    name, machine = find_machine(gpu)
    if context < 1 or batch < 1:
        raise ValueError(f"context {context} and batch {batch} must be at least 1.")
    found = measure(source, as_type=as_type, accept=accept)
    try:
        rules, _ = read_config(read_fields(source))
    except ValueError:
        rules = None
    caches = [
        (batch * x.number * (x.bytes_at(context) + x.fixed), x.heads) for x in found.layers or ()
    ]
    gpus = gpus_needed(found.weight_bytes, caches, machine.memory)
    notes = list(found.notes) + ([BY_BYTES] if rules is None else [])
    measured = found.layers is not None
    first, each = (
        seconds(found, rules, machine, context, batch, prefill=p) / gpus for p in (True, False)
    )
    return {
        "kind": found.kind,
        "parameters": found.parameters,
        "active": found.active,
        "by_part": found.by_part,
        "weight_bytes": found.weight_bytes,
        "stored": found.stored,
        "layers": found.kinds if measured else None,
        "cache_bytes_per_token": found.cache_bytes(1) if measured else None,
        "cache_bytes": found.cache_bytes(context, batch) if measured else None,
        "state_bytes": found.state_bytes * batch if measured else None,
        "gpu": name,
        "gpus": gpus,
        "context": context,
        "batch": batch,
        "seconds_to_first_token": first,
        "seconds_per_token": each,
        "notes": notes,
        "certain": found.certain,
    }


def seconds(
    found: Released,
    rules: ModelConfig | None,
    machine: Machine,
    context: int,
    batch: int,
    *,
    prefill: bool = False,
) -> float:
    """The time of a step at best, with the weights at their real bytes.

        max(2 · active · tokens / flops, bytes of the weights in use / bandwidth) + the attention's

    Of E experts of which a token uses k, n tokens read E (1 − (1 − k/E)ⁿ).
    """
    tokens = batch * (context if prefill else 1)
    used = 1.0
    if found.experts is not None:
        experts, chosen = found.experts
        used = 1 - (1 - chosen / experts) ** tokens
    read = found.read_bytes + used * found.expert_bytes
    matrices = max(2 * found.active * tokens / machine.flops, read / machine.bandwidth)
    if rules is not None:
        return matrices + attention_seconds(rules, machine, context, batch, prefill=prefill)
    kept = found.cache_bytes(context, batch) + 2 * batch * found.state_bytes if found.layers else 0
    return matrices + kept / machine.bandwidth


def as_text(found: dict[str, Any]) -> str:
    """The card as lines."""
    stored = ", ".join(f"{label}: {size / 1e9:,.1f} GB" for label, size in found["stored"].items())
    lines = [
        f"{found['kind']}: {found['parameters'] / 1e9:,.2f} · 10⁹ parameters, "
        f"{found['active'] / 1e9:,.2f} · 10⁹ active",
        f"weights   {found['weight_bytes'] / 1e9:,.1f} GB ({stored})",
    ]
    if pictures := found["by_part"]["pictures"]:
        lines.append(f"beside    {pictures / 1e9:,.2f} · 10⁹ parameters that see or hear")
    if found["layers"] is not None:
        counts = found["layers"]
        lines += [
            f"layers    {counts['full']} see everything, {counts['window']} a window, "
            f"{counts['state']} carry a state",
            f"cache     {found['cache_bytes_per_token'] / 1e3:,.1f} KB for the first token; "
            f"{found['cache_bytes'] / 1e9:,.2f} GB and {found['state_bytes'] / 1e9:,.2f} GB of "
            f"states for {found['batch']} × {found['context']:,} tokens",
        ]
    lines += [
        f"fits on   {found['gpus']} × {found['gpu']}",
        f"time      {found['seconds_to_first_token']:,.2f} s to the first token, "
        f"{1e3 * found['seconds_per_token']:,.2f} ms for each further one, at best",
    ]
    lines += [f"note      {note}" for note in found["notes"]]
    doubt = [] if found["certain"] else ["certain   no: see the notes"]
    return "\n".join(lines + doubt)
