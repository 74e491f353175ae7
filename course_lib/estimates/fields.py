"""From the `config.json` of a released model to its sizes, or to a sentence that says why not."""

from collections import Counter
from typing import Any

from course_lib.estimates.config import ModelConfig
from course_lib.estimates.config_file import Source, language_fields, read_fields
from course_lib.estimates.family import (
    DENSE_FIRST,
    HEAD_DIM,
    KV_HEADS,
    PERIOD,
    SHARED_EXPERTS,
    TIED,
    WINDOW,
)
from course_lib.estimates.names import KNOWN, TYPES, WHOLE, unknown
from course_lib.estimates.size_names import looks_like, refuse_no_numbers

CLASS = "the default of the family's class"
FULL = ("full_attention", "indexed_attention", "attention")
LOCAL = ("sliding_attention", "chunked_attention")
STATE = ("linear_attention", "mamba")


def read_config(source: Source, *, ignore: tuple[str, ...] = ()) -> tuple[ModelConfig, list[str]]:
    """The sizes that a configuration states, and a sentence for each that had to be assumed.

    Args:
        source: the fields, or a file of them. Of a model with pictures the `text_config` is read.
        ignore: names of fields that you know to change no size, though they sound like one.

    Raises:
        ValueError: for a kind of model or a field that is not known here, or one that is missing:
            its name, and what to do. Numbers for another model are never given.
    """
    fields = language_fields(read_fields(source))
    kind = fields.get("model_type")
    if kind not in TYPES:
        raise ValueError(
            f"model_type is {kind!r}, which is not known here: build a ModelConfig by hand, or "
            f"add it to the known ones ({', '.join(sorted(TYPES))})."
        )
    if strange := [name for name in unknown(fields) if name not in ignore]:
        near = [n for n in sorted(KNOWN - set(fields)) if looks_like(strange[0], n)]
        raise ValueError(
            f"{', '.join(strange)}: not known here, and by its name a size. "
            + (f"Is {near[0]} meant? " if near else "")
            + "`measure` builds the class and finds out whether it changes one."
        )
    refuse_no_numbers(fields, WHOLE, WHOLE)
    reader = Reader(fields)
    return ModelConfig(**reader.sizes()), reader.assumed


