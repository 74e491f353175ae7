"""The steps of `local_weights`, which its mistakes exchange one by one."""

import torch


def distances(scores, position):
    return torch.arange(scores.shape[1], device=scores.device) - position[:, None]  # (B, S)


def windowed(scores, inside):
    return torch.softmax(scores.masked_fill(~inside, -torch.inf), dim=-1)


def gauss(distance, sigma):
    return torch.exp(-(distance**2) / (2 * sigma**2))


def local_weights(scores, position, window):
    distance = distances(scores, position)
    return windowed(scores, distance.abs() <= window) * gauss(distance, window / 2)
