"""What goes wrong in `context_vectors`, in the order in which it is looked for."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input, summed_wrongly
from course_lib.exercises.softmax.plain.task import softmax
from course_lib.exercises.worked_translation.context.task import context_vectors

MISTAKES = Mistakes(context_vectors, globals())
MISTAKES.by("transposed", lambda a, h: a.T @ h).says("""
    You use the matrix transposed. Its rows are target words: row t holds the weights for target
    word t.
""")
MISTAKES.by("states-first", lambda a, h: h @ a).says("""
    The factors are the wrong way round. Weights come first: each row of the matrix blends the rows
    of hidden_states.
""")
MISTAKES.by("result-transposed", lambda a, h: (a @ h).T).says("""
    The result is transposed. It needs a row for each target word: (T, d).
""")
MISTAKES.by("renormalised", lambda a, h: (a / a.sum(axis=1, keepdims=True)) @ h).says("""
    You divide each row by its sum: a row of zeros becomes nan. Use the weights as they come.
""")
MISTAKES.by("softmax-again", lambda a, h: softmax(a) @ h).says("""
    You put the rows through a softmax, but they are weights already. Use them as they come.
""")
MISTAKES.by("largest-only", lambda a, h: h[a.argmax(axis=1)]).says("""
    You pick the hidden state with the largest weight. A context vector blends all of them, each
    times its weight.
""")
MISTAKES.by("first-row", lambda a, h: np.repeat(a[:1] @ h, len(a), axis=0)).says("""
    You use the first row of weights for every target word. Row t belongs to word t.
""")
MISTAKES.by(
    "weights-ignored", lambda a, h: np.repeat(h.mean(axis=0, keepdims=True), len(a), axis=0)
).says("""
    You average the hidden states and leave the weights out. Multiply each by its weight.
""")
MISTAKES.by("list-of-rows", lambda a, h: [row @ h for row in a]).says("""
    You return a list of vectors. Stack them into one array: np.stack(rows).
""")
summed_wrongly(
    MISTAKES,
    lambda a, h: a[:, :, None] * h,
    1,
    ("target words", "source words", "numbers of a state"),
)
PRODUCTS = {
    "attention_matrix * hidden_states": lambda a, h: a * h,
    "attention_matrix.T * hidden_states": lambda a, h: a.T * h,
    "attention_matrix * hidden_states.T": lambda a, h: a * h.T,
    "attention_matrix @ hidden_states.T": lambda a, h: a @ h.T,
    "attention_matrix.T @ hidden_states.T": lambda a, h: a.T @ h.T,
    "hidden_states.T @ attention_matrix": lambda a, h: h.T @ a,
    "hidden_states @ attention_matrix.T": lambda a, h: h @ a.T,
    "np.dot(attention_matrix, hidden_states.T)": lambda a, h: np.dot(a, h.T),
    "np.dot(attention_matrix.T, hidden_states)": lambda a, h: np.dot(a.T, h),
    "np.dot(hidden_states, attention_matrix)": lambda a, h: np.dot(h, a),
    "np.tensordot(attention_matrix, hidden_states)": lambda a, h: np.tensordot(a, h),
    "np.outer(attention_matrix, hidden_states)": np.outer,
    'np.einsum("ts,td->sd", …)': lambda a, h: np.einsum("ts,td->sd", a, h),
    'np.einsum("ts,ds->td", …)': lambda a, h: np.einsum("ts,ds->td", a, h),
    "attention_matrix[:, None] * hidden_states": lambda a, h: (a[:, None] * h).sum(1),
}
for written, product in PRODUCTS.items():
    MISTAKES.by(f"product-{written}", product).says(f"""
        `{written}`, or what does the same, does not fit: the matrix is (T, S), the states are (S,
        d), and the sum is over S. That is what `attention_matrix @ hidden_states` does.
    """)
for written, product in {
    "attention_matrix.reshape(S, T)": lambda a, h: a.reshape(a.shape[::-1]).T @ h,
    "attention_matrix.reshape(S, T) from the left": lambda a, h: a.reshape(a.shape[::-1]) @ h,
    "hidden_states.reshape(d, S)": lambda a, h: a @ h.reshape(h.shape[::-1]).T,
}.items():
    MISTAKES.by(f"reshaped-{written}", product).says("""
        `reshape` cuts the numbers into new rows in the order in which they are stored; it does not
        swap axes. Here nothing has to be swapped: `attention_matrix @ hidden_states`.
    """)
MISTAKES.by("last-source-word-alone", lambda a, h: a[:, -1:] * h[-1]).says("""
    You have the last source word alone: each round of the loop overwrites the one before. Begin
    with zeros and add with `+=`.
