"""The reference, the cases and the hints of `induction_share`."""

import torch


def induction_share(weights, period):
    """In a text that repeats itself, the token of now stood `period` places ago, and what followed
    it one place later. An induction head looks there, so its score is the mean of that diagonal,
    from the first query of the second round on.

    Cost: one weight for each query of the repetition."""
    t = torch.arange(period, weights[0].shape[-1])
    shares = [layer[:, :, t, t - period + 1].mean((0, 2)) for layer in weights]
    return torch.stack(shares)
