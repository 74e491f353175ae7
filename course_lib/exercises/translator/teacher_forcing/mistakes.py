"""What goes wrong in `teacher_forcing_pair`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import changes_input, family
from course_lib.exercises.translator.teacher_forcing.task import teacher_forcing_pair

MISTAKES = Mistakes(teacher_forcing_pair, globals())
OVER_THE_FIRST = "target_ids.index_fill(1, target_ids.new_zeros(1), start_id)"
MISTAKES.change(
    "start-over-the-first-word", "pad(target_ids, (1, 0), value=start_id)", OVER_THE_FIRST
).says("""
    START stands in the place of the first word, which the decoder then never reads. Put it in front
    of the sentence: the inputs are one longer.
""")
MISTAKES.change(
    "start-over-the-first-word-and-no-end",
    "pad(target_ids, (1, 0), value=start_id)",
    OVER_THE_FIRST,
    "    labels = labels.scatter(1, first_free, end_id)\n",
    "",
    "pad(target_ids, (0, 1), value=pad_id)",
    "target_ids",
).says("""
    Both must be one longer than the sentence: START in front of the inputs, where yours replaces
    the first word, and END behind the labels.
""")
MISTAKES.change(
    "start-twice",
    "return inputs, labels",
    "return pad(inputs[:, :-1], (1, 0), value=start_id), inputs",
).says("""
    You put START in front of a target that has it already. The decoder then spends one step on
    saying START, and END has no place left. The labels begin with the first word and hold END.
""")
sentence = """
    You put START in front twice. The inputs begin with one START, and the labels with the first
    word.
"""
MISTAKES.change("two-starts", "return inputs", "return pad(inputs, (1, 0), value=start_id)").says(
    sentence
)
MISTAKES.change(
    "two-starts-cut", "return inputs", "return pad(inputs[:, :-1], (1, 0), value=start_id)"
).says(sentence)
for name, end in (("two-starts-in-both", ""), ("two-starts-in-both-cut", "[:, :-1]")):
    MISTAKES.change(
        name,
        "return inputs, labels",
        f"return tuple(pad(one, (1, 0), value=start_id){end} for one in (inputs, labels))",
    ).says(sentence)
MISTAKES.change(
    "labels-with-start",
    "return inputs, labels",
    "return inputs, pad(labels[:, :-1], (1, 0), value=start_id)",
).says("""
    Your labels begin with START. The first label is the first word: START is what the decoder reads
    before it.
""")
MISTAKES.change(
    "shifted-twice",
    "return inputs, labels",
    "return inputs, pad(labels[:, 1:], (0, 1), value=pad_id)",
).says("""
    Your labels run two words ahead of the inputs. When the decoder reads START, the label is the
    first word.
""")
MISTAKES.change(
    "rolled", "return inputs, labels", "return inputs, inputs.roll(-1, dims=1)"
).says("""
    `roll` turns round: START comes back at the end of the labels, and END is in none of them.
""")
MISTAKES.change("end-one-late", "(target_ids != pad_id)", "(inputs[:, :-1] != pad_id)").says("""
    END stands one place too far right: the number of words in a row of targets is already the
    column of its END.
""")
MISTAKES.change(
    "end-at-the-edge",
    "labels.scatter(1, first_free, end_id)",
    "pad(target_ids, (0, 1), value=end_id)",
).says("""
    You put END into the last column, behind the padding. It comes right after the last word of each
    sentence.
""")
MISTAKES.change("no-end", "labels.scatter(1, first_free, end_id)", "labels").says("""
    Your labels have no END, so the decoder never learns to stop. Put it right after the last word
    of each sentence.
""")
MISTAKES.change(
    "end-in-inputs",
    "return inputs, labels",
    "return pad(labels[:, :-1], (1, 0), value=start_id), labels",
).says("""
    Your inputs contain END. The decoder never reads END: after the last word come only PADs.
""")
MISTAKES.change(
    "pad-lost",
    "return inputs, labels",
    "return inputs, labels.masked_fill(labels == pad_id, end_id)",
).says("""
    You turned all padding of the labels into END. Only the place after the last word is END; the
    rest stays PAD.
""")
MISTAKES.change(
    "end-in-every-row",
    "labels = labels.scatter(1, first_free, end_id)",
    "labels = labels.clone(); labels[:, first_free[:, 0]] = end_id",
).says("""
    END stands in the columns of all sentences' ends in every row. `labels[:, n]` means all rows;
    you want row b with its own n: `labels[torch.arange(B), n]`.
""")
MISTAKES.change(
    "first-pad-by-argmax",
    "(target_ids != pad_id).sum(dim=1, keepdim=True)",
    "(target_ids == pad_id).int().argmax(dim=1, keepdim=True)",
).says("""
    The first PAD of a row is not there to be found in the longest sentence: `argmax` of nothing is
    0, and END takes the place of its first word. Count the words of the row instead, or look in
    labels, which have one column more.
""")
MISTAKES.change(
    "end-one-early", "labels.scatter(1, first_free,", "labels.scatter(1, first_free - 1,"
).says("""
    END stands one place too far left, on the last word. The number of words in a row is already the
    column of its END: the first word has column 0.
""")
MISTAKES.change("above-pad", "(target_ids != pad_id)", "(target_ids > pad_id)").says("""
    You take every id above PAD for a word. PAD may be any number: compare with `!= pad_id`.
""")
MISTAKES.change(
    "one-tensor",
    "labels = labels.scatter(1, first_free, end_id)",
    "inputs = labels = inputs.scatter(1, first_free, end_id)",
).says("""
    Inputs and labels are one tensor under two names (`inputs = labels = …`), so what you write into
    one stands in the other. Make two.
""")
MISTAKES.change(
    "first-length", "scatter(1, first_free,", "scatter(1, first_free[:1].expand_as(first_free),"
).says("""
    You put END after the length of the first sentence in every row. Each sentence has its own
    length.
""")
MISTAKES.change(
    "no-start", "return inputs, labels", "return pad(target_ids, (0, 1), value=pad_id), labels"
).says("""
    Your inputs do not begin with START. The decoder needs something to read before the first word.
""")
MISTAKES.change("too-short", "return inputs, labels", "return inputs[:, :-1], target_ids").says("""
    Your pair has T columns. It has T + 1, so that inputs hold START and all words, and labels all
    words and END.
""")

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
    """START stands in the last column of the labels, as where `roll` brings it round, or the new
    column is filled with it. That column holds PAD, or the END of a full row.""",
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
MISTAKES.change(
    "labels-not-shifted", "return inputs, labels", "return inputs, inputs.clone()"
).says(
    """
    Your labels are the inputs: each word is to name itself, and START to name START. A label is the
    next word: the sentence without START, moved one place to the left, with END behind its last
    word.
"""
)