class Reader:
    """Reads the fields of one configuration and notes what it assumed."""

    def __init__(self, fields: dict) -> None:
        self.fields = {name: value for name, value in fields.items() if value is not None}
        self.stated = set(fields)  # also what is stated to be null
        self.kind = fields["model_type"]
        self.assumed: list[str] = []

    def need(self, name: str):
        """A field without which nothing can be counted."""
        if name not in self.fields:
            raise ValueError(f"{name} is missing: add it to the configuration.")
        return self.fields[name]

    def first(self, *names: str, default: Any = None) -> Any:
        return next((self.fields[name] for name in names if name in self.fields), default)

    def assume(self, name: str, value, why: str):
        """A field that may be missing, with what the library then takes."""
        if name not in self.fields:
            self.assumed.append(f"{name} is missing: {value} was assumed, {why}.")
        return self.fields.get(name, value)

    def from_class(self, name: str, table: dict[str, int]) -> Any:
        """A field, or what the class of the family takes if nothing is stated, not even null."""
        if name in self.stated or self.kind not in table:
            return self.fields.get(name)
        return self.assume(name, table[self.kind], CLASS)

    def width(self, heads: int) -> int:
        size, rest = divmod(self.need("hidden_size"), heads)
        if rest and "head_dim" not in self.fields:
            raise ValueError(
                f"hidden_size {self.fields['hidden_size']} cannot be divided among {heads} heads: "
                "add head_dim."
            )
        return size

    def sizes(self) -> dict:
        """What ModelConfig takes."""
        layers, heads = self.need("num_hidden_layers"), self.need("num_attention_heads")
        found = {
            "layers": layers,
            "d_model": self.need("hidden_size"),
            "heads": heads,
            "vocabulary": self.need("vocab_size"),
            "tied": self.assume("tie_word_embeddings", self.kind in TIED, CLASS),
        }
        for name in ("hidden_size_per_layer_input", "use_double_wide_mlp", "enable_moe_block"):
            if self.fields.get(name):
                raise ValueError(f"{name} is set: such layers are not counted here yet.")
        return found | self.attention(heads, found) | self.layers(layers) | self.networks(layers)

    def attention(self, heads: int, found: dict) -> dict:
        gate = self.fields.get("attn_output_gate", self.kind.startswith(("qwen3_next", "qwen3_5")))
        index = {"index_heads": "index_n_heads", "index_dim": "index_head_dim"}
        more = {ours: self.fields.get(theirs, 0) for ours, theirs in index.items()}
        more |= {"attention_gate": gate, "index_topk": self.fields.get("index_topk")}
        if "kv_lora_rank" in self.fields:
            rotary = self.need("qk_rope_head_dim")
            return more | {
                "latent_dim": self.fields["kv_lora_rank"] + rotary,
                "rotary_dim": rotary,
                "head_dim": self.need("qk_nope_head_dim"),
                "value_dim": self.need("v_head_dim"),
                "query_rank": self.fields.get("q_lora_rank"),
            }
        return more | {
            "kv_heads": self.from_class("num_key_value_heads", KV_HEADS)
            or self.assume("num_key_value_heads", heads, "one for each query head"),
            "head_dim": self.from_class("head_dim", HEAD_DIM)
            or self.assume("head_dim", self.width(heads), "hidden_size / num_attention_heads"),
            "global_kv_heads": self.fields.get("num_global_key_value_heads"),
            "global_head_dim": self.fields.get("global_head_dim"),
            "shared_kv_projection": self.fields.get("attention_k_eq_v", False),
        }

    def layers(self, count: int) -> dict:
        """Which layers see everything, which a window, and which carry a state."""
        kinds = self.layer_kinds(count)
        if strange := sorted(set(kinds) - {*FULL, *LOCAL, *STATE}):
            raise ValueError(f"layer_types has {', '.join(strange)}: not known here.")
        if len(kinds) != count:
            raise ValueError(f"layer_types has {len(kinds)} entries for {count} layers.")
        number = Counter(kinds)
        local, states = (sum(number[k] for k in group) for group in (LOCAL, STATE))
        found: dict = {"local_layers": local, "state_layers": states}
        if local:
            window = self.fields.get("attention_chunk_size") or self.window()
            found["window"] = window or self.need("sliding_window")
        if shared := self.fields.get("num_kv_shared_layers", 0):
            last = Counter(kinds[-shared:])
            groups = (FULL, LOCAL)
            found["shared_layers"] = tuple(sum(last[k] for k in group) for group in groups)
        return found | (self.states() if states else {})

    def layer_kinds(self, count: int) -> list[str]:
        def every(period: int, offset: int, one: str, others: str) -> list[str]:
            return [one if i % period == offset else others for i in range(count)]

        if "layer_types" in self.fields:
            return self.fields["layer_types"]
        if period := self.fields.get("full_attention_interval"):
            return every(period, period - 1, "full_attention", "linear_attention")
        if period := self.fields.get("attn_layer_period"):
            return every(period, self.need("attn_layer_offset"), "attention", "mamba")
        if "linear_attn_config" in self.fields:
            states = self.fields["linear_attn_config"]["kda_layers"]  # counted from 1
            return ["linear_attention" if i + 1 in states else FULL[0] for i in range(count)]
        if self.kind in ("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"):
            period = self.from_class("full_attention_interval", PERIOD)
            return every(period, period - 1, "full_attention", "linear_attention")
        if period := self.first("sliding_window_pattern", "_sliding_window_pattern"):
            return every(period, period - 1, "full_attention", "sliding_attention")
        if "attention_chunk_size" in self.fields:
            if turned := self.fields.get("no_rope_layers"):  # 1: rotary, and in chunks
                return ["chunked_attention" if x else "full_attention" for x in turned]
            period = self.from_class("no_rope_layer_interval", PERIOD)
            return every(period, period - 1, "full_attention", "chunked_attention")
        if not self.window() or not self.fields.get("use_sliding_window", self.kind[:4] != "qwen"):
            return ["full_attention"] * count
        if self.kind in ("mistral", "phi3"):
            return ["sliding_attention"] * count
        if self.kind not in PERIOD:
            raise ValueError("sliding_window is set and layer_types is missing: add layer_types.")
        period = self.assume("layer_types", PERIOD[self.kind], "as a period, of the family's class")
        found = every(period, period - 1, "full_attention", "sliding_attention")
        return found if self.kind != "gemma4_text" else [*found[:-1], "full_attention"]

    def window(self) -> int | None:
        """How far back a layer with a window sees."""
        return self.from_class("sliding_window", WINDOW)

    def states(self) -> dict:
        """Numbers of the state and weights of the mixer of one layer without a cache."""
        d = self.need("hidden_size")
        if self.kind == "jamba":  # Mamba: a state of inner · d_state, and the convolution's
            inner = self.need("mamba_expand") * d
            size, rank = self.need("mamba_d_state"), self.need("mamba_dt_rank")
            conv = self.need("mamba_d_conv")
            weights = 3 * d * inner + inner * (2 * rank + 3 * size + conv)
            return {"state_numbers": inner * (size + conv - 1), "state_weights": weights}
        if self.kind == "kimi_linear":  # Kimi Delta Attention
            linear = self.fields.get("linear_attn_config", {})
            heads = linear.get("num_heads") or self.need("linear_num_heads")
            size = linear.get("head_dim") or self.need("linear_head_dim")
            conv = linear.get("short_conv_kernel_size") or self.need("linear_conv_kernel_dim")
            wide = heads * size
            weights = 4 * d * wide + 2 * size * (d + wide) + d * heads + 3 * conv * wide
            numbers = wide * size + 3 * (conv - 1) * wide
            return {"state_numbers": numbers, "state_weights": weights}
        keys = self.need("linear_num_key_heads") * self.need("linear_key_head_dim")
        heads, conv = self.need("linear_num_value_heads"), self.need("linear_conv_kernel_dim")
        values = heads * self.need("linear_value_head_dim")
        mixed = 2 * keys + values
        weights = d * (mixed + 2 * values + 2 * heads) + conv * mixed
        numbers = values * self.fields["linear_key_head_dim"] + (conv - 1) * mixed
        return {"state_numbers": numbers, "state_weights": weights}

    def networks(self, layers: int) -> dict:
        """The feed-forward networks: one, or experts."""
        experts = self.first("num_experts", "num_local_experts", "n_routed_experts")
        if not experts:
            return {"d_ff": self.need("intermediate_size")}
        one = self.first("moe_intermediate_size", "intermediate_size") or self.need(
            "moe_intermediate_size"
        )
        chosen = self.first("num_experts_per_tok", "num_experts_per_token")
        dense = self.dense_layers(layers)
        wide = self.first("intermediate_size_mlp", "intermediate_size")
        beside = self.fields.get("num_shared_experts")
        if beside is None:
            beside = self.from_class("n_shared_experts", SHARED_EXPERTS) or 0
        beside *= one
        if self.kind == "llama4_text":
            beside = one  # one shared expert, which no field states
        return {
            "d_ff": one if not dense and wide is None else wide or self.need("intermediate_size"),
            "experts": experts,
            "experts_per_token": chosen or self.need("num_experts_per_tok"),
            "expert_d_ff": one,
            "shared_d_ff": self.fields.get("shared_expert_intermediate_size", beside),
            "dense_layers": dense,
        }

    def dense_layers(self, layers: int) -> int:
        if "mlp_layer_types" in self.fields:
            return self.fields["mlp_layer_types"].count("dense")
        if "moe_layers" in self.fields:
            return layers - len(self.fields["moe_layers"])
        steps = ("decoder_sparse_step", "interleave_moe_layer_step", "expert_layer_period")
        step = self.first(*steps, default=1)
        first = self.from_class("first_k_dense_replace", DENSE_FIRST) or 0
        return max(layers - layers // step, first, len(self.fields.get("mlp_only_layers", ())))
