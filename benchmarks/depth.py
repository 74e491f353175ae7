"""What joins the parts of a deep model: a sum, several streams, or attention over earlier parts.

    python -m benchmarks depth

The model is a small language model of 8 layers, each of two parts (causal self-attention, gated
feed-forward network), which reads Python's help. Only the joint between
the parts differs; text, steps, batches and schedule are the same for all. Each joint has the
learning rate that serves it best, chosen from `RATES` on the validation text with a seed that the
results do not use. `depth.csv` has the loss on other held-out text, three seeds;
`depth_weights.csv` where the parts look over depth.
"""

import math

import torch
from torch import Tensor, nn

from benchmarks.measure import write
from book.helpers.text import (
    TextData,
    python_help,
    text_loss,
    train_language_model,
)
from course_lib import sinusoidal_positions
from course_lib.transformer import GatedFeedForward

KINDS = ("replaced", "without norms", "sum", "streams", "doubly stochastic", "attention")
LAYERS, SEEDS = 8, (0, 1, 2)
RATES, CHOSEN_WITH = (0.002, 0.004, 0.008, 0.016, 0.032), 10  # learning rates, and a seed for them
WIDTH, HEADS, HIDDEN, WORDS = 48, 4, 96, 1000
STEPS, BATCH, LENGTH = 200, 8, 64
STREAMS, ROUNDS = 4, 20


class Attention(nn.Module):
    """Norm, then causal self-attention: what a layer's first part adds."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.RMSNorm(WIDTH)
        self.W_qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.W_o = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x: Tensor) -> Tensor:  # (B, T, d)
        split = self.W_qkv(self.norm(x)).unflatten(-1, (3, HEADS, -1))  # (B, T, 3, H, d/H)
        q, k, v = split.permute(2, 0, 3, 1, 4)
        found = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.W_o(found.transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    """Norm, then the feed-forward network: what a layer's second part adds."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.feed = nn.RMSNorm(WIDTH), GatedFeedForward(WIDTH, HIDDEN, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.feed(self.norm(x))


class Replaced(nn.Module):
    """x ← f(x)"""

    def forward(self, x: Tensor, parts: nn.ModuleList) -> Tensor:
        for part in parts:
            x = part(x)
        return x


class Sum(nn.Module):
    """x ← x + f(x)"""

    def forward(self, x: Tensor, parts: nn.ModuleList) -> Tensor:
        for part in parts:
            x = x + part(x)
        return x


def doubly_stochastic(logits: Tensor, rounds: int = ROUNDS) -> Tensor:
    """A positive matrix whose rows and columns sum to 1 (Sinkhorn and Knopp)."""
    m = logits.exp()
    for _ in range(rounds):
        m = m / m.sum(-1, keepdim=True)  # rows
        m = m / m.sum(-2, keepdim=True)  # columns
    return m


class Streams(nn.Module):
    """X ← M X + w f(rᵀ X): r reads the n streams, w writes to them, M mixes them.

    Zhu et al. (2024), "Hyper-connections", https://arxiv.org/abs/2409.19606, static form;
    `constrained` as in Xie et al. (2025), "mHC: manifold-constrained hyper-connections",
    https://arxiv.org/abs/2512.24880, with numbers learned once in place of computed per token.
    """

    def __init__(self, parts: int, constrained: bool, n: int = STREAMS) -> None:
        super().__init__()
        self.constrained = constrained
        own = torch.eye(n)[torch.arange(parts) % n]  # part i reads stream i mod n at first
        self.read = nn.Parameter(4 * own - 2 if constrained else own)  # (parts, n)
        self.write = nn.Parameter(torch.zeros(parts, n) if constrained else torch.ones(parts, n))
        self.mix = nn.Parameter((4 if constrained else 1) * torch.eye(n).repeat(parts, 1, 1))

    def weights(self) -> tuple[Tensor, Tensor, Tensor]:
        if not self.constrained:
            return self.read, self.write, self.mix
        return self.read.sigmoid(), 2 * self.write.sigmoid(), doubly_stochastic(self.mix)

    def forward(self, x: Tensor, parts: nn.ModuleList) -> Tensor:
        streams = x[..., None, :].expand(*x.shape[:-1], self.read.shape[1], -1)  # (B, T, n, d)
        for part, r, w, M in zip(parts, *self.weights(), strict=True):
            new = part(r @ streams)  # (B, T, d)
            streams = M @ streams + w[:, None] * new[..., None, :]
        return streams.mean(-2)


