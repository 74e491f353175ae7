"""Whisper base: sound in, text out, by our own layers with published weights.

Radford et al. (2022), "Robust speech recognition via large-scale weak supervision",
https://arxiv.org/abs/2212.04356. Code and weights are OpenAI's, MIT.
"""

import json
import re
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.published.ctranslate2 import read_arrays
from course_lib.published.files import published_files
from course_lib.published.unfilled import Unfilled
from course_lib.transformer.config import TransformerConfig
from course_lib.transformer.layers import Embedding
from course_lib.transformer.stack import Stack
from course_lib.transformer.state import TransformerState


@dataclass
class Heard(TransformerState):
    """What the decoder carries: its own caches, the sound's keys and values, and which sound."""

    features: Float[Tensor, "B bands frames"] | None = None


class Whisper(nn.Module):
    """Log-mel features of 30 s of sound and the pieces written so far → logits of the next piece.

        states = Encoder(gelu(conv(gelu(conv(features)))) + times)     one state every 20 ms
        logits = E · Decoder(E(tokens) + positions, states)            E is tied

    Encoder and decoder are each a `Stack` of the book: six layers of eight heads of 64 features,
    LayerNorm before each part, GELU. The second convolution keeps every other frame.

    Args:
        config: of both stacks; max_length is the decoder's.
        vocab_size: how many pieces of text there are.
        bands: rows of the features.
        num_states: how many states the encoder makes, half as many as the features' columns.

    Attributes:
        alignment_heads: (layer, head) of the cross-attention that its makers list as looking at
            what is being written, counted from 0; they come with the weights.
        never, never_first: pieces that are not to be written, ever and as the first; with them.
    """

    def __init__(
        self,
        config: TransformerConfig,
        vocab_size: int = 51865,
        bands: int = 80,
        num_states: int = 1500,
    ) -> None:
        super().__init__()
        self.config = config
        self.conv1 = nn.Conv1d(bands, config.d_model, 3, padding=1)
        self.conv2 = nn.Conv1d(config.d_model, config.d_model, 3, stride=2, padding=1)
        self.times = nn.Embedding(num_states, config.d_model)
        self.encoder = Stack(replace(config, causal=False))
        self.embedding = Embedding(vocab_size, config)
        self.decoder = Stack(config, cross=True)
        self.alignment_heads: list[tuple[int, int]] = []
        self.never: list[int] = []
        self.never_first: list[int] = []

    def encode(self, features: Float[Tensor, "B bands frames"]) -> Float[Tensor, "B S d_model"]:
        """The states of the sound, S of them.

        Raises:
            ValueError: for features of another shape than `log_mel` makes, with a batch before it.
        """
        shape = (self.conv1.in_channels, 2 * self.times.num_embeddings)
        if not isinstance(features, Tensor) or features.ndim != 3 or features.shape[1:] != shape:
            given = tuple(features.shape) if isinstance(features, Tensor) else type(features)
            raise ValueError(
                f"features must be (B, {shape[0]}, {shape[1]}), got {given}: write "
                "log_mel(samples, rate)[None] for one recording."
            )
        x = F.gelu(self.conv2(F.gelu(self.conv1(features)))).transpose(1, 2)  # (B, S, d_model)
        return self.encoder(x + self.times.weight)[0]

    def start(self, features: Float[Tensor, "B bands frames"] | None = None) -> Heard:
        """What is carried before the first piece: the encoder runs here, once.

        Without features it runs when the first pieces are read.
        """
        memory = None if features is None else self.decoder.project_memory(self.encode(features))
        return Heard(self.decoder.new_caches(), memory, features=features)

    def forward(
        self,
        features: Float[Tensor, "B bands frames"] | None,
        tokens: Int[Tensor, "B T"],
        *,
        need_weights: bool = False,
        cache: Heard | None = None,
    ) -> tuple[Float[Tensor, "B T V"], list[Tensor] | None]:
        """The logits after each piece, and the cross-attention's weights (B, H, T, S) by layer.

        Args:
            features: from `log_mel`; None where the cache has heard them.
            tokens: the pieces, or with a cache the new ones.
            need_weights: return the weights of each layer; None unasked.
            cache: from `start`. It keeps what was heard and read, and pieces go on from there.

        Raises:
            ValueError: for features of another shape, or others than the cache has heard.
            IndexError: for more pieces than the decoder has positions, 448.
        """
        cache = self.start(features) if cache is None else cache
        if cache.memory is None:
            if features is None:
                raise ValueError("nothing was heard yet: features must be given once.")
            cache.memory, cache.features = self.start(features).memory, features
        elif not (features is None or features is cache.features or _equal(features, cache)):
            raise ValueError(
                "the cache has heard another sound: begin with start(features), or give None."
            )
        x, _, weights = self.decoder(
            self.embedding(tokens, self.decoder.read_before(cache.caches)),
            is_causal=True,
            memory=cache.memory,
            caches=cache.caches,
            need_weights=need_weights,
        )
        return x @ self.embedding.tokens.weight.T, weights if need_weights else None


