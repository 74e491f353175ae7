"""Right answers to exercise 05, each written in another way than the reference."""

import math

import torch


def scores_by_einsum(state, memory, method, W_a=None, v_a=None):
    """Three formulas as letters; for concat, W_a in two parts in place of joined vectors."""
    if method == "dot":
        return torch.einsum("bd,bsd->bs", state, memory)
    if method == "general":
        return torch.einsum("bd,de,bse->bs", state, W_a, memory)
    if method == "concat":
        d = state.shape[1]
        hidden = torch.tanh((state @ W_a[:, :d].T).unsqueeze(1) + memory @ W_a[:, d:].T)
        return torch.einsum("bsa,a->bs", hidden, v_a)
    raise ValueError(f"method is {method!r}; give dot, general or concat.")


def scores_in_loops(state, memory, method, W_a=None, v_a=None):
    """The three formulas for one pair, then two loops."""

    def one(s, h):
        if method == "dot":
            return (s * h).sum()
        if method == "general":
            return s @ (W_a @ h)
        return v_a @ torch.tanh(W_a @ torch.cat((s, h)))

    if method not in {"dot", "general", "concat"}:
        raise ValueError("unknown method")
    return torch.stack(
        [torch.stack([one(s, h) for h in hs]) for s, hs in zip(state, memory, strict=True)]
    )


def scores_by_bmm(state, memory, method, W_a=None, v_a=None, **unused):
    match method:
        case "dot":
            return torch.bmm(memory, state.unsqueeze(2)).squeeze(2)
        case "general":
            return torch.bmm(memory @ W_a.t(), state.unsqueeze(2)).squeeze(2)
        case "concat":
            states = state.unsqueeze(1).repeat(1, memory.size(1), 1)
            return torch.matmul(torch.tanh(torch.cat((states, memory), 2).matmul(W_a.t())), v_a)
        case _:
            raise ValueError


def local_by_loops(scores, position, window):
    """Sentence by sentence, with a softmax over nothing but the words inside."""
    rows = []
    for b in range(scores.shape[0]):
        near = [s for s in range(scores.shape[1]) if abs(s - float(position[b])) <= window]
        weights = torch.softmax(scores[b, near], dim=0)
        row = torch.zeros_like(scores[b])
        for w, s in zip(weights, near, strict=True):
            bell = torch.exp(-2 * ((s - position[b]) / window) ** 2)
            row = row + torch.nn.functional.one_hot(torch.tensor(s), len(row)) * (w * bell)
        rows.append(row)
    return torch.stack(rows).to(scores.dtype)


def local_by_exponentials(scores, position, window):
    """The softmax by hand: the window is a factor of its exponentials."""
    places = torch.arange(scores.size(1), dtype=scores.dtype)[None]
    distance = (places - position.unsqueeze(1)).abs()
    inside = distance <= window
    top = scores.masked_fill(~inside, -torch.inf).amax(dim=1, keepdim=True)
    exps = torch.exp(torch.where(inside, scores - top, -torch.inf))
    sigma = window / 2
    bell = (-distance.pow(2) / (2 * sigma**2)).exp()
    return exps / exps.sum(dim=1, keepdim=True) * bell


def local_with_a_constant(scores, position, window):
    s = torch.arange(scores.shape[-1]).expand_as(scores)
    outside = ((s - position[:, None]) > window) | ((s - position[:, None]) < -window)
    weights = torch.where(outside, torch.tensor(-1e9, dtype=scores.dtype), scores).softmax(-1)
    density = torch.distributions.Normal(position[:, None], window / 2, validate_args=False)
    bell = density.log_prob(s) + math.log(window / 2) + 0.5 * math.log(2 * math.pi)
    return weights * bell.exp()


ALTERNATIVES = {
    "luong_scores": [scores_by_einsum, scores_in_loops, scores_by_bmm],
    "local_weights": [local_by_exponentials, local_by_loops, local_with_a_constant],
}
