"""SmolLM2-135M-Instruct: our `LanguageModel` with the weights that its makers published.

Ben Allal et al. (2025), "SmolLM2: when Smol goes big: data-centric training of a small language
model", https://arxiv.org/abs/2502.02737.
"""

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from course_lib.published.files import published_files
from course_lib.published.gguf import GGUFFile
from course_lib.published.unfilled import Unfilled
from course_lib.transformer.config import TransformerConfig
from course_lib.transformer.language_model import LanguageModel

# Our names of a layer's nine tensors, and the file's.
NAMES = {
    "self_norm": "attn_norm",
    "self_attention.W_q": "attn_q",
    "self_attention.W_k": "attn_k",
    "self_attention.W_v": "attn_v",
    "self_attention.W_o": "attn_output",
    "feed_norm": "ffn_norm",
    "feed_forward.W_1": "ffn_gate",
    "feed_forward.W_2": "ffn_down",
    "feed_forward.W_3": "ffn_up",
}

CONTROL = 3  # the kind of a token that stands for no text, such as <|im_end|>
HEADER = (
    "embedding_length",
    "attention.head_count",
    "attention.head_count_kv",
    "block_count",
    "feed_forward_length",
    "rope.freq_base",
    "context_length",
    "attention.layer_norm_rms_epsilon",
)


def smollm2() -> tuple[LanguageModel, Tokenizer]:
    """The model, in float32 and evaluation mode, and its tokenizer.

    30 layers, 576 features, 9 heads that share 3 KV heads, rotary positions, RMSNorm, gated
    feed-forward; 134,515,008 parameters, 49,152 tokens, at most 8,192 of them in a text. The
    weights were rounded to 4 bits (the embedding to 8) by whoever made the file.

        model, tokenizer = smollm2()
        prompt = torch.tensor([tokenizer.encode("The capital of Italy is").ids])
        tokenizer.decode(model.generate(prompt, 1)[0].tolist())

    Raises:
        NotFetched: when the file is missing or another one; the sentence says how to fetch it.
        MemoryError: when less than 1.2 GB are free.
        ValueError: from the model, for a text of more than 8,192 tokens.
    """
    file = GGUFFile(published_files("smollm2", memory=1.2)[0])
    return language_model(file), byte_pair_tokenizer(file)


def config_of_file(file: GGUFFile) -> TransformerConfig:
    """The settings of the file's header as ours."""
    said = {name: file.field(f"llama.{name}") for name in HEADER}
    return TransformerConfig(
        d_model=said["embedding_length"],
        num_heads=said["attention.head_count"],
        num_kv_heads=said["attention.head_count_kv"],
        num_layers=said["block_count"],
        d_hidden=said["feed_forward_length"],
        rotary_base=said["rope.freq_base"],
        max_length=said["context_length"],
        positions="rotary",
        scale_embedding=False,
        norm="rms",
        norm_eps=said["attention.layer_norm_rms_epsilon"],
        feed_forward="gated",
        bias=False,
    )


def language_model(file: GGUFFile) -> LanguageModel:
    """Our model with the file's weights."""
    config = config_of_file(file)
    with Unfilled():
        model = LanguageModel(file.field("llama.vocab_size"), config)
    state = dict(model.named_buffers())  # the rotary angles; all else comes from the file
    state["embedding.tokens.weight"] = file.tensor("token_embd.weight")
    state["stack.norm.weight"] = file.tensor("output_norm.weight")
    for i in range(config.num_layers):
        for ours, theirs in NAMES.items():
            state[f"stack.layers.{i}.{ours}.weight"] = file.tensor(f"blk.{i}.{theirs}.weight")
    model.load_state_dict(state, assign=True)
    model.register_forward_pre_hook(_within_context, with_kwargs=True)
    return model.eval().requires_grad_(False)


def _within_context(model: LanguageModel, arguments: tuple, options: dict) -> None:
    """Refuse a text that is longer than any that the model was trained on."""
    caches = options.get("caches")
    read = 0 if caches is None else len(caches[0])
    length = read + (arguments[0] if arguments else options["tokens"]).shape[1]
    if length > model.config.max_length:
        raise ValueError(
            f"The text has {length:,} tokens, and this model reads at most "
            f"{model.config.max_length:,}: shorten it, or keep its last tokens only."
        )


def byte_pair_tokenizer(file: GGUFFile) -> Tokenizer:
    """The tokenizer of the file: byte pairs, each digit a token of its own."""
    tokens, kinds = (file.field(f"tokenizer.ggml.{x}") for x in ("tokens", "token_type"))
    merges = [tuple(pair.split(" ")) for pair in file.field("tokenizer.ggml.merges")]
    vocabulary = {token: i for i, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    digits = pre_tokenizers.Digits(individual_digits=True)
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    marked = zip(tokens, kinds, strict=True)
    control = [AddedToken(token, special=True) for token, kind in marked if kind == CONTROL]
    tokenizer.add_special_tokens(control)
    return tokenizer
