"""A small task repeated with several seeds: what `small_pictures` and `small_sequences` share."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn

Result = tuple[float, float]  # the last training loss, and the share right on new examples
draw = torch.Generator()  # of the data; a model's first weights come from torch's own


def trials(task: Callable[[], Result], seeds: Iterable[int] = range(3)) -> list[Result]:
    """Loss and share right of a new model for each seed, which draws the data too."""
    found = []
    for seed in seeds:
        torch.manual_seed(seed)
        draw.manual_seed(seed + 100)
        found.append(task())
    return found


def learn(model: nn.Module, loss: Callable[[], Tensor], steps: int, rate: float = 1e-2) -> float:
    """Train what needs a gradient with Adam; the mean loss of the last 20 steps."""
    optimizer = torch.optim.Adam(
        [p for p in model.parameters() if p.requires_grad], rate, fused=True
    )
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
        losses.append(value.item())
    model.eval().requires_grad_(False)
    return sum(losses[-20:]) / 20


def share(right: Tensor) -> float:
    return right.double().mean().item()


def whole(high: int, n: int) -> Tensor:
    return torch.randint(high, (n,), generator=draw)
