"""Task `teacher_forcing_pair`: what the decoder reads, and what it must say next."""

import numpy as np
import torch

from course_lib.exercises.common import changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def teacher_forcing_pair(target_ids, start_id, end_id, pad_id):
    edge = torch.full_like(target_ids[:, :1], pad_id)  # (B, 1)
    inputs = torch.cat([torch.full_like(edge, start_id), target_ids], dim=1)
    labels = torch.cat([target_ids, edge], dim=1)
    first_free = (target_ids != pad_id).sum(dim=1, keepdim=True)  # (B, 1)
    return inputs, labels.scatter(1, first_free, end_id)


def draw(s: Sampler, lengths: np.ndarray, specials=None, width: int | None = None) -> Inputs:
    """Sentences of the given lengths, padded to the right; `specials` are START, END, PAD."""
    start, end, pad = (2, 3, 0) if specials is None else specials
    ids = s.integers(10, 60, len(lengths), width or int(max(lengths)))
    ids[np.arange(ids.shape[1]) >= lengths[:, None]] = pad
    return Inputs((ids, start, end, pad))


def ragged(s: Sampler) -> Inputs:
    lengths = np.array([s.size + 2, *s.integers(1, s.size + 2, s.size)])
    return draw(s, s.rng.permutation(lengths))


def full(s: Sampler) -> Inputs:
    return draw(s, np.full(s.size, s.size + 1))


def other_ids(s: Sampler) -> Inputs:
    """Special words may have any number."""
    specials = tuple(int(i) for i in 60 + s.rng.permutation(9)[:3])
    return draw(s, np.array([s.size + 1, 1, s.size]), specials)


def one_word(s: Sampler) -> Inputs:
    return draw(s, np.ones(s.size, int))


def wider(s: Sampler) -> Inputs:
    """Padded further than its longest sentence, as when a batch is cut out of a larger one."""
    return draw(s, s.integers(1, s.size + 2, 3), width=s.size + 4)


def strided(s: Sampler) -> Inputs:
    ids, *specials = ragged(s).args
    return Inputs((Transposed(ids, (0, 1)), *specials))


def _joined(target_ids, before, after):
    """The target with one column before it and one after it, each a list of ids or nothing."""
    column = torch.ones_like(target_ids[:, :1])
    return torch.cat([*(column * i for i in before), target_ids, *(column * i for i in after)], 1)


def _start_twice(target_ids, start_id, end_id, pad_id):
    inputs, _ = teacher_forcing_pair(target_ids, start_id, end_id, pad_id)
    return _joined(inputs[:, :-1], [start_id], []), inputs


def _shifted_twice(target_ids, start_id, end_id, pad_id):
    inputs, labels = teacher_forcing_pair(target_ids, start_id, end_id, pad_id)
    return inputs, _joined(labels[:, 1:], [], [pad_id])


def _end_at_the_edge(target_ids, start_id, end_id, pad_id):
    return _joined(target_ids, [start_id], []), _joined(target_ids, [], [end_id])


def _no_end(target_ids, start_id, end_id, pad_id):
    return _joined(target_ids, [start_id], []), _joined(target_ids, [], [pad_id])


def _end_in_inputs(target_ids, start_id, end_id, pad_id):
    _, labels = teacher_forcing_pair(target_ids, start_id, end_id, pad_id)
    return _joined(labels[:, :-1], [start_id], []), labels


def _labels_with_start(target_ids, start_id, end_id, pad_id):
    inputs, labels = teacher_forcing_pair(target_ids, start_id, end_id, pad_id)
    return inputs, _joined(labels[:, :-1], [start_id], [])


def _full_sentence(target_ids, start_id, end_id, pad_id):
    _, labels = teacher_forcing_pair(target_ids, start_id, end_id, pad_id)
    whole = _joined(labels, [start_id], [])
    return whole, whole


def _too_short(target_ids, start_id, end_id, pad_id):
    inputs, _ = teacher_forcing_pair(target_ids, start_id, end_id, pad_id)
    return inputs[:, :-1], target_ids


def _no_start(target_ids, start_id, end_id, pad_id):
    _, labels = teacher_forcing_pair(target_ids, start_id, end_id, pad_id)
    return _joined(target_ids, [], [pad_id]), labels


def _first_length(target_ids, start_id, end_id, pad_id):
    inputs, _ = teacher_forcing_pair(target_ids, start_id, end_id, pad_id)
    labels = _joined(target_ids, [], [pad_id])
    labels[:, (target_ids[0] != pad_id).sum()] = end_id
    return inputs, labels


def _pad_lost(target_ids, start_id, end_id, pad_id):
    inputs, labels = teacher_forcing_pair(target_ids, start_id, end_id, pad_id)
    return inputs, torch.where(labels == pad_id, end_id, labels)


