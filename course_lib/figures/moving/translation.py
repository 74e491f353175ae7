"""The worked translation: weights, context vector and word, one target word at a time."""

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import as_array, check_labels, plain


def worked_translation_figure(source, vocabulary, weights, states, probabilities) -> Figure:
    """Each step's weights (T, S), its context, and the probabilities (T, V) of the next word.

    c_t = Σ_j α_tj h_j with states h (S, d). The word written is the most probable one.
    Raises ValueError when the shapes do not fit.
    """
    A, H = as_array(weights, "weights", 2), as_array(states, "states", 2)
    P = as_array(probabilities, "probabilities", 2)
    if A.shape[1] != len(H) or len(A) != len(P):
        raise ValueError(
            f"weights {A.shape} need one state for each column and one row of probabilities for "
            f"each row, got states {H.shape} and probabilities {P.shape}."
        )
    source = check_labels("source words", source, len(H), H.shape)
    vocabulary = check_labels("words of the vocabulary", vocabulary, P.shape[1], P.shape)
    contexts = A @ H  # (T, d)
    written = [vocabulary[i] for i in P.argmax(axis=1)]
    label = f"Translating “{' '.join(source)}” word by word"
    lines = [
        f"{word}: context ({', '.join(f'{x:.1f}' for x in c)}), probability {p.max():.3f}"
        for word, c, p in zip(written, contexts, P, strict=True)
    ]
    height = 200 + 24 * len(vocabulary)
    return Figure(
        "translation",
        label=label,
        height=height,
        data={
            "source": source,
            "vocabulary": vocabulary,
            "weights": plain(A, "weights", 2),
            "states": plain(H, "states", 2),
            "contexts": plain(contexts, "contexts", 2),
            "probabilities": plain(P, "probabilities", 2),
            "written": written,
        },
        state={"step": 0},
        still=svg.picture(
            height,
            label,
            "; ".join(lines),
            svg.heat(A.tolist(), written, source, width=400, height=height - 10),
        ),
        text="\n".join([label, *lines]),
        below=(100, 164),
    )
