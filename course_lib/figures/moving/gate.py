"""A gate: how much of the old state is kept at each word, and what is left at the end."""

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import as_array, check_labels, plain


def states_and_traces(suggestions, shares) -> tuple[list[float], list[float]]:
    """The state after each word, and what part of the last state comes from each word.

    h_j = z_j · h_{j-1} + (1 − z_j) · suggestion_j,  h_0 = 0
    trace_j = (1 − z_j) · z_{j+1} · … · z_n
    """
    states, traces = [], []
    state = 0.0
    for suggestion, z in zip(suggestions, shares, strict=True):
        state = z * state + (1 - z) * suggestion
        traces = [z * trace for trace in traces] + [1 - z]
        states.append(state)
    return states, traces


def gate_figure(words, suggestions, *, gated: int = 1, kept: float = 0.5) -> Figure:
    """One number of a state that passes along a sentence, with a slider for the share that is kept.

    A second slider sets the share at one word. Below the states, a bar for each word: what part of
    the last state comes from it.

    Args:
        words: the n words.
        suggestions: (n,) what each word suggests as the new number, from −1 to 1.
        gated: the word with a slider of its own, counted from 0.
        kept: the share at first, at every word.

    Raises:
        ValueError: when the sizes do not fit, for a suggestion outside −1 … 1, a word that is not
            there, or a share outside 0 … 1.
    """
    suggestions = as_array(suggestions, "suggestions", 1)
    n = len(suggestions)
    words = check_labels("words", words, n, suggestions.shape)
    if not (abs(suggestions) <= 1).all():
        raise ValueError("suggestions must lie between −1 and 1, as a tanh does.")
    if not 0 <= gated < n:
        raise ValueError(f"gated must be one of the {n} words, 0 … {n - 1}; got {gated}.")
    if not 0 <= kept <= 1:
        raise ValueError(f"kept must be a share between 0 and 1, got {kept}.")
    shown = plain(suggestions, "suggestions", 1, 2)
    states, traces = states_and_traces(shown, [float(kept)] * n)
    label = f"One number of a state along “{' '.join(words)}”"
    lines = [
        f"{word}: suggests {new:.2f}, the state becomes {state:.2f}, {trace:.2f} of the last one"
        for word, new, state, trace in zip(words, shown, states, traces, strict=True)
    ]
    return Figure(
        "gate",
        label,
        lines,
        height=300,
        data={"words": words, "suggestions": shown, "gated": gated},
        state={"kept": float(kept), "own": float(kept)},
        drawn=svg.bars(words, traces, title="part of the last state", most=1.0, digits=2),
        below=(136, 200),
    )
