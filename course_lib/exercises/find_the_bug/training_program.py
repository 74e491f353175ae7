"""Program 9 of lab 2 as it should be: a small language model, and the loop that trains it.

What stands below the imports is the notebook's cell, word for word.
"""

import math

import torch
import torch.nn.functional as F

PADDING = 0


def attend(x, weights):
    """One head of causal self-attention, (B, T, d) to (B, T, d)."""
    names = ("query", "key", "value")
    query, key, value = (x @ weights[name] for name in names)
    scores = query @ key.mT / math.sqrt(x.shape[-1])
    square = torch.ones(x.shape[1], x.shape[1], device=x.device)
    seen = square.tril().bool()
    scores = scores.masked_fill(~seen, float("-inf"))
    return scores.softmax(-1) @ value


def normalised(x):
    """Layer normalization without a gain of its own."""
    return F.layer_norm(x, x.shape[-1:])


def predict(tokens, weights):
    """Logits (B, T, V) of the token after each of `tokens` (B, T)."""
    places = weights["positions"][: tokens.shape[1]]
    x = weights["tokens"][tokens] + places
    x = x + attend(normalised(x), weights)
    x = x + F.relu(normalised(x) @ weights["wide"]) @ weights["narrow"]
    return normalised(x) @ weights["tokens"].mT


def loss_per_token(logits, labels):
    """The mean cross-entropy of labels (B, T) that are no padding."""
    labels = labels.flatten()
    each = F.cross_entropy(logits.flatten(0, 1), labels, reduction="none")
    real = labels != PADDING
    return (each * real).sum() / real.sum()


def batches(texts, size):
    """The texts in their order, `size` at a time."""
    for first in range(0, len(texts), size):
        yield texts[first : first + size]


def rate_at(step, peak, warmup):
    """A learning rate that rises for `warmup` steps and then falls."""
    return peak * min((step + 1) / warmup, math.sqrt(warmup / (step + 1)))


def train_language_model(texts, weights, epochs, size, peak):
    """Train on texts, and tell how it went.

    texts    int64 tensor (N, T), padded with zeros on the right
    weights  a dictionary of float tensors: tokens (V, d), positions
             (L, d), query, key and value (d, d), wide (d, f),
             narrow (f, d); they stay as they are
    epochs   how often every text is read
    size     the number of texts in a batch
    peak     the highest learning rate
    returns  float tensor, the loss before each step
    """
    weights = {name: w.clone() for name, w in weights.items()}
    for weight in weights.values():
        weight.requires_grad_()
    optimizer = torch.optim.SGD(weights.values())
    losses = []
    for _ in range(epochs):
        for batch in batches(texts, size):
            optimizer.zero_grad()
            logits = predict(batch[:, :-1], weights)
            loss = loss_per_token(logits, batch[:, 1:])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(list(weights.values()), 1.0)
            for group in optimizer.param_groups:
                group["lr"] = rate_at(len(losses), peak, 10)
            optimizer.step()
            losses.append(loss.detach())
    return torch.stack(losses)