class OverDepth(nn.Module):
    """x_i = Σ_j α_ij f_j with α = softmax over j < i of q_i · RMSNorm(f_j); f_0 is the embedding.

    Kimi Team (2026), "Attention residuals", https://arxiv.org/abs/2603.15031
    """

    def __init__(self, parts: int) -> None:
        super().__init__()
        self.queries = nn.Parameter(torch.zeros(parts + 1, WIDTH))  # the last one reads the result
        self.seen: list[Tensor] = []

    def forward(self, x: Tensor, parts: nn.ModuleList) -> Tensor:
        sources, self.seen = x[..., None, :], []  # (B, T, 1, d)
        for part, query in zip([*parts, None], self.queries, strict=True):
            keys = nn.functional.rms_norm(sources, (WIDTH,))
            weights = (keys @ query).softmax(-1)  # (B, T, sources)
            self.seen.append(weights.detach().mean((0, 1)))
            x = (weights[..., None] * sources).sum(-2)
            if part is not None:
                sources = torch.cat([sources, part(x)[..., None, :]], -2)
        return x


def joint(kind: str, parts: int) -> nn.Module:
    """The joint that `kind` names."""
    if kind == "replaced":
        return Replaced()
    if kind in ("sum", "without norms"):
        return Sum()
    return OverDepth(parts) if kind == "attention" else Streams(parts, kind != "streams")


class Deep(nn.Module):
    """A language model whose parts are joined in one of these ways: tokens in, (logits,) out."""

    def __init__(self, kind: str, layers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, WIDTH)
        nn.init.normal_(self.embedding.weight, std=WIDTH**-0.5)
        self.parts = nn.ModuleList(p() for _ in range(layers) for p in (Attention, FeedForward))
        self.joint, self.norm = joint(kind, 2 * layers), nn.RMSNorm(WIDTH)
        if kind == "without norms":
            for module in (self, *self.parts):
                module.norm = nn.Identity()

    def forward(self, tokens: Tensor) -> tuple[Tensor]:
        x = math.sqrt(WIDTH) * self.embedding(tokens)
        x = x + sinusoidal_positions(tokens.shape[1], WIDTH).to(x.dtype)
        return (self.norm(self.joint(x, self.parts)) @ self.embedding.weight.T,)


def gain(model: Deep) -> float:
    """How much the product of all mixing matrices can enlarge a stream: its largest row sum."""
    if not isinstance(model.joint, Streams):
        return 1.0
    M = torch.linalg.multi_dot([*model.joint.weights()[2].detach().flip(0)])
    return M.abs().sum(-1).max().item()


def depth_weights(model: Deep, seed: int) -> list[dict]:
    """The mean weight that each part, and at last the result, gives to each earlier source."""
    return [
        {"seed": seed, "part": i, "source": j, "weight": round(w.item(), 4)}
        for i, row in enumerate(model.joint.seen)
        for j, w in enumerate(row)
    ]


def run(
    kind: str, layers: int, seed: int, rate: float, data: TextData, judged_on: Tensor
) -> tuple[dict, Deep]:
    """One training: its row, and the model."""
    torch.manual_seed(seed)
    model = Deep(kind, layers)
    _, history = train_language_model(
        model, data, steps=STEPS, batch=BATCH, length=LENGTH, learning_rate=rate, seed=seed
    )
    row = {
        "kind": kind,
        "layers": layers,
        "seed": seed,
        "rate": rate,
        "parameters": sum(p.numel() for p in model.parameters()),
        "joint": sum(p.numel() for p in model.joint.parameters()),
        "train": round(history[-1]["train"], 3),
        "loss": round(text_loss(model, judged_on, length=LENGTH, pieces=256), 3),
        "gain": f"{gain(model):.3g}",
    }
    print(row, flush=True)
    return row, model


def best_rate(kind: str, data: TextData, judged_on: Tensor) -> float:
    """The learning rate with which this joint has the lowest loss."""

    def loss(rate: float) -> float:
        return run(kind, LAYERS, CHOSEN_WITH, rate, data, judged_on)[0]["loss"]

    return min(RATES, key=loss)


def main() -> None:
    data, rows, weights = python_help(size=WORDS), [], []
    to_choose, to_report = data.valid.chunk(2)
    for kind in KINDS:
        rate = best_rate(kind, data, to_choose)
        for seed in SEEDS:
            row, model = run(kind, LAYERS, seed, rate, data, to_report)
            rows.append(row)
            if kind == "attention":
                weights += depth_weights(model, seed)
    write("depth", rows)
    write("depth_weights", weights)


if __name__ == "__main__":
    main()
