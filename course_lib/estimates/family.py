"""What the class of each family takes where a file states nothing; never the base class's value.

The values are those of transformers 5.23.0, and a test compares them with the installed classes.
"""


def _table(families: dict[int, str]) -> dict[str, int]:
    """From {number: "its families"} to {family: number}."""
    return {name: number for number, names in families.items() for name in names.split()}


TIED = frozenset(["gemma2", "gemma3_text", "gemma4_text", "smollm3"])
HEAD_DIM = _table(
    {
        256: "gemma2 gemma3_text gemma4_text qwen3_next qwen3_5_text qwen3_5_moe_text",
        128: "qwen3 llama4_text minimax_m2",
        64: "gpt_oss",
    }
)
KV_HEADS = _table(
    {
        2: "qwen3_next qwen3_5_moe_text",
        4: "gemma2 gemma3_text gemma4_text qwen3_moe qwen3_5_text smollm3",
        8: "glm4_moe gpt_oss jamba llama4_text minimax_m2 mistral mixtral",
        16: "qwen2_moe",
        32: "qwen2 qwen3",
    }
)
WINDOW = _table({4096: "gemma2 gemma3_text mistral olmo3", 512: "gemma4_text", 128: "gpt_oss"})
# One layer in so many sees everything, the last of each group.
PERIOD = _table(
    {
        2: "gemma2 gpt_oss",
        4: "olmo3 llama4_text qwen3_next qwen3_5_text qwen3_5_moe_text",
        6: "gemma3_text gemma4_text",
    }
)
SHARED_EXPERTS = _table(
    {1: "deepseek_v3 deepseek_v32 kimi_k2 glm4_moe glm_moe_dsa", 2: "deepseek_v2"}
)
DENSE_FIRST = _table({1: "glm4_moe", 3: "deepseek_v3 deepseek_v32 kimi_k2 glm_moe_dsa"})
