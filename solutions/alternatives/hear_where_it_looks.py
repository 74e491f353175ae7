"""Right answers to lab 7, each written in another way than the reference."""

import itertools

import torch


def times_by_max(weights, step):
    """`max` gives the columns beside the weights."""
    _, columns = weights.max(dim=-1)
    return columns * step + step / 2


def times_from_a_table(weights, step):
    """The middle of each column first, then the one that each row picks."""
    middles = step * (torch.arange(weights.shape[-1]) + 0.5)
    return middles[weights.argmax(-1)]


def times_by_one_hot(weights, step):
    """Whatever equals its row's largest weight; of several the first."""
    largest = weights == weights.amax(-1, keepdim=True)
    first = largest & (largest.cumsum(-1) == 1)
    return (first * (torch.arange(weights.shape[-1]) + 0.5) * step).sum(-1)


def path_with_pointers(weights):
    """Each cell remembers where its best path came from."""
    T, S = weights.shape
    best, came_from = weights[0].tolist(), []
    for t in range(1, T):
        sums, pointers, place = [], [], 0
        for j in range(S):
            if best[j] > best[place]:
                place = j
            sums.append(best[place] + weights[t, j].item())
            pointers.append(place)
        best, came_from = sums, [*came_from, pointers]
    column = best.index(max(best))
    path = [column]
    for pointers in reversed(came_from):
        column = pointers[column]
        path.append(column)
    return torch.tensor(path[::-1])


def path_by_trying_all(weights):
    """Every path that does not go back, from left to right; of equals the first."""
    T, S = weights.shape
    paths = torch.tensor(list(itertools.combinations_with_replacement(range(S), T)))
    return paths[weights.double()[torch.arange(T), paths].sum(1).argmax()]


def path_from_below(weights):
    """The best sum of what is still to come, and the path read from the first row."""
    T, S = weights.shape
    rest = torch.zeros(T + 1, S + 1, dtype=weights.dtype)
    rest[:, S] = -1
    for t in range(T - 1, -1, -1):
        for j in range(S - 1, -1, -1):
            rest[t, j] = torch.maximum(weights[t, j] + rest[t + 1, j], rest[t, j + 1])
    path, j = [], 0
    for t in range(T):
        while weights[t, j] + rest[t + 1, j] < rest[t, j]:
            j += 1
        path.append(j)
    return torch.tensor(path, dtype=torch.int64)


def inside_in_a_loop(times, intervals):
    """Word by word, counted; Python compares three numbers at once."""
    found = 0
    for time, (begin, end) in zip(times.tolist(), intervals.tolist(), strict=True):
        found += begin <= time < end
    return found / len(times)


def inside_in_float32(times, intervals):
    """A mean of ones and zeros in float32, right to seven digits."""
    inside = (intervals[:, 0] <= times) & (times < intervals[:, 1])
    return inside.float().mean().item()


def inside_by_counting(times, intervals):
    """Of two sorted numbers, how many are not beyond the moment: one, where it lies between."""
    return ((intervals <= times[:, None]).sum(1) == 1).double().mean().item()


def words_by_matrices(weights, rows, columns):
    """One matrix says which place belongs to which word; that of the rows is divided."""

    def belongs(groups, length):
        return torch.stack(
            [torch.tensor([float(i in group) for i in range(length)]) for group in groups]
        ).to(weights)

    left, right = belongs(rows, weights.shape[-2]), belongs(columns, weights.shape[-1])
    return left / left.sum(1, keepdim=True) @ weights @ right.mT


def words_in_loops(weights, rows, columns):
    """Cell by cell: all weights of a block, divided by the number of its rows."""
    out = weights.new_zeros(*weights.shape[:-2], len(rows), len(columns))
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            block = weights[..., row, :][..., column]
            out[..., i, j] = block.sum((-2, -1)) / len(row)
    return out


def silence_by_mask(found, heads, num_heads):
    """A number for each head, repeated for its features."""
    keep = found.new_ones(num_heads)
    keep[heads] = 0
    return found * keep.repeat_interleave(found.shape[-1] // num_heads)


def silence_by_slices(found, heads, num_heads):
    """The numbers of a head by their places in the last axis."""
    d, out = found.shape[-1] // num_heads, found.clone()
    for head in heads:
        out[:, :, head * d : (head + 1) * d] = 0
    return out


ALTERNATIVES = {
    "peak_times": [times_by_max, times_from_a_table, times_by_one_hot],
    "monotone_path": [path_with_pointers, path_from_below, path_by_trying_all],
    "share_inside": [inside_in_a_loop, inside_by_counting, inside_in_float32],
    "words_from_pieces": [words_by_matrices, words_in_loops],
    "silence": [silence_by_mask, silence_by_slices],
}
