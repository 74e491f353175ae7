"""Task `predict_align`: where a stranger's alignment fails, and with which pairs."""

import numpy as np

from course_lib.exercises.allowed import floats, words
from course_lib.exercises.stranger_forms.predict import predict_task
from course_lib.exercises.stranger_forms.shown import ShownProgram, Wrong
from course_lib.exercises.worked_translation.alignment import ALIGN

PAIR = "pairs.append((word, source_words[s]))"
PROGRAM = ShownProgram(
    "align",
    f"""
def align(attention_matrix, source_words, target_words):
    pairs = []
    for t, word in enumerate(target_words):
        row = attention_matrix[t]
        s = row.argmax()
        {PAIR}
    return pairs
""",
    {
        "by-word": Wrong(
            "row = attention_matrix[t]",
            "row = attention_matrix[target_words.index(word)]",
            "You look a word up by its text, which finds the first of repeated words. Keep to "
            "positions until the end.",
        ),
        "one-half": Wrong(
            "s = row.argmax()",
            "s = (row >= 0.5).argmax()",
            "You take the first weight of one half or more, and a row may have none. Take the "
            "largest.",
        ),
        "rounded": Wrong(
            "s = row.argmax()",
            "s = row.round(1).argmax()",
            "You round the weights first, and then several are equal. Compare them as they are.",
        ),
        "first-two": Wrong(
            "s = row.argmax()",
            "s = row[:2].argmax()",
            "You look at the first two source words alone. A row has a weight for each.",
        ),
        "dictionary": Wrong(
            "return pairs",
            "return list(dict(pairs).items())",
            "A dictionary keeps a repeated word only once. Return the list as it is.",
        ),
        "without-doubles": Wrong(
            "return pairs",
            "return [p for n, p in enumerate(pairs) if p not in pairs[:n]]",
            "You drop pairs that occur twice. Each target word gets its tuple, also where the "
            "words are the same.",
        ),
        "sorted": Wrong(
            "return pairs", "return sorted(pairs)", "You sort the pairs. They stay in target order."
        ),
    },
)


RIGHT = [("le", "the"), ("le", "mat"), ("le", "the"), ("chat", "mat")]
THEIRS = {  # on the reference's input, what each stranger's program gives
    "by-word": [("le", "the"), ("le", "the"), ("le", "the"), ("chat", "mat")],
    "one-half": [("le", "the"), ("le", "mat"), ("le", "the"), ("chat", "the")],
    "rounded": [("le", "the"), ("le", "mat"), ("le", "the"), ("chat", "red")],
    "first-two": [("le", "the"), ("le", "red"), ("le", "the"), ("chat", "red")],
    "dictionary": [("le", "the"), ("chat", "mat")],
    "without-doubles": [("le", "the"), ("le", "mat"), ("chat", "mat")],
    "sorted": [("chat", "mat"), ("le", "mat"), ("le", "the"), ("le", "the")],
}


def predict_align():
    """A prediction needs an input on which each line can be followed by eye. So let every occasion
    come in few numbers: target words that repeat, once with another source word and once with the
    same; a row whose largest weight is below one half, close to another, and in the last column.
    Then write down what the right line gives in each row, and what the wrong one does."""
    matrix = np.array([[0.7, 0.2, 0.1], [0.1, 0.2, 0.7], [0.8, 0.1, 0.1], [0.26, 0.36, 0.38]])
    given = matrix, ["the", "red", "mat"], ["le", "le", "le", "chat"]
    return "anybody", given, RIGHT, THEIRS[PROGRAM.drawn("anybody")]


PREDICT = predict_task(
    predict_align,
    (
        "One line of the program is wrong. What should each line give, and for which rows and "
        "words does it give something else?",
        "Occasions for a mistake: a target word that stands twice, two rows that point at one "
        "source word, a largest weight below one half or close to another, a third source word, "
        "pairs that are not in the order of the alphabet.",
        "Three source words and four target words, `le le le chat`, are enough for most; then go "
        "down the rows with the right line and with the wrong one.",
    ),
    "A dozen comparisons by eye.",
    program=PROGRAM,
    task=ALIGN,
    takes={
        "attention_matrix": floats("T S"),
        "source_words": words("S"),
        "target_words": words("T"),
    },
    names={"np": np},
)
