"""Encoder and decoder in three colours: one figure that shows what each page adds to them."""

from course_lib.figures.moving import svg
from course_lib.figures.moving.encoder_decoder_events import frames, low, vector
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import as_array, check_labels, plain

# What happens once for a sentence, then for each target word.
STAGES = {
    "word": ("", "context join mix squeeze write"),
    "hand-over": ("read hand", "step write"),
    "score": ("", "add bend score weigh context"),
    "decoder": ("read hand", "step score weigh context write"),
    "map": ("", "weigh context write keep"),
}
AXES = {"states": "Sd", "asking": "Td", "summed": "TSd", "scores": "TS", "weights": "TS",
        "mixed": "Td", "logits": "TV"}  # fmt: skip


def encoder_decoder_figure(stage, source, target, *, vocabulary=(), names=(), **values) -> Figure:
    """One sentence, event by event, through as much of a translator as a page has built.

    Args:
        stage: a name of STAGES.
        source, target: the S words that are read and the T words that are written.
        vocabulary: the V words of the logits.
        names: of the T states of the decoder; without them s₁, s₂ …
        values: arrays by a name of AXES, "states" the encoder's, "asking" the decoder's. Numbers
            must be given where an event computes with them; else it is drawn without.

    Raises:
        ValueError: for another stage, and for values that do not fit the words.
    """
    if stage not in STAGES:
        raise ValueError(f"stage must be one of {', '.join(STAGES)}, got {stage!r}.")
    given = {name: as_array(x, name, len(AXES[name])) for name, x in values.items()}
    for name, x in given.items():
        plain(x, name, x.ndim)  # finite numbers only
        for axis, labels in (("S", source), ("T", target), ("V", vocabulary)):
            if axis in AXES[name]:
                check_labels(f"words for {name}", labels, x.shape[AXES[name].index(axis)], x.shape)
    once, each = (events.split() for events in STAGES[stage])
    names = list(names) or [low("s", t + 1) for t in range(len(target))]
    shown = list(frames(once, each, source, target, vocabulary, names, given))
    looks, keeps, writes = ("context" in each), ("keep" in each), ("write" in each)
    rows = [name for name, _ in shown[-1]["rows"]] + ["score"] * bool(shown[-1]["bars"])
    at, height = {}, 88  # where the parts begin, below the encoder
    for part, high in {
        "attention": 92 * looks,
        "decoder": 84,
        "written": 26 * writes,
        "rows": 22 * len(rows),
        "bars": 22 * len(shown[-1]["bars"]),
        "map": (94 + 22 * len(target)) * keeps,
    }.items():
        at[part], height = height, height + high
    states = [vector(h) for h in given["states"]] if "states" in given else [""] * len(source)
    data = {
        "source": list(source),
        "target": list(target),
        "states": states,
        "frames": shown,
        "at": at,
        "looks": looks,
        "hands": "hand" in once,
        "writes": writes,
        "rows": rows,
        "weights": plain(given["weights"], "weights", 2) if keeps else [],
    }
    label = f"“{' '.join(source)}” in a translator"
    lines = [frame["says"] for frame in shown]
    return Figure(
        "encoder-decoder",
        label,
        lines,
        height=height,
        data=data,
        state={"event": 0},
        described=" ".join(lines),
        drawn=svg.translator(data),
        below=(100, 170),
    )
