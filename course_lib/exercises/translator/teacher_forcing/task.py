"""The reference, the cases and the hints of `teacher_forcing_pair`."""

import numpy as np
from torch.nn.functional import pad

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import stored


def teacher_forcing_pair(target_ids, start_id, end_id, pad_id):
    """In training the decoder reads the true sentence and has to name the next word, so inputs and
    labels are the same words, shifted by one place: START in front of the inputs, END behind the
    labels. Rows differ in length, so END does not stand in the last column but on the first PAD of
    its row, which the number of words in the row tells.

    Cost: O(B·T), copies only."""
    inputs = pad(target_ids, (1, 0), value=start_id)  # (B, T + 1)
    labels = pad(target_ids, (0, 1), value=pad_id)
    first_free = (target_ids != pad_id).sum(dim=1, keepdim=True)  # (B, 1)
    labels = labels.scatter(1, first_free, end_id)
    return inputs, labels


def draw(s: Sampler, lengths: np.ndarray, specials=None, width: int | None = None) -> Inputs:
    """Sentences of the given lengths, padded to the right; `specials` are START, END, PAD."""
    start, end, padding = (2, 3, 0) if specials is None else specials
    ids = s.integers(10, 60, len(lengths), width or int(max(lengths)))
    ids[np.arange(ids.shape[1]) >= lengths[:, None]] = padding
    return Inputs((ids, start, end, padding))


def ragged(s: Sampler) -> Inputs:
    lengths = np.array([s.size + 2, *s.integers(1, s.size + 2, s.size)])
    return draw(s, s.rng.permutation(lengths))


case = Cases(dtypes=("float64",))
case.example((np.array([[7, 8], [9, 0]]), 1, 2, 0))
case("sentences of different lengths", ragged)
case("sentences without padding", lambda s: draw(s, np.full(s.size, s.size + 1)))
case("sentences of one word", lambda s: draw(s, np.ones(s.size, int)))
case.hidden(
    "special words with any numbers",
    lambda s: draw(s, np.array([s.size + 1, 1, s.size]), (60 + s.rng.permutation(9)[:3]).tolist()),
)
# Padded further than its longest sentence, as when a batch is cut out of a larger one.
case.hidden(
    "more padding than needed", lambda s: draw(s, s.integers(1, s.size + 2, 3), width=s.size + 4)
)
case.hidden(
    "ids stored in another order", lambda s: stored(ragged(s).args, (0, 1), None, None, None)
)

HINTS = (
    "Write one sentence down: reads START le chat PAD, says le chat END PAD. Both have T + 1 "
    "columns.",
    "Inputs: a column of START, then target_ids. Labels: target_ids, then a column of PAD, with "
    "END written over the first PAD of each row.",
    "The first PAD of row b stands at `(target_ids != pad_id).sum(dim=1)[b]`; write there with "
    "`labels[torch.arange(B), lengths] = end_id`.",
)
