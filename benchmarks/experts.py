"""How many of 10,000 facts a feed-forward network knows, and a mixture of experts of its size.

    python -m benchmarks experts

A fact is a random answer, one of 64, for one of 100 subjects and one of 100 relations, so a small
network has no room for all. The input is the sum of two learned vectors; one network, or the
mixture whose class the page *A mixture of experts* prints, comes between two norms, and a linear
map reads the answer. Every kind has each number of steps and three step sizes. `experts.csv` has
one row for a run: the share of facts known, the loss, and how many times as many words the busiest
expert gets as the idlest.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.measure import write
from benchmarks.page_programs import program

SIDE, ANSWERS, WIDTH, BATCH = 100, 64, 32, 1000
STEPS, RATES, SEEDS = (250, 1000, 4000), (0.03, 0.1, 0.3), (0, 1, 2)


CLASSES = program("mixture_of_experts")
Gated, Experts = CLASSES["Gated"], CLASSES["Experts"]


class ByChance(Experts):
    """Two experts by chance, other ones each time."""

    def forward(self, x: Tensor) -> Tensor:
        self.push = 10 * torch.rand(len(x), len(self.experts))  # above any score
        self.rate = 0.0
        return super().forward(x)


def untrained_router(width: int) -> nn.Module:
    part = Experts(width, 16)
    part.router.weight.requires_grad_(False)
    return part


KINDS = {
    "one network of 48": lambda d: Gated(d, 48),
    "one network of 144": lambda d: Gated(d, 144),
    "8 experts, 2 of them chosen": lambda d: Experts(d, 16),
}
ROUTERS = {
    "router never trained": untrained_router,
    "without the push": lambda d: Experts(d, 16, rate=0.0),
    "two by chance": lambda d: ByChance(d, 16),
}


def learn(make, steps: int, rate: float, seed: int) -> tuple[float, float, nn.Module]:
    """Share of facts known after training, the loss over all facts, and the part that learned."""
    torch.manual_seed(seed)
    facts = torch.arange(SIDE * SIDE)
    answers = torch.randint(ANSWERS, facts.shape)
    subject, relation = nn.Embedding(SIDE, WIDTH), nn.Embedding(SIDE, WIDTH)
    part, before, after = make(WIDTH), nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
    read = nn.Linear(WIDTH, ANSWERS, bias=False)
    net = nn.ModuleList([subject, relation, part, before, after, read])
    adam = torch.optim.Adam(net.parameters(), rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(adam, rate, steps, pct_start=0.1)

    def logits(rows: Tensor) -> Tensor:
        x = subject(rows // SIDE) + relation(rows % SIDE)
        return read(after(x + part(before(x))))

    for _ in range(steps):
        rows = torch.randperm(len(facts))[:BATCH]
        loss = F.cross_entropy(logits(rows), answers[rows])
        adam.zero_grad()
        loss.backward()
        adam.step()
        schedule.step()
    net.eval()
    with torch.no_grad():
        found = logits(facts)
    known = (found.argmax(-1) == answers).double().mean().item()
    return known, F.cross_entropy(found, answers).item(), part


def main() -> None:
    rows = []
    for kind, make in (KINDS | ROUTERS).items():
        for steps in STEPS if kind in KINDS else STEPS[1:2]:
            for rate in RATES:
                for seed in SEEDS:
                    known, loss, part = learn(make, steps, rate, seed)
                    load = getattr(part, "load", None)
                    rows.append({
                        "kind": kind, "steps": steps, "step_size": rate, "seed": seed,
                        "known": f"{known:.4f}", "loss": f"{loss:.3f}",
                        "busiest_idlest": "" if load is None else f"{load.max() / load.min():.2f}",
                    })  # fmt: skip
                    print(*rows[-1].values(), flush=True)
    write("experts", rows)
