"""Five small BERTs that name the noun of “it”, as `benchmarks/namers.py` trained them."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent / "models" / "namers.npz"


def save_namers(models: Sequence[nn.Module], path: str | Path = HERE) -> None:
    """Write the parameters of each model as float16, under its number."""
    arrays = {
        f"{i}/{name}": parameter.detach().numpy().astype(np.float16)
        for i, model in enumerate(models)
        for name, parameter in model.named_parameters()
    }
    np.savez_compressed(path, **arrays)


def load_namers(untrained: Callable[[], nn.Module], path: str | Path = HERE) -> list[nn.Module]:
    """The models as they are after their training; `untrained()` makes one of their form.

    Raises FileNotFoundError where the file is missing.
    """
    models = []
    with np.load(path) as file:
        for i in range(1 + max(int(name.split("/")[0]) for name in file.files)):
            model = untrained()
            for name, parameter in model.named_parameters():
                parameter.data = torch.from_numpy(file[f"{i}/{name}"].astype(np.float32))
            models.append(model.eval())
    return models
