"""Right answers to exercise 03, each written in another way than the reference."""

import numpy as np


def contexts_in_loops(attention_matrix, hidden_states):
    """A sum of weighted states for each target word."""
    rows = [
        sum(weight * state for weight, state in zip(row, hidden_states, strict=True))
        for row in attention_matrix
    ]
    return np.array(rows)


def contexts_by_einsum(attention_matrix, hidden_states):
    """The letters say it: t stays, d stays, s is summed over."""
    return np.einsum("ts,sd->td", attention_matrix, hidden_states)


def contexts_by_broadcasting(matrix, states):
    return (matrix[..., None] * states[None]).sum(axis=1)


def output_by_split_matrix(context, state, W_c, W_o, b_o):
    """W_c in two parts, one for the context and one for the state: nothing has to be joined."""
    d_c = context.shape[1]
    s = np.tanh(context @ W_c[:, :d_c].T + state @ W_c[:, d_c:].T)
    out = s @ W_o.T
    out += b_o
    out -= out.max(axis=1, keepdims=True)
    np.exp(out, out=out)
    return out / out.sum(axis=1, keepdims=True)


def output_sentence_by_sentence(context, state, W_c, W_o, b_o):
    """As the paper writes it, W x for one column, and a loop over the batch."""
    rows = []
    for c, s in zip(context, state, strict=True):
        logits = W_o @ np.tanh(W_c @ np.hstack((c, s))) + b_o
        top = logits.max()
        rows.append(np.exp(logits - top - np.log(np.exp(logits - top).sum())))
    return np.vstack(rows)


def output_by_einsum(context, state, W_c, W_o, b_o, axis=1):
    joined = np.concatenate((context, state), axis)
    logits = np.einsum("va,ba->bv", W_o, np.tanh(np.einsum("ad,bd->ba", W_c, joined))) + b_o
    exps = np.exp(logits - logits.max(axis, keepdims=True))
    return exps / exps.sum(axis, keepdims=True)


def align_in_loops(attention_matrix, source_words, target_words):
    """The largest by hand: `>`, not `>=`, keeps the left one of equals."""
    pairs = []
    for t in range(len(target_words)):
        best = 0
        for s in range(1, len(source_words)):
            if attention_matrix[t, s] > attention_matrix[t, best]:
                best = s
        pairs.append((target_words[t], source_words[best]))
    return pairs


def align_by_zip(attention_matrix, source_words, target_words):
    best = np.array(source_words)[np.argmax(attention_matrix, axis=-1)]
    return list(zip(target_words, best.tolist(), strict=True))


def align_with_max(matrix, source, target):
    """Python's own `max`, and `index`, which finds the first."""
    rows = matrix.tolist()
    return [(word, source[row.index(max(row))]) for word, row in zip(target, rows, strict=True)]


def align_with_numpy_words(matrix, source, target):
    return list(zip(target, np.array(source)[matrix.argmax(1)], strict=True))


ALTERNATIVES = {
    "context_vectors": [contexts_in_loops, contexts_by_einsum, contexts_by_broadcasting],
    "decoder_output": [
        output_by_split_matrix,
        output_sentence_by_sentence,
        output_by_einsum,
    ],
    "align": [align_in_loops, align_with_max, align_by_zip, align_with_numpy_words],
}
