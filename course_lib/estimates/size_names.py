"""Which names of fields are those of sizes, and when one name is a misspelling of another."""

import re

SIZE = re.compile(
    r"(num|n|d|layers?|index|compress|ffn?|conv|experts|block)_\w+|\w*(window|per_layer_input)\w*"
    r"|\w*(_dims?|_heads?|_sizes?|_layers?|_rank|_experts|_state|_expand|_d_\w+|_width|_groups?"
    r"|_kernel|_inner|_ff|_mlp|_mult|_topk|_per_tok|_pattern|_freq|_interval|_period|_offset"
    r"|_types|_indices|_layer_step|_sparse_step|_dense_replace)"
    r"|attention_chunk_size|expand|depth|top_k_experts|tie_word_embeddings"
)
# They change no count: where tokens stand, how text is drawn or a model trained, tokens by number.
NO_SIZE = re.compile(
    r"\w*(position|context|rope|rotary|theta|token_id|token_index|dropout|pdrop|epsilon|_eps\b"
    r"|initializer|_coef|_alpha|_beta|_scale|scaling|multiplier|limit|time_step|logits|label"
    r"|chunk_size_feed|image_|sample|mscale|temperature|penalty|ngram|beams?\b|beam_group"
    r"|return_sequences|hidden_states|feature_layer|tiles?\b|tile_|pixels|mtp_|nextn|type_vocab|sinkhorn|loss|layer_norm|layerscale)\w*"
    r"|n_ctx|n_groups?|topk_group|num_expert_group|num_assistant_tokens|ignore_index"
)
NO_COUNT = re.compile(
    r"\w*(token_id|token_index|dropout|pdrop|epsilon|_eps|initializer|_coef|theta|penalty|label"
    r"|rope_|dtype|version)\w*"
)


NEEDED = ("num_hidden_layers", "hidden_size", "vocab_size", "num_attention_heads")


def is_size(name: str) -> bool:
    """Whether a field of this name may change how many weights or bytes there are."""
    harmless = NO_SIZE.fullmatch(name) and not name.endswith("head_dim")
    return bool(SIZE.fullmatch(name)) and not harmless


def is_worth_spelling(name: str) -> bool:
    """Whether a misspelling of this name could change a count: a table of positions is one too."""
    return name[0] != "_" and not NO_COUNT.fullmatch(name)


def looks_like(name: str, other: str) -> bool:
    """Whether one is the other with a letter or two wrong, left out, doubled or exchanged."""
    first, second = (re.sub(r"[^a-z0-9]", "", x.lower()) for x in (name, other))
    allowed = 2 if len(second) >= 12 else 1
    return name != other and distance(first, second) <= allowed


def distance(a: str, b: str) -> int:
    """Letters to change, add, leave out, or exchange with their neighbour (Damerau)."""
    if abs(len(a) - len(b)) > 2:
        return 3
    before, row = [], list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                best = min(best, older[j - 2] + 1)
            row.append(best)
    return row[-1]


def refuse_no_numbers(fields: dict, sizes: frozenset[str], whole: frozenset[str]) -> None:
    """Refuses a text, a fraction, a negative number or an absurd one where a size stands."""
    for name in sizes & set(fields):
        value, least = fields[name], int(name in NEEDED)
        if isinstance(value, str) and re.fullmatch(r"\s*-?\d+(\.\d*)?\s*", value):
            raise ValueError(f"{name} is {value!r}, a text: a number is needed.")
        if name in whole and isinstance(value, bool | float | str | dict):
            raise ValueError(f"{name} is {value!r}: a whole number is needed.")
        if not isinstance(value, int) or isinstance(value, bool):
            continue
        if value < least and not (name == "chunk_size" and value == -1):  # as a class has it
            raise ValueError(f"{name} is {value}: at least {least} is needed.")
        if value > (10_000 if "layers" in name else 10**9):
            raise ValueError(f"{name} is {value:,}: no model is as large as that.")
