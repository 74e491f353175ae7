"""What goes wrong in `teacher_forcing_pair`, with what a student is told."""

from torch.nn.functional import pad

from course_lib.checker.tasks import Mistakes


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


MISTAKES = Mistakes(teacher_forcing_pair)
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
