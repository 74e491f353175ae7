"""Further slips in `teacher_forcing_pair`."""

import torch

from course_lib.exercises.common import changes_input, family
from course_lib.exercises.translator.teacher_forcing_mistakes import MISTAKES, teacher_forcing_pair

MISTAKES.change(
    "not-shifted", "return inputs, labels", "return (pad(labels, (1, 0), value=start_id),) * 2"
).says("""
    Inputs and labels are the same here, both START … END. Labels run one word ahead of inputs.
""")
MISTAKES.change("swapped", "return inputs, labels", "return labels, inputs").says(
    "You return the labels first. The order is `inputs, labels`."
)
sentence = """
    You write numbers for START, END or PAD into your code. Use the arguments.
"""
MISTAKES.by("fixed-ids", lambda ids, *_: teacher_forcing_pair(ids, 2, 3, 0)).says(sentence)
MISTAKES.by("fixed-ids-of-the-example", lambda ids, *_: teacher_forcing_pair(ids, 1, 2, 0)).says(
    sentence
)
MISTAKES.by("zero-is-padding", lambda ids, s, e, _: teacher_forcing_pair(ids, s, e, 0)).says(
    sentence
)
MISTAKES.change("floats", "return inputs, labels", "return inputs.float(), labels.float()").says("""
    Your ids are floats. Ids stay int64: build new columns with torch.full_like(…) or
    dtype=torch.int64.
""")
MISTAKES.change("as-list", "return inputs, labels", "return [inputs, labels]").says(
    "You return a list. Return a tuple: `return inputs, labels`."
)
MISTAKES.by("stacked", lambda *args: torch.stack(teacher_forcing_pair(*args))).says("""
    You return one stacked tensor. Return a tuple of two: `return inputs, labels`.
""")
family(
    MISTAKES,
    """Your labels begin with START, and END stands on the last word. Labels are the words
    themselves, without START, and END comes after them.""",
    start_in_labels=("labels = labels.scatter(", "labels = inputs.scatter("),
)
family(
    MISTAKES,
    """END stands one place too far right. The number of words in a row is the column of its
    END: columns count from 0.""",
    end_one_later=(
        "labels = labels.scatter(1, first_free, end_id)",
        "labels = pad(labels, (0, 1), value=pad_id).scatter(1, first_free + 1, end_id)[:, :-1]",
    ),
    end_two_later=(
        "labels = labels.scatter(1, first_free, end_id)",
        "labels = pad(labels, (0, 2), value=pad_id).scatter(1, first_free + 2, end_id)[:, :-2]",
    ),
)
MISTAKES.change("end-one-late-and-no-room", "first_free, end_id", "first_free + 1, end_id").says("""
    You write END one place too far right: the longest sentence has no such column. Columns count
    from 0, so the number of words in a row is already the column of its END.
""")
family(
    MISTAKES,
    """You cut words off. Nothing is cut: START comes in front of all words, and END behind
    them, so both have T + 1 columns.""",
    words_cut=("return inputs, labels", "return target_ids[:, :-1], target_ids[:, 1:]"),
    inputs_cut=("return inputs, labels", "return inputs[:, :-1], labels"),
    labels_cut=("return inputs, labels", "return inputs, target_ids"),
    both_cut=("return inputs, labels", "return inputs[:, :-1], labels[:, :-1]"),
    words_cut_in_inputs=("return inputs, labels", "return target_ids, labels"),
)
family(
    MISTAKES,
    """A sentence that fills its row gets no END, for it has no PAD whose place END could take.
    Give the labels their additional column first, then put END.""",
    full_rows_without_end=(
        "labels = labels.scatter(1, first_free, end_id)",
        "labels = labels.scatter(1, first_free, end_id)"
        ".where(first_free < target_ids.shape[1], labels)",
    ),
)
family(
    MISTAKES,
    """In a sentence that fills its row END takes the place of the last word. Give the labels
    their additional column first: END stands in column n of a sentence with n words.""",
    end_on_the_last_word=(
        "labels.scatter(1, first_free, end_id)",
        "labels.scatter(1, first_free.clamp(max=target_ids.shape[1] - 1), end_id)",
    ),
)
family(
    MISTAKES,
    """`roll` turns round: START comes back in the last column of the labels. That column holds
    PAD, or the END of a full row.""",
    rolled_with_end=(
        "labels = labels.scatter(",
        "labels = inputs.roll(-1, dims=1).scatter(",
    ),
)
family(
    MISTAKES,
    """You join along the rows, as if START and END were sentences of their own. They are
    columns: `torch.cat([start, target_ids], dim=1)` with `start` of shape (B, 1).""",
    joined_as_rows=(
        "return inputs, labels",
        "return (pad(target_ids, (0, 0, 1, 0), value=start_id), "
        "pad(target_ids, (0, 0, 0, 1), value=end_id))",
    ),
    joined_as_rows_with_pad=(
        "return inputs, labels",
        "return (pad(target_ids, (0, 0, 1, 0), value=start_id), "
        "pad(target_ids, (0, 0, 0, 1), value=pad_id))",
    ),
)
family(
    MISTAKES,
    """You write a number for one of START, END and PAD into your code, also by `zeros` or
    `ones`. Use the arguments: `torch.full((B, 1), start_id)`.""",
    start_is_one=("(1, 0), value=start_id", "(1, 0), value=1"),
    start_is_zero=("(1, 0), value=start_id", "(1, 0), value=0"),
    end_is_one=("first_free, end_id", "first_free, 1"),
    end_is_two=("first_free, end_id", "first_free, 2"),
    new_column_is_zero=("value=pad_id", "value=0"),
)
family(
    MISTAKES,
    """PAD stands between the words and END, or END before them: your columns are in another
    order. Labels are the words, then END, then PAD.""",
    end_first=("return inputs, labels", "return inputs, pad(target_ids, (1, 0), value=end_id)"),
)
family(
    MISTAKES,
    """START stands at the right, behind the words. It is the first word that the decoder hears:
    `torch.cat([start, target_ids], dim=1)`.""",
    start_last=(
        "pad(target_ids, (1, 0), value=start_id)",
        "pad(target_ids, (0, 1), value=start_id)",
    ),
)
family(
    MISTAKES,
    """END stands in one column for all rows. Each row has its own length, and END comes right after
    its own last word: `labels[torch.arange(B), lengths] = end_id`.""",
    end_behind_the_longest=(
        "first_free, end_id",
        "first_free.amax().expand_as(first_free), end_id",
    ),
    end_behind_the_shortest=(
        "first_free, end_id",
        "first_free.amin().expand_as(first_free), end_id",
    ),
)
changes_input(MISTAKES, "target_ids")