""")
MISTAKES.by("first-source-word-alone", lambda a, h: a[:, :1] * h[0]).says("""
    You have the first source word alone. Does `return` stand inside the loop? Add all of them up.
""")
MISTAKES.by("running-sum", lambda a, h: (a @ h).cumsum(axis=0)).says("""
    Each target word has the context vectors of those before it added in. Set the sum back to zero
    for each target word.
""")
MISTAKES.by("one-array-for-all", lambda a, h: np.repeat((a @ h)[-1:], len(a), axis=0)).says("""
    Every row is that of the last target word: perhaps one array is filled again and again, and
    stands in your list many times. Make a new one for each word.
""")
MISTAKES.by("last-target-word-left-out", lambda a, h: (a @ h)[:-1]).says("""
    The last target word is missing. Loop over `range(T)`, from 0 to T - 1.
""")
MISTAKES.by("first-target-word-left-out", lambda a, h: (a @ h)[1:]).says("""
    The first target word is missing. Loop over `range(T)`, from 0 to T - 1.
""")
MISTAKES.by("last-row-zero", lambda a, h: np.concatenate([(a @ h)[:-1], 0 * (a @ h)[-1:]])).says("""
    The row of the last target word stays zero. Loop over `range(T)`, from 0 to T - 1.
""")
MISTAKES.by("first-row-zero", lambda a, h: np.concatenate([0 * (a @ h)[:1], (a @ h)[1:]])).says("""
    The row of the first target word stays zero. Loop over `range(T)`, from 0 to T - 1.
""")


@MISTAKES.says("""
    You take T for the number of source words, or S for that of target words. The matrix has a row
    for each target word, T, and a column for each source word, S: `T, S = attention_matrix.shape`.
""")
def as_many_columns_as_rows(attention_matrix, hidden_states):
    out = np.zeros((len(attention_matrix), hidden_states.shape[1]), hidden_states.dtype)
    for t in range(len(attention_matrix)):
        for s in range(len(attention_matrix)):
            out[t] += attention_matrix[t, s] * hidden_states[s]
    return out


@MISTAKES.says("""
    You take S for the number of target words. The matrix has a row for each target word, T, and a
    column for each source word, S: `T, S = attention_matrix.shape`.
""")
def as_many_rows_as_columns(attention_matrix, hidden_states):
    return np.array([attention_matrix[t] @ hidden_states for t in range(len(hidden_states))])


MISTAKES.by(
    "columns-in-a-loop",
    lambda a, h: np.array([sum(w * x for w, x in zip(c, h, strict=False)) for c in a.T]),
).says("""
    You go through the columns of the matrix, `attention_matrix.T`. A target word is a row: leave
    out the `.T`.
""")
MISTAKES.by("added", lambda a, h: (a[:, :, None] + h).sum(1)).says("""
    You add the weight to the state. Multiply each state by its weight, and then add up.
""")
MISTAKES.by(
    "sum-guarded",
    lambda a, h: a / np.where((t := a.sum(1, keepdims=True)) == 0, t.dtype.type(1), t) @ h,
).says("""
    You divide by the sum of the row. Use the weights as they come: they need not sum to one.
""")
MISTAKES.by("largest-of-weighted", lambda a, h: (a[:, :, None] * h).max(1)).says("""
    You take the largest of the weighted states. A context vector is their sum.
""")
MISTAKES.by("largest-weighted", lambda a, h: h[a.argmax(1)] * a.max(1)[:, None]).says("""
    You keep the state with the largest weight alone. A context vector blends all of them: multiply
    each by its weight, and add up.
""")
MISTAKES.by("weights-above-half", lambda a, h: np.where(a > 0.5, a, 0).astype(a.dtype) @ h).says("""
    You leave small weights out. A context vector blends all states, each times its weight.
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "attention_matrix", "hidden_states")
