"""A small language model with the course's names, whose text enters the cell of an answer, and how
`switch_off` is examined on it.

    Attention, Layer, Stack, Small      model.stack.layers[i].self_attention.W_o, .num_heads
"""

import contextlib

import torch


class Attention(torch.nn.Module):
    def __init__(self, matrices, num_heads):
        super().__init__()
        width = matrices.shape[-1]
        self.num_heads, self.head_dim = num_heads, width // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (torch.nn.Linear(width, width) for _ in range(4))
        for linear, matrix in zip((self.W_q, self.W_k, self.W_v, self.W_o), matrices, strict=True):
            linear.weight.data, linear.bias.data = matrix.clone(), matrix.sum(1)

    def forward(self, x):
        q, k, v = (
            linear(x).unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)
            for linear in (self.W_q, self.W_k, self.W_v)
        )
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        weights = (q @ k.mT / self.head_dim**0.5).masked_fill(future, -torch.inf).softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights


class Layer(torch.nn.Module):
    def __init__(self, matrices, num_heads):
        super().__init__()
        self.self_attention = Attention(matrices, num_heads)

    def forward(self, x):
        found, weights = self.self_attention(x)
        return x + found.tanh(), weights


class Stack(torch.nn.Module):
    def __init__(self, matrices, num_heads):
        super().__init__()
        self.layers = torch.nn.ModuleList(Layer(four, num_heads) for four in matrices)

    def forward(self, x):
        maps = []
        for layer in self.layers:
            x, weights = layer(x)
            maps.append(weights)
        return x, maps


class Small(torch.nn.Module):
    """Logits and weights; a token that is not in the table is an error."""

    def __init__(self, table, matrices, num_heads):
        super().__init__()
        self.table = torch.nn.Parameter(table.clone())
        self.stack = Stack(matrices, num_heads)
        self.eval().requires_grad_(False)

    def forward(self, tokens, need_weights=False):
        x, maps = self.stack(self.table[tokens])
        return x @ self.table.T, maps


def logits_without(switch_off, tokens, heads, table, matrices, num_heads):
    return switch_off(Small(table, matrices, num_heads), tokens, heads)


def same_afterwards(switch_off, tokens, heads, table, matrices, num_heads):
    model = Small(table, matrices, num_heads).eval()
    calls = []
    last = model.stack.layers[heads[0][0]].self_attention.W_o
    last.register_forward_pre_hook(lambda *_: calls.append(1))  # somebody else's, who counts
    before = model(tokens)[0]
    switch_off(model, tokens, heads)
    if model.training:
        return "a model in training mode, which it was not"
    calls.clear()
    model(tokens)
    if len(calls) != 1:
        return "a model without a hook that it had before"
    return "the same model" if torch.equal(model(tokens)[0], before) else "another model"


def same_in_training(switch_off, tokens, heads, table, matrices, num_heads):
    model = Small(table, matrices, num_heads).train().requires_grad_()
    switch_off(model, tokens, heads)
    if not model.training:
        return "a model in evaluation mode, which it was not"
    learns = all(one.requires_grad for one in model.parameters())
    return "the same model" if learns else "a model without gradients"


def same_after_an_error(switch_off, tokens, heads, table, matrices, num_heads):
    model = Small(table, matrices, num_heads)
    before = model(tokens)[0]
    with contextlib.suppress(IndexError):  # there is no such token
        switch_off(model, tokens + len(table), heads)
    return "the same model" if torch.equal(model(tokens)[0], before) else "another model"
