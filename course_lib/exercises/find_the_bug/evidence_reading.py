"""Lab 2's evidence for the programs of `reading.py`: loss, padding, heads, and a window."""

import numpy as np
import torch

from course_lib.exercises.allowed import floats, integers, mask, whole
from course_lib.exercises.find_the_bug.evidence import Bug, bug_task
from course_lib.exercises.find_the_bug.reading import HEADS, LOSS, PADDING, WINDOW

LONGEST = 6  # tokens, where a number says how many there are


def next_token_loss_bug():
    """Two shifts cannot be told apart where the next token and the one after it are the same, or
    where the model believes in all tokens alike. Three tokens are enough: the model is sure of the
    next one, which the third differs from. Asked for the next it has a loss near 0, asked for the
    one after it a loss of 9."""
    logits = torch.tensor([[[0.0, 9.0], [9.0, 0.0], [0.0, 0.0]]])
    return "labels = tokens[:, 2:]", (logits, torch.tensor([[0, 1, 0]]))


def _one_row_a_token(logits, tokens):
    if tokens.shape[1] < 2:
        return "A text of one token predicts nothing; two are needed."
    words = logits.shape[-1]
    return f"`tokens` must be below V = {words}." if tokens.max() >= words else ""


def _same_loss(logits, tokens):
    if np.ptp(logits, axis=-1).max() == 0:
        return "all logits of a row are the same, so every label costs the same"
    if (tokens[:, 1:-1] == tokens[:, 2:]).all():
        return "the next token and the one after it are the same everywhere"
    return "both shifts cost the same there"


LOSS_EVIDENCE = bug_task(
    Bug(
        LOSS,
        {"logits": floats("B T V"), "tokens": integers("B T", 0, 1000)},
        dict.fromkeys(
            ("predicted = logits[:, :-2]", "labels = tokens[:, 2:]"), LOSS.mistakes[0].answer
        ),
        _same_loss,
        _one_row_a_token,
    ),
    next_token_loss_bug,
    (
        "Write a text of three tokens, and below each what the model is asked for. Which label "
        "should the first row of the logits have?",
        "Two kinds of token are enough, V = 2. Choose logits that are sure of the next token, so "
        "that the right loss is near 0.",
        "The tokens 0, 1, 0; in the first row of the logits the 1 is high. Both lines with a 2 in "
        "their slice are wrong.",
    ),
    "One call on nine numbers.",
)


def attend_to_words_bug():
    """The mask matters only where there is padding, and padding only where it has taken weight and
    the words have a value to lose. One word with the value 6 and one padding, both with the score
    0: the word has the whole weight, so 6 is right, without any arithmetic. The program takes half
    of it away."""
    one, two = torch.zeros(1, 1, 1), torch.zeros(1, 2, 1)
    mask = torch.tensor([[[True, False]]])
    return "weights = weights.masked_fill(~mask, 0.0)", (one, two, two + 6, mask)


def _same_context(query, key, value, mask):
    if mask.all():
        return "there is no padding in it, so the mask changes nothing"
    if not value.any():
        return "all values are 0, and so is every weighted sum"
    return "what padding takes from the words does not show in the sums"


PADDING_EVIDENCE = bug_task(
    Bug(
        PADDING,
        {
            "query": floats("B T d"),
            "key": floats("B S d"),
            "value": floats("B S d_v"),
            "mask": mask("B 1 S"),
        },
        # The softmax is as wrong: it runs over scores that nobody has masked.
        dict.fromkeys(
            (
                "weights = weights.masked_fill(~mask, 0.0)",
                "weights = torch.softmax(scores, dim=-1)",
            ),
            PADDING.mistakes[0].answer,
        ),
        _same_context,
    ),
    attend_to_words_bug,
    (
        "What must stand beside a word, so that a mask has something to do?",
        "One query, one word, one padding. If the word is the only one that may be seen, its value "
        "is the context, whatever the scores are.",
        "All scores 0, the word's value 6, mask (True, False). Look at the sum of the weights "
        "before the last line.",
    ),
    "One call on seven numbers.",
)


def attend_in_heads_bug():
    """Heads and positions lie in another order, which shows only where there are two of each. One
    key is enough: it has the whole weight, so each row of the output must be the value (1, 10). The
    program gives (1, 1) and (10, 10), the first head and the second."""
    query, key = torch.zeros(1, 2, 2), torch.zeros(1, 1, 2)
    line = "return output.reshape(query.shape)"
    return line, (query, key, torch.tensor([[[1.0, 10.0]]]), 2)


def _heads_divide(query, key, value, num_heads):
    width = query.shape[-1]
    return f"`num_heads` must divide d_model = {width}." if width % num_heads else ""


def _same_order(query, key, value, num_heads):
    if num_heads == 1:
        return "with one head there is no axis in the wrong place"
    if query.shape[1] == 1:
        return "with one query the numbers come out in the same order"
    return "its output has the same numbers in either order"


HEADS_EVIDENCE = bug_task(
    Bug(
        HEADS,
        {
            "query": floats("B T d_model"),
            "key": floats("B S d_model"),
            "value": floats("B S d_model"),
            "num_heads": whole(1, 10),
        },
        {"return output.reshape(query.shape)": HEADS.mistakes[0].answer},
        _same_order,
        _heads_divide,
    ),
    attend_in_heads_bug,
    (
        "Two axes are exchanged. How long must each be for that to show?",
        "One key has all the weight, so every row of the output must be that key's value.",
        "Two queries of zeros, two heads of one feature, one key with the value (1, 10). Which "
        "line has the last word on the order?",
    ),
    "One call on eight numbers.",
)


def recent_keys_bug():
    """An upper end that is one too far shows where a key lies just there: `window` places back. So
    there must be more keys than the window is long. A window of 1 and two keys are the smallest:
    the query must see itself alone."""
    return "return (back >= 0) & (back <= window)", (1, 2, 1)


def _newest_of_all(n_queries, n_keys, window):
    return "" if n_queries <= n_keys else "The queries are the newest of the keys: at most n_keys."


def _same_window(n_queries, n_keys, window):
    return f"the oldest of {n_keys} keys lies {n_keys - 1} back, and the window is {window}"


WINDOW_EVIDENCE = bug_task(
    Bug(
        WINDOW,
        dict.fromkeys(("n_queries", "n_keys", "window"), whole(1, LONGEST)),
        {"return (back >= 0) & (back <= window)": WINDOW.mistakes[0].answer},
        _same_window,
        _newest_of_all,
    ),
    recent_keys_bug,
    (
        "For which window do you know every row without counting?",
        "A window that is as long as the text forbids nothing.",
        "A window of 1 and two keys: the query may see itself alone. The upper end stands in the "
        "last line.",
    ),
    "Three numbers, and a look at one row.",
)

TASKS = (LOSS_EVIDENCE, PADDING_EVIDENCE, HEADS_EVIDENCE, WINDOW_EVIDENCE)
