"""A field for a sentence of the reader's own, translated by models that a page has trained."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from course_lib.figures.moving import still_lines, svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.moving.page_models import as_on_a_page, packed_once, page_model, written

OFFERED = 12  # words that may come next
TITLES = {
    "words": "A sentence of your own, translated",
    "letters": "A word of your own, pronounced",
    "goes on": "A beginning of your own, continued",
}
# Nothing is written yet, no row is chosen, and the map is that of the first model that has one.
FIRST = {"kept": 0, "row": None, "column": None, "model": None, "example": 0, "head": "mean"}


def own_sentence_figure(
    translators: Mapping[str, Any],
    examples: Sequence[str],
    pairs: Sequence[Any],
    *,
    most: int | None = None,
    letters: bool = False,
    beam: int = 1,
    asked: str = "Your sentence",
    hint: str = "From each word lines run to those that it looked at. Click a word.",
    about: str = "",
    offered: int = OFFERED,
    bits: int = 8,
) -> Figure:
    """Type a sentence: each model translates it, and those that attend show where they looked.

    The models run where the figure is shown, a byte a number (`parameters.packed`); its text and
    its still picture show what they write of the first example when they are rounded so. Where the
    pairs have "<unk>", a word that is not known is copied from where the model looks, if it looks.

    Args:
        translators: a name → what `course_lib.translation.train` returns, with a GRU of one layer
            in Luong's order; or a `Trained` with an `EncoderDecoder`, or with a `LanguageModel`,
            which goes on from a beginning (with `causal` False its mask is lifted). Models with the
            same numbers are packed once.
        examples: sentences to begin with, the first of which is shown.
        pairs: what the models were trained on: they say which word may follow which.
        most: words that are read at most; the longest of the pairs unless given.
        letters: what is read is a word, letter by letter.
        beam: how many beginnings are kept while a recurrent model writes.
        asked: what stands before the field.
        hint: what is said below the map before a word is chosen.
        about: what the models can read and what not, said below the field, before all their words.
        offered: how many words that may come next are offered.
        bits: of a number of a matrix, 8 or 4.

    Raises ValueError for a model that the page cannot run, and an example with an unknown word.
    """
    models = packed_once([page_model(name, one, bits) for name, one in translators.items()])
    page = {name: as_on_a_page(translator, bits) for name, translator in translators.items()}
    split = [list(example) if letters else example.split() for example in examples]
    for example, words in zip(examples, split, strict=True):
        for name, translator in translators.items():
            if unknown := [w for w in words if w not in translator.source]:
                raise ValueError(f"{name} has not learned {unknown[0]!r} of {example!r}.")
    words = split[0]
    told = {name: written(translator, words, beam=beam) for name, translator in page.items()}
    looks = next((one for one in told.values() if one.weights is not None and one.words), None)
    goes_on = any(model["kind"] == "language" for model in models)
    rows = [
        max(len(written(translator, example, beam=beam).words) for translator in page.values())
        for example in split
    ]
    height = max(66 + 28 * rows[0], min(66 + 17 * max(rows), 460))
    view = "map" if letters or goes_on else "lines"
    still = svg.heat if view == "map" else still_lines.lines
    drawn = "" if looks is None else still(*looks.map, height=height)
    return Figure(
        "own-sentence",
        TITLES["goes on" if goes_on else "letters" if letters else "words"],
        [f"{asked}: {examples[0]}", *(f"{n}: {' '.join(one.words)}" for n, one in told.items())],
        height=height,
        data={
            "models": models,
            "examples": list(examples),
            "follow": _followers(pairs, offered),
            "most": most or max(len(pair.source) for pair in pairs),
            "beginning": goes_on,
            "copies": any("<unk>" in pair.source for pair in pairs),
            "about": about,
            "letters": letters,
            "width": beam,
            "offered": offered,
            "language": "en" if letters else "fr",
            "asked": asked,
            "hint": hint,
        },
        state={
            "text": examples[0],
            "words": words,
            "view": view,
            **FIRST,
        },
        drawn=drawn,
        below=(229 + 31 * len(models), 426 + 82 * len(models) + 40 * ("heads" in models[0])),
    )


def _followers(pairs: Sequence[Any], count: int) -> dict[str, list[str]]:
    """Which words follow a word in these sentences, the most frequent first; "." is the end, and
    what follows "" begins a sentence."""
    counted: dict[str, Counter] = defaultdict(Counter)
    for pair in pairs:
        for word, after in zip(["", *pair.source], [*pair.source, "."], strict=True):
            counted[word][after] += 1
    return {
        word: [w for w, _ in after.most_common(count)] + ["."] * ("." in after)
        for word, after in counted.items()
    }