def _on_pair(change):
    return lambda *args: change(*teacher_forcing_pair(*args))


TEACHER_FORCING_PAIR = Task(
    name="teacher_forcing_pair",
    points=2,
    reference=teacher_forcing_pair,
    idea=(
        "In training the decoder reads the true sentence and has to name the next word, so "
        "inputs and labels are the same words, shifted by one place: START in front of the "
        "inputs, END behind the labels. Rows differ in length, so END does not stand in the "
        "last column but on the first PAD of its row, which the number of words in the row "
        "tells."
    ),
    cost="O(B·T), copies only.",
    cases=(
        Case("sentences of different lengths", ragged, dtypes=("float64",)),
        Case("sentences without padding", full, dtypes=("float64",)),
        Case("sentences of one word", one_word, dtypes=("float64",)),
        Case("special words with any numbers", other_ids, hidden=True, dtypes=("float64",)),
        Case("more padding than needed", wider, hidden=True, dtypes=("float64",)),
        Case("ids stored in another order", strided, hidden=True, dtypes=("float64",)),
    ),
    mistakes=(
        Mistake(
            "start-twice",
            "You put START in front of a target that has it already. The decoder then spends one "
            "step on saying START, and END has no place left. The labels begin with the first "
            "word and hold END.",
            _start_twice,
        ),
        Mistake(
            "labels-with-start",
            "Your labels begin with START. The first label is the first word: START is what the "
            "decoder reads before it.",
            _labels_with_start,
        ),
        Mistake(
            "shifted-twice",
            "Your labels run two words ahead of the inputs. When the decoder reads START, the "
            "label is the first word.",
            _shifted_twice,
        ),
        Mistake(
            "end-at-the-edge",
            "You put END into the last column, behind the padding. It comes right after the last "
            "word of each sentence.",
            _end_at_the_edge,
        ),
        Mistake(
            "no-end",
            "Your labels have no END, so the decoder never learns to stop. Put it right after the "
            "last word of each sentence.",
            _no_end,
        ),
        Mistake(
            "end-in-inputs",
            "Your inputs contain END. The decoder never reads END: after the last word come only "
            "PADs.",
            _end_in_inputs,
        ),
        Mistake(
            "pad-lost",
            "You turned all padding of the labels into END. Only the place after the last word is "
            "END; the rest stays PAD.",
            _pad_lost,
        ),
        Mistake(
            "first-length",
            "You put END after the length of the first sentence in every row. Each sentence has "
            "its own length.",
            _first_length,
        ),
        Mistake(
            "no-start",
            "Your inputs do not begin with START. The decoder needs something to read before the "
            "first word.",
            _no_start,
        ),
        Mistake(
            "too-short",
            "Your pair has T columns. It has T + 1, so that inputs hold START and all words, and "
            "labels all words and END.",
            _too_short,
        ),
        Mistake(
            "not-shifted",
            "Inputs and labels are the same here, both START … END. Labels run one word ahead of "
            "inputs.",
            _full_sentence,
        ),
        Mistake(
            "swapped",
            "You return the labels first. The order is `inputs, labels`.",
            _on_pair(lambda inputs, labels: (labels, inputs)),
        ),
        Mistake(
            "fixed-ids",
            "You use fixed numbers for START, END and PAD. Use the arguments.",
            lambda ids, start_id, end_id, pad_id: teacher_forcing_pair(ids, 2, 3, 0),
        ),
        Mistake(
            "floats",
            "Your ids are floats. Ids stay int64: build new columns with torch.full_like(…) or "
            "dtype=torch.int64.",
            _on_pair(lambda inputs, labels: (inputs.float(), labels.float())),
        ),
        Mistake(
            "as-list",
            "You return a list. Return a tuple: `return inputs, labels`.",
            _on_pair(lambda inputs, labels: [inputs, labels]),
        ),
        Mistake(
            "stacked",
            "You return one stacked tensor. Return a tuple of two: `return inputs, labels`.",
            _on_pair(lambda inputs, labels: torch.stack([inputs, labels])),
        ),
        changes_input(teacher_forcing_pair, 0, "target_ids"),
    ),
    hints=(
        "Write one sentence down: reads START le chat PAD, says le chat END PAD. Both have T + 1 "
        "columns.",
        "Inputs: a column of START, then target_ids. Labels: target_ids, then a column of PAD, "
        "with END written over the first PAD of each row.",
        "The first PAD of row b stands at `(target_ids != pad_id).sum(dim=1)[b]`; write there with "
        "`labels[torch.arange(B), lengths] = end_id`.",
    ),
)
