"""Drawn pictures of four shapes, the loop that trains on them, and how a page shows them."""

import torch
from matplotlib.patches import Rectangle
from torch import nn

from course_lib.figures import panels


def learn(model: nn.Module, loss_of, steps: int, rate: float = 3e-3) -> nn.Module:
    """AdamW, with a rate that rises and falls."""
    parameters = list(model.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps)
    for _ in range(steps):
        loss = loss_of(model)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        schedule.step()
    return model.eval()


y, x = torch.meshgrid(torch.arange(8) - 3.5, torch.arange(8) - 3.5, indexing="ij")
radius = (x**2 + y**2).sqrt()
SHAPES = {
    "disc": radius < 3.9,
    "ring": (radius < 3.9) & (radius > 2.1),
    "square": (x.abs() < 3.1) & (y.abs() < 3.1),
    "cross": (x.abs() < 1.1) | (y.abs() < 1.1),
}
names, drawn = list(SHAPES), torch.stack(list(SHAPES.values())).float()  # (4, 8, 8)


def frames(rows, columns, height, width=6.0):
    """Places for pictures, on no ground: in the dark they keep their greys."""
    axes = panels(rows, columns, height=height, width=width)
    axes.flat[0].get_figure().set_facecolor("none")
    return axes


def picture(ax, image, title="", vmin=-0.6, vmax=2.4):
    """The image in grey, its title on a white strip."""
    ax.imshow(image, cmap="gray_r", vmin=vmin, vmax=vmax)
    ax.set(xticks=[], yticks=[])
    ax.set_title(title, size=10, bbox={"fc": "white", "ec": "none", "pad": 2.5})


def show(ax, image, weights, p, title):
    """The image, and each patch of weight 0.05 or more framed, with its weight."""
    picture(ax, image, title)
    for i, weight in enumerate(weights.tolist()):
        if weight >= 0.05:
            row, column = divmod(i, image.shape[1] // p)
            corner = column * p - 0.5, row * p - 0.5
            ax.add_patch(Rectangle(corner, p, p, fill=False, ec="#a8480f", lw=1 + 4 * weight))
            ax.text(
                corner[0] + p / 2,
                corner[1] + p / 2,
                f"{weight:.2f}".lstrip("0"),
                size=8,
                ha="center",
                va="center",
                bbox={"fc": "white", "ec": "none", "pad": 1},
            )
