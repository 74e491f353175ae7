"""The settings of attention that `thread_tasks.py` compares, as one stack of two layers each.

    LAYERS[name] = (first layer, second layer): the settings of the library's layer, or of a state

A layer with a state has no cache, no window and no rotation: two heads of 32 by 32 numbers.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_lib.gate.linear import delta_rule, linear_attention
from course_lib.modules.latent import LatentAttention
from course_lib.transformer.stack import Stack

WIDTH, HEADS, WINDOW = 64, 4, 8
FULL, LOCAL, SINKS = {}, {"window": WINDOW}, {"window": WINDOW, "sinks": 4}
LINEAR, DELTA, GATED = ({"state": rule} for rule in ("linear", "delta", "gated delta"))
LAYERS = {
    "4 KV heads": (FULL, FULL),
    "2 KV heads": ({"kv": 2}, {"kv": 2}),
    "1 KV head": ({"kv": 1}, {"kv": 1}),
    "latent 24 + 8": ({"latent": 24}, {"latent": 24}),
    "window 8": (LOCAL, LOCAL),
    "window, then all": (LOCAL, FULL),
    "window, 4 sinks": (SINKS, SINKS),
    "linear": (LINEAR, LINEAR),
    "delta": (DELTA, DELTA),
    "gated delta": (GATED, GATED),
    "gated delta, all": (GATED, FULL),
    "no positions": ({"rotary": False}, {"rotary": False}),
}


def gated_delta(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, log_alpha: Tensor) -> Tensor:
    """S_t = α_t S_{t−1} + β_t k_t (v_t − α_t S_{t−1}ᵀ k_t)ᵀ, o_t = S_tᵀ q_t, all t at once.

    The products α_{s+1} ⋯ α_t stand in one triangular matrix, so that no small one is divided by.
    """
    past = log_alpha.cumsum(-1)  # (..., T)
    fades = (past[..., :, None] - past[..., None, :]).tril().exp().tril()  # (..., T, T)
    earlier = (fades * (k @ k.mT)).tril(-1) * beta[..., None, :]
    written = torch.linalg.solve_triangular(earlier, v, upper=False, unitriangular=True)
    return (fades * (q @ k.mT)) @ (beta[..., None] * written)


class StateAttention(nn.Module):
    """Linear attention, the delta rule or the gated delta rule in the place of attention."""

    def __init__(self, width: int, rule: str, heads: int = 2) -> None:
        super().__init__()
        self.rule, self.heads = rule, heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(width, width) for _ in range(4))
        self.rates = nn.Linear(width, 2 * heads)  # how much is written, how much stays
        nn.init.zeros_(self.rates.bias)
        self.norm = nn.RMSNorm(width // heads)

    def forward(self, x: Tensor, *_, **__) -> tuple[Tensor, None]:
        q, k, v = (
            w(x).unflatten(2, (self.heads, -1)).transpose(1, 2)
            for w in (self.W_q, self.W_k, self.W_v)
        )
        beta, stays = self.rates(x).transpose(1, 2).chunk(2, dim=1)  # (B, H, T)
        if self.rule == "linear":
            out = linear_attention(q, k, v, is_causal=True)
        else:
            q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
            if self.rule == "delta":
                out = delta_rule(q, k, v, beta.sigmoid())
            else:
                out = gated_delta(q, k, v, beta.sigmoid(), F.logsigmoid(stays + 4))
            out = self.norm(out)
        return self.W_o(out.transpose(1, 2).flatten(2)), None


def stack(name: str) -> Stack:
    """The two layers of this setting, untrained."""
    first, second = (dict(layer) for layer in LAYERS[name])
    made = Stack(
        num_layers=2,
        d_model=WIDTH,
        num_heads=HEADS,
        d_hidden=2 * WIDTH,
        positions="rotary" if first.get("rotary", True) else "none",
        rotary_base=10000.0,
        window=[layer.get("window") for layer in (first, second)],
        sinks=first.get("sinks", 0),
        num_kv_heads=first.get("kv", HEADS),
    )
    for layer, settings in zip(made.layers, (first, second), strict=True):
        if "state" in settings:
            layer.self_attention = StateAttention(WIDTH, settings["state"])
        if "latent" in settings:
            layer.self_attention = LatentAttention(
                WIDTH, HEADS, latent_dim=settings["latent"], rotary_dim=8, rotary_base=10000.0
            )
    return made


def kept(name: str, tokens: int, bits: int = 16) -> int:
    """Bytes that both layers keep after so many tokens."""
    numbers, head = 0, WIDTH // HEADS
    for layer in LAYERS[name]:
        if "state" in layer:
            numbers += 2 * (WIDTH // 2) ** 2 + (WIDTH if layer["state"] == "linear" else 0)
        elif "latent" in layer:
            numbers += tokens * (layer["latent"] + 8)
        else:
            seen = layer.get("window", math.inf) + 1 + layer.get("sinks", 0)
            numbers += min(tokens, seen) * 2 * layer.get("kv", HEADS) * head
    return numbers * bits // 8
