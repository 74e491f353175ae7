"""Right answers to exercise 06, each written in another way than the reference."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


def pair_row_by_row(target_ids, start_id, end_id, pad_id):
    """Lists: the words of a row without its padding, and START or END beside them."""
    inputs, labels = [], []
    for row in target_ids.tolist():
        words = [i for i in row if i != pad_id]
        rest = [pad_id] * (len(row) - len(words))
        inputs.append([start_id, *words, *rest])
        labels.append([*words, end_id, *rest])
    return torch.tensor(inputs), torch.tensor(labels)


def pair_by_indexing(target_ids, start_id, end_id, pad_id):
    """Two tables of PAD, filled by slices; END goes where the words of a row end."""
    B, T = target_ids.shape
    inputs = target_ids.new_full((B, T + 1), pad_id)
    labels = inputs.clone()
    inputs[:, 0] = start_id
    inputs[:, 1:] = target_ids
    labels[:, :-1] = target_ids
    labels[torch.arange(B), target_ids.ne(pad_id).sum(-1)] = end_id
    return inputs, labels


def pair_by_padding(target_ids, start_id, end_id, pad_id):
    inputs = F.pad(target_ids, (1, 0), value=start_id)
    labels = F.pad(target_ids, (0, 1), value=pad_id)
    is_first_pad = (labels == pad_id).cumsum(1) == 1
    return inputs, labels.masked_fill(is_first_pad & (labels == pad_id), end_id)


def loss_with_ignore_index(logits, labels, pad_id):
    """torch's own loss, which leaves out a label and divides by the words that are left."""
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=pad_id)


def loss_by_module(logits, labels, pad_id, reduction="mean"):
    criterion = nn.CrossEntropyLoss(ignore_index=pad_id, reduction=reduction)
    return criterion(logits.permute(0, 2, 1), labels)


def loss_by_log_sum_exp(logits, labels, pad_id):
    """−log p = log Σ exp(logits) − the true word's logit; the mask is a factor."""
    true = torch.gather(logits, 2, labels.unsqueeze(2)).squeeze(2)
    surprise = torch.logsumexp(logits, dim=2) - true
    mask = (labels != pad_id).to(logits.dtype)
    return (surprise * mask).sum() / mask.sum()


def loss_in_loops(logits, labels, pad_id):
    total, count = 0.0, 0
    for sentence, words in zip(logits, labels, strict=True):
        for row, word in zip(sentence, words, strict=True):
            if word != pad_id:
                total = total - torch.log_softmax(row, dim=0)[word]
                count += 1
    return total / count


@torch.no_grad()
def decode_into_a_tensor(step, state, start_id, end_id, max_length):
    B = state.size(0)
    out = torch.full((B, max_length), end_id, dtype=torch.long)
    tokens = torch.tensor([start_id] * B)
    done = torch.zeros(B, dtype=torch.bool)
    length = 0
    for t in range(max_length):
        logits, state = step(tokens, state)
        tokens = logits.max(dim=-1).indices
        out[~done, t] = tokens[~done]
        done |= tokens == end_id
        length = t + 1
        if done.all():
            break
    return out[:, :length]


def decode_with_lists(step, state, start_id, end_id, max_length):
    """A list of words for each sentence, which itself shows whether it has ended."""
    words = [[] for _ in range(state.shape[0])]
    tokens = torch.full((state.shape[0],), start_id, dtype=torch.int64)
    for _ in range(max_length):
        logits, state = step(tokens, state)
        best = logits.numpy().argmax(axis=1).tolist()
        for row, word in zip(words, best, strict=True):
            row.append(end_id if end_id in row else word)
        tokens = torch.tensor([row[-1] for row in words])
        if all(end_id in row for row in words):
            break
    return torch.tensor(words)


def decode_all_then_trim(step, state, start_id, end_id, max_length):
    """Go on to the limit, then write END over what follows an END, and trim."""
    columns, tokens = [], torch.full((len(state),), start_id)
    for _ in range(max_length):
        logits, state = step(tokens, state)
        tokens = torch.argmax(torch.softmax(logits, dim=-1), dim=-1)
        columns.append(tokens)
    words = torch.stack(columns, dim=1)
    seen = (words == end_id).long().cumsum(1)
    words = torch.where(seen > 0, torch.full_like(words, end_id), words)
    lengths = (words != end_id).sum(1) + 1
    return words[:, : min(int(lengths.max()), max_length)]


def rate_by_counting(predicted, sure, possible):
    """Count the links that are in S, and those that are in P."""
    if len(predicted) + len(sure) == 0:
        return 0.0
    in_sure = sum(1 for link in predicted if link in sure)
    in_possible = sum(link in possible for link in predicted)
    return 1.0 - (in_sure + in_possible) / (len(predicted) + len(sure))


def rate_by_intersection(predicted, sure, possible):
    """What was missed, over everything: 1 − found/total with one division."""
    total = len(predicted) + len(sure)
    found = len(predicted.intersection(sure)) + len(predicted.intersection(possible))
    return (total - found) / total if total else 0.0


def rate_with_a_whole_zero(predicted, sure, possible):
    if not (predicted or sure):
        return 0
    found = len(predicted & sure) + len(predicted & possible)
    return np.float32(1 - found / (len(predicted) + len(sure)))


def rate_in_numpy(predicted, sure, possible):
    total = np.float64(len(predicted) + len(sure))
    if total == 0:
        return 0.0
    return 1 - (len(predicted & sure) + len(predicted & possible)) / total


ALTERNATIVES = {
    "teacher_forcing_pair": [pair_row_by_row, pair_by_indexing, pair_by_padding],
    "sequence_loss": [
        loss_with_ignore_index,
        loss_by_log_sum_exp,
        loss_by_module,
        loss_in_loops,
    ],
    "greedy_decode": [decode_with_lists, decode_all_then_trim, decode_into_a_tensor],
    "alignment_error_rate": [
        rate_by_counting,
        rate_by_intersection,
        rate_in_numpy,
        rate_with_a_whole_zero,
    ],
}
