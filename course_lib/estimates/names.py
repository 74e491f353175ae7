"""The fields of a `config.json`: which set a size, and which change none of the counts."""

import re

from course_lib.estimates.size_names import is_size

FAMILIES = """
llama mistral mixtral phi3 qwen2 qwen2_moe qwen3 qwen3_moe qwen3_next qwen3_5_text qwen3_5_moe_text
gemma2 gemma3_text gemma4_text olmo2 olmo3 smollm3 gpt_oss
minimax_m2 llama4_text glm4_moe glm_moe_dsa deepseek_v2 deepseek_v3 deepseek_v32
kimi_k2 kimi_linear jamba
"""
SIZES = """
model_type num_hidden_layers hidden_size num_attention_heads num_key_value_heads head_dim
intermediate_size intermediate_size_mlp vocab_size tie_word_embeddings hidden_act hidden_activation
"""
LAYERS = """
layer_types sliding_window sliding_window_pattern use_sliding_window max_window_layers
attention_chunk_size no_rope_layers no_rope_layer_interval full_attention_interval
attn_layer_period attn_layer_offset attn_output_gate num_kv_shared_layers
num_global_key_value_heads global_head_dim attention_k_eq_v enable_moe_block
hidden_size_per_layer_input use_double_wide_mlp
"""
LATENT = """
kv_lora_rank q_lora_rank qk_rope_head_dim qk_nope_head_dim v_head_dim qk_head_dim
index_n_heads index_head_dim index_topk
"""
EXPERTS = """
num_experts num_local_experts n_routed_experts num_experts_per_tok num_experts_per_token
moe_intermediate_size shared_expert_intermediate_size n_shared_experts num_shared_experts
first_k_dense_replace moe_layer_freq decoder_sparse_step interleave_moe_layer_step
mlp_only_layers mlp_layer_types moe_layers expert_layer_period expert_layer_offset
"""
STATES = """
linear_num_key_heads linear_num_value_heads linear_key_head_dim linear_value_head_dim
linear_conv_kernel_dim linear_attn_config linear_num_heads linear_head_dim mamba_d_state
mamba_expand mamba_d_conv mamba_dt_rank
"""
# They change what is computed, and not how much.
POSITIONS_AND_SCORES = """
rope_theta rope_parameters rope_scaling rope_local_base_freq rope_interleave partial_rotary_factor
max_position_embeddings original_max_position_embeddings model_max_length query_pre_attn_scalar
attn_logit_softcapping final_logit_softcapping use_qk_norm qk_layernorm attn_temperature_tuning
floor_scale attn_scale mla_use_nope swiglu_limit swiglu_alpha initial_context_length
indexer_rope_interleave use_bidirectional_attention
"""
# Below one percent of the parameters.
BIASES = "attention_bias mlp_bias use_bias qkv_bias mamba_conv_bias mamba_proj_bias"
ROUTING = """
norm_topk_prob routed_scaling_factor scoring_func topk_method n_group topk_group num_expert_group
use_grouped_topk moe_renormalize moe_router_activation_func ep_size aux_loss_alpha seq_aux
use_routing_bias
"""
# Prediction heads that a server may leave out, and how a file was made.
OTHER = """
num_nextn_predict_layers mtp_num_hidden_layers mtp_use_dedicated_embeddings use_mtp num_mtp_modules
architectures transformers_version torch_dtype dtype auto_map use_cache pretraining_tp
quantization_config cache_implementation output_gate_type mamba_ssm_dtype use_mamba_kernels
vocab_size_per_layer_input num_logits_to_keep tokenizer_class _name_or_path name_or_path
experts_per_token sliding_window_size pruned_heads mtp_transformer_layers attn_type_list
shared_intermediate_size return_dict top_k_experts
"""

TYPES = frozenset(FAMILIES.split())
KNOWN = frozenset(
    " ".join(
        [SIZES, LAYERS, LATENT, EXPERTS, STATES, POSITIONS_AND_SCORES, BIASES, ROUTING, OTHER]
    ).split()
)
NOT_WHOLE = """
model_type tie_word_embeddings hidden_act hidden_activation layer_types use_sliding_window
no_rope_layers attn_output_gate attention_k_eq_v enable_moe_block use_double_wide_mlp moe_layer_freq
mlp_only_layers mlp_layer_types moe_layers linear_attn_config mamba_dt_rank
"""
WHOLE = frozenset(" ".join([SIZES, LAYERS, LATENT, EXPERTS, STATES]).split())
WHOLE -= frozenset(NOT_WHOLE.split())
PATTERN = re.compile(
    r".*(token_id|dropout|_eps|epsilon|initializer_range|_coef)$|router_\w+|output_\w+"
)


def unknown(fields: dict) -> list[str]:
    """Names that sound like sizes and are neither read here nor known to change no count."""
    stated = [n for n, value in fields.items() if value not in (None, False, 0, [])]
    return [n for n in stated if is_size(n) and n not in KNOWN and not PATTERN.fullmatch(n)]
