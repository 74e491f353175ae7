"""all-MiniLM-L6-v2: the block of BERT around our `MultiHeadAttention`, with published weights.

Devlin et al. (2019), "BERT: pre-training of deep bidirectional Transformers for language
understanding", https://arxiv.org/abs/1810.04805; Wang et al. (2020), "MiniLM: deep self-attention
distillation", https://arxiv.org/abs/2002.10957; Reimers & Gurevych (2019), "Sentence-BERT",
https://arxiv.org/abs/1908.10084.
"""

from typing import Any

from jaxtyping import Bool, Float, Int
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.modules.multi_head import MultiHeadAttention
from course_lib.published.files import published_files
from course_lib.published.unfilled import Unfilled
from course_lib.token_table import TokenTable

NAMES = {  # ours, and the file's
    "attention.W_q": "attention.self.query",
    "attention.W_k": "attention.self.key",
    "attention.W_v": "attention.self.value",
    "attention.W_o": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "feed_norm": "output.LayerNorm",
}


class BertLayer(nn.Module):
    """x = Norm(x + Attention(x));  x = Norm(x + W_2 gelu(W_1 x)), each norm after its part."""

    def __init__(self, d_model: int, num_heads: int, d_hidden: int) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.attention_norm = nn.LayerNorm(d_model, eps=1e-12)
        self.widen, self.narrow = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
        self.feed_norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, x: Tensor, **options: Any) -> tuple[Tensor, Tensor | None]:
        found, weights = self.attention(x, **options)
        x = self.attention_norm(x + found)
        return self.feed_norm(x + self.narrow(F.gelu(self.widen(x)))), weights


class BertEncoder(nn.Module):
    """Word pieces → a state for each, which has read the whole text.

    x = Norm(word + position + segment), then the layers; every text is one segment here.
    """

    layers: Any  # nn.ModuleList does not say that each is a BertLayer

    def __init__(self, d_model=384, num_heads=12, num_layers=6, d_hidden=1536, vocab_size=30522):
        super().__init__()
        self.words, self.segments = TokenTable(vocab_size, d_model), nn.Embedding(2, d_model)
        self.positions = nn.Embedding(512, d_model)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        layers = (BertLayer(d_model, num_heads, d_hidden) for _ in range(num_layers))
        self.layers = nn.ModuleList(layers)

    def forward(
        self,
        tokens: Int[Tensor, "B T"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        need_weights: bool = False,
    ) -> tuple[Float[Tensor, "B T d_model"], list]:
        """The states, and the weights (B, H, T, T) of each layer (None unasked).

        mask: True = may be attended to, (B, 1, T) for texts of different lengths (`padding_mask`).

        Raises:
            ValueError: for a text of more than 512 word pieces.
        """
        words = self.words(tokens)
        if tokens.ndim != 2:
            raise ValueError(f"tokens must be (B, T), got shape {tuple(tokens.shape)}.")
        if tokens.shape[1] > len(self.positions.weight):
            raise ValueError(
                f"The text has {tokens.shape[1]} word pieces, and this model has a position for "
                f"{len(self.positions.weight)}: shorten it, or read it in parts."
            )
        own = self.positions.weight[: tokens.shape[1]] + self.segments.weight[0]
        x, all_weights = self.norm(words + own), []
        for layer in self.layers:
            x, weights = layer(x, mask=mask, need_weights=need_weights)
            all_weights.append(weights)
        return x, all_weights


def minilm() -> tuple[BertEncoder, Tokenizer]:
    """The encoder, in evaluation mode, and its tokenizer: 6 layers of 12 heads, 384 features.

    encode("…").ids begin with [CLS] and end with [SEP]. A sentence's vector is the mean of its
    states, scaled to length 1. Texts of up to 512 pieces are read; sentence-transformers cuts them
    at 256 (max_seq_length of this model), so that its vectors of longer ones differ.

    Raises:
        NotFetched: when a file is missing or another one; the sentence says how to fetch it.
        MemoryError: when less than 0.4 GB are free.
    """
    weights, tokenizer = published_files("minilm", memory=0.4)
    found = load_file(weights)
    table = {"words": "word", "positions": "position", "segments": "token_type"}
    names = {f"{ours}.": f"embeddings.{theirs}_embeddings." for ours, theirs in table.items()}
    names["norm."] = "embeddings.LayerNorm."
    for i in range(6):
        names |= {f"layers.{i}.{o}.": f"encoder.layer.{i}.{t}." for o, t in NAMES.items()}
    with Unfilled():
        encoder = BertEncoder()
    state = {}
    for key in encoder.state_dict():
        ours, part = key.rsplit(".", 1)
        state[key] = found[names[f"{ours}."] + part]
    encoder.load_state_dict(state, assign=True)
    tokenizer = Tokenizer.from_file(str(tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return encoder.eval().requires_grad_(False), tokenizer
