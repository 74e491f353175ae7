"""The weights of a built model: which are of the language model, of experts, tables or routers."""

import math
from typing import Any, NamedTuple

import torch

from course_lib.estimates.construction import ask

# What the fields call the number of experts that a token uses, and that of all of a layer.
CHOSEN = (
    "num_experts_per_tok",
    "num_experts_per_token",
    "top_k_experts",
    "moe_topk",
    "moe_top_k",
    "moe_k",
    "experts_per_token",
    "num_selected_experts",
)
EXPERTS = (
    "num_experts",
    "num_local_experts",
    "n_routed_experts",
    "moe_num_experts",
)


class Weight(NamedTuple):
    """A weight of the built model, and what it is.

    Attributes:
        name, shape: as in the library's class.
        language: whether it is of the language model, and not of what sees or hears.
        table: an embedding, or the output.
        looked_up: an embedding that is not the output too; multiplied with nothing.
        expert: of experts of which a token uses a few.
        quantizable: a matrix of a layer or of experts: no table, output, router, norm or bias.
    """

    name: str
    shape: tuple[int, ...]
    language: bool = True
    table: bool = False
    looked_up: bool = False
    expert: bool = False
    quantizable: bool = True

    @property
    def numbers(self) -> int:
        """How many numbers it holds."""
        return math.prod(self.shape)


def weights_of(model: Any, config: Any) -> list[Weight]:
    """Every weight once; two names for one tensor are one weight."""
    put = getattr(model.get_output_embeddings(), "weight", None) if _has_output(model) else None
    tables = {id(m.weight) for m in model.modules() if isinstance(m, torch.nn.Embedding)}
    language = _language(model, config)
    found = []
    for name, weight in model.named_parameters():  # each tensor once
        path = name.split(".")
        expert = "experts" in path or (
            weight.ndim == 3 and "shared" not in name and "conv" not in name
        )
        table = id(weight) in tables or weight is put
        router = any(part in ("gate", "router", "shared_expert_gate") for part in path)
        matrix = weight.ndim in (2, 3) and "bias" not in path[-1] and "norm" not in name
        found.append(
            Weight(
                name,
                tuple(weight.shape),
                language=language is None or id(weight) in language or weight is put,
                table=table,
                looked_up=table and weight is not put,
                expert=expert,
                quantizable=matrix and not table and not router,
            )
        )
    return found


def totals(weights: list[Weight], config: Any) -> dict:
    """Parameters of the language model, those that a token meets, and by part.

    active = all − tables that are only looked up − experts · (1 − k / E)
    """
    text = config.get_text_config(decoder=True)
    chosen, all_of_them = _number(text, CHOSEN), _number(text, EXPERTS)
    ours = [weight for weight in weights if weight.language]
    total = sum(w.numbers for w in ours)
    idle = sum(w.numbers for w in ours if w.looked_up)
    stacked = [w for w in ours if w.expert and len(w.shape) > 1]
    many = {w: all_of_them if all_of_them and len(w.shape) == 2 else w.shape[0] for w in stacked}
    if chosen:
        idle += sum(w.numbers * max(0.0, 1 - chosen / n) for w, n in many.items())
    return {
        "parameters": total,
        "active": round(total - idle),
        "by_part": {
            "text": total,
            "pictures": sum(w.numbers for w in weights) - total,
            "tables": sum(w.numbers for w in ours if w.table),
            "experts": sum(w.numbers for w in ours if w.expert),
        },
        "experts": (max(many.values()), chosen) if chosen and stacked else None,
    }


def _number(config: Any, names: tuple[str, ...]) -> int | None:
    """The first of these fields that states a number, or one for each layer, here or in a part."""
    for part in (config, ask(config, "ffn_config")):
        for name in names:
            found = ask(part, name)
            found = max(found, default=0) if isinstance(found, list) else found
            if isinstance(found, int) and found:
                return found
    return None


def _has_output(model: Any) -> bool:
    return callable(getattr(model, "get_output_embeddings", None))


def _language(model: Any, config: Any) -> set[int] | None:
    """The identities of the language model's weights; None where the whole model is one."""
    if config.get_text_config(decoder=True) is config or not config.sub_configs_defaults:
        return None
    for name in ("get_decoder", "text_model", "language_model"):
        part = getattr(model, name, None)
        part = part() if name == "get_decoder" and part is not None else part
        if isinstance(part, torch.nn.Module) and part is not model:
            return {id(weight) for weight in part.parameters()}
    return None
