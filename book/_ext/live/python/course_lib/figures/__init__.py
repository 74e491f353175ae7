"""Without matplotlib what only draws does nothing; two figures that move are computed."""

from live_runner import Drawing


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Drawing()
