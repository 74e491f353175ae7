"""Right answers to exercise 04, each written in another way than the reference."""

import torch
from torch import nn
from torch.nn import functional as F


def scores_by_joint_matrix(state, annotations, W_a, U_a, v_a):
    """One matrix on the joined vector [s; h]: the same numbers in another order."""
    S = annotations.shape[1]
    joined = torch.cat([state.unsqueeze(1).expand(-1, S, -1), annotations], dim=-1)
    return torch.einsum("bsa,a->bs", torch.tanh(joined @ torch.cat([W_a, U_a], 1).T), v_a)


def scores_in_loops(state, annotations, W_a, U_a, v_a):
    """The formula of the paper, once for each pair of state and annotation."""
    rows = []
    for b in range(state.shape[0]):
        row = [v_a @ torch.tanh(W_a @ state[b] + U_a @ h) for h in annotations[b]]
        rows.append(torch.stack(row))
    return torch.stack(rows)


def scores_by_linear(state, annotations, W_a, U_a, v_a, *, activation=torch.tanh):
    query, keys = F.linear(state, W_a), F.linear(annotations, U_a)
    return activation(query.unsqueeze(1) + keys).matmul(v_a.unsqueeze(-1)).squeeze(-1)


class WithNanToNum(nn.Module):
    """`nan_to_num` in place of a second fill."""

    def __init__(self, state_dim, annotation_dim, attention_dim):
        super().__init__()
        self.v_a = nn.Linear(attention_dim, 1, bias=False)
        self.U_a = nn.Linear(annotation_dim, attention_dim, bias=False)
        self.W_a = nn.Linear(state_dim, attention_dim, bias=False)

    def forward(self, state, annotations, mask=None):
        energy = self.v_a(torch.tanh(self.W_a(state).unsqueeze(1) + self.U_a(annotations)))
        energy = energy.squeeze(2)
        if mask is not None:
            energy = energy.masked_fill(mask == 0, float("-inf"))
        weights = torch.nan_to_num(F.softmax(energy, dim=1))
        return torch.bmm(weights.unsqueeze(1), annotations).squeeze(1), weights


class ByHand(nn.Module):
    """The softmax by hand: the mask is a factor, and `clamp` keeps an empty row from 0/0."""

    def __init__(self, n, m, a):
        nn.Module.__init__(self)
        self.W_a, self.U_a = nn.Linear(n, a, bias=False), nn.Linear(m, a, bias=False)
        self.v_a = nn.Linear(a, 1, bias=False)

    def forward(self, s, h, mask=None):
        scores = self.v_a(torch.tanh(self.W_a(s).unsqueeze(1) + self.U_a(h))).squeeze(-1)
        allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
        top = scores.masked_fill(~allowed, -1e30).amax(1, keepdim=True)
        exps = torch.exp((scores - top).clamp(max=0)) * allowed
        weights = exps / exps.sum(1, keepdim=True).clamp(min=1e-12)
        return torch.einsum("bs,bsm->bm", weights, h), weights


class WithWhere(ByHand):
    def forward(self, state, annotations, mask=None):
        scores = self.v_a((self.W_a(state)[:, None, :] + self.U_a(annotations)).tanh())[:, :, 0]
        if mask is None:
            mask = torch.ones_like(scores, dtype=torch.bool)
        filled = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        weights = torch.where(mask, filled.softmax(-1), 0.0)
        return (weights.unsqueeze(-1) * annotations).sum(1), weights


ALTERNATIVES = {
    "additive_scores": [scores_by_joint_matrix, scores_in_loops, scores_by_linear],
    "BahdanauAttention": [WithNanToNum, ByHand, WithWhere],
}