def _equal(features: Tensor, cache: Heard) -> bool:
    return cache.features is not None and torch.equal(features, cache.features)


SIDES = ("encoder", "decoder")
# The parts of a layer, in the file and here. Where the file has one matrix for several, they stand
# in it one below the other.
LAYER = {
    "self_attention/layer_norm": ["self_norm"],
    "self_attention/linear_0": [f"self_attention.W_{x}" for x in "qkv"],
    "self_attention/linear_1": ["self_attention.W_o"],
    "attention/layer_norm": ["cross_norm"],
    "attention/linear_0": ["cross_attention.W_q"],
    "attention/linear_1": ["cross_attention.W_k", "cross_attention.W_v"],
    "attention/linear_2": ["cross_attention.W_o"],
    "ffn/layer_norm": ["feed_norm"],
    "ffn/linear_0": ["feed_forward.0"],
    "ffn/linear_1": ["feed_forward.3"],
}
AROUND = {
    "encoder/conv1": "conv1",
    "encoder/conv2": "conv2",
    "encoder/position_encodings": "times",
    "encoder/layer_norm": "encoder.norm",
    "decoder/embeddings": "embedding.tokens",
    "decoder/position_encodings": "embedding.table",
    "decoder/layer_norm": "decoder.norm",
}
ROLES = {"weight": "weight", "bias": "bias", "gamma": "weight", "beta": "bias"}
ROLES["encodings"] = "weight"


def our_names(name: str) -> list[str]:
    """The parameters that one array of the file fills.

    Raises:
        KeyError: for an array that this model has no place for.
    """
    place, role = name.rsplit("/", 1)
    if found := re.fullmatch(r"(encoder|decoder)/layer_(\d+)/(.+)", place):
        side, i, part = found.groups()
        return [f"{side}.layers.{i}.{ours}.{ROLES[role]}" for ours in LAYER[part]]
    return [f"{AROUND[place]}.{ROLES[role]}"]


def from_arrays(arrays: dict[str, Tensor]) -> Whisper:
    """The model that the arrays of a file make, each of them used.

    Raises:
        KeyError: for an array without a place.
        RuntimeError: for a place without an array.
    """
    settings = {name: int(array) for name, array in arrays.items() if not array.ndim}
    weights = {name: array for name, array in arrays.items() if array.ndim}
    vocab_size, d_model = weights["decoder/embeddings/weight"].shape
    bands = weights["encoder/conv1/weight"].shape[1]
    num_states, max_length = (
        len(weights[f"{side}/position_encodings/encodings"]) for side in SIDES
    )
    config = TransformerConfig(
        d_model=d_model,
        num_heads=settings["decoder/num_heads"],
        num_layers=sum(name.endswith("/attention/linear_0/bias") for name in weights),
        d_hidden=len(weights["decoder/layer_0/ffn/linear_0/bias"]),
        max_length=max_length,
        positions="learned",
        scale_embedding=False,
        feed_forward="gelu",
    )
    with Unfilled():
        model = Whisper(config, vocab_size, bands, num_states)
    state = {}
    for name, array in weights.items():
        ours = our_names(name)
        state |= zip(ours, array.chunk(len(ours)), strict=True)
    model.load_state_dict(state, assign=True)
    return model.eval().requires_grad_(False)


def whisper() -> tuple[Whisper, Tokenizer]:
    """The model, in float32 and evaluation mode, and its tokenizer.

    6 + 6 layers of 8 heads, 512 features; 72,593,920 parameters (and 9,216 biases of keys, all 0);
    51,865 byte-level pieces; 80 bands, 1,500 states of 20 ms for 30 s, at most 448 pieces.

        model, tokenizer = whisper()
        features = log_mel(samples, rate)[None]              # (1, 80, 3000)
        logits, weights = model(features, tokens, need_weights=True)

    Raises:
        NotFetched: when a file is missing or another one; the sentence says how to fetch it.
        MemoryError: when less than 0.7 GB are free.
    """
    first, tokenizer, settings = published_files("whisper", memory=0.7)
    (second,) = published_files("whisper-part2")
    model, said = from_arrays(read_arrays([first, second])), json.loads(settings.read_text())
    model.alignment_heads = [(layer, head) for layer, head in said["alignment_heads"]]
    model.never, model.never_first = said["suppress_ids"], said["suppress_ids_begin"]
    return model, Tokenizer.from_file(str(tokenizer))
