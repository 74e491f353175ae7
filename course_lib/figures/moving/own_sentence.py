"""A field for a sentence of the reader's own, translated by models that a page has trained."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.moving.parameters import packed, rounded

SCORES = ("none", "additive", "general", "dot")
OFFERED = 12  # words that may come next
# Nothing is written yet, no row is chosen, and the map is that of the first model that has one.
FIRST = {"kept": 0, "row": None, "column": None, "model": None, "example": 0}


def own_sentence_figure(
    translators: Mapping[str, Any],
    examples: Sequence[str],
    pairs: Sequence[Any],
    *,
    asked: str = "Your sentence",
    hint: str = "Each row shows where it looked as it wrote that word. Click a word.",
) -> Figure:
    """Type a sentence: each model translates it, and those that attend show where they looked.

    The models run where the figure is shown, a byte a number (`parameters.packed`); its text and
    its still picture show what they write of the first example when they are rounded so.

    Args:
        translators: a name → what `course_lib.translation.train` returns, with a GRU of one layer
            in Luong's order; a recurrent model of a page's own does, in a `Translator`.
        examples: sentences to begin with, the first of which is shown.
        pairs: what the models were trained on: they say which word may follow which, and how long a
            sentence may be.

    Raises ValueError for a model that the page cannot run, and an example with an unknown word.
    """
    models = [_model(name, translator) for name, translator in translators.items()]
    page = {name: _as_a_page(translator) for name, translator in translators.items()}
    for example in examples:
        for name, translator in translators.items():
            if unknown := [w for w in example.split() if w not in translator.source]:
                raise ValueError(f"{name} has not learned {unknown[0]!r} of {example!r}.")
    words = examples[0].split()
    told = {name: translator.translate([words])[0] for name, translator in page.items()}
    looks = next((t for t in told.values() if t.weights is not None), None)
    written = {name: " ".join(translation.words) for name, translation in told.items()}
    height = 66 + 28 * max(len(translation.words) for translation in told.values())
    drawn = "" if looks is None else svg.heat(looks.weights, looks.words, words, height=height)
    return Figure(
        "own-sentence",
        "A sentence of your own, translated",
        [f"{asked}: {examples[0]}", *(f"{name}: {text}" for name, text in written.items())],
        height=height,
        data={
            "models": models,
            "examples": list(examples),
            "follow": _followers(pairs),
            "most": max(len(pair.source) for pair in pairs),
            "offered": OFFERED,
            "language": "fr",
            "asked": asked,
            "asks": "An English sentence",
            "hint": hint,
        },
        state={"text": examples[0], "words": words, **FIRST},
        drawn=drawn,
        below=(144 + 31 * len(models), 272 + 82 * len(models)),
    )


def _model(name: str, translator: Any) -> dict:
    """One model as the page reads it."""
    config = translator.model.config
    right = config["attention"] in SCORES and config["num_layers"] == 1 and not config["aids"]
    late = config["attention"] == "none" or config["order"] == "luong"
    if not right or not late or config["input_feeding"]:
        raise ValueError(
            f"A page runs recurrent translators of one layer in Luong's order, with the score "
            f"{', '.join(SCORES)}; {name} has {config}."
        )
    return {
        "name": name,
        "kind": "recurrent",
        "score": config["attention"],
        "source": translator.source.words,
        "target": translator.target.words,
        **packed(translator.model.state_dict()),
    }


def _as_a_page(translator: Any) -> Any:
    """The translator with its numbers rounded as a page has them."""
    model = deepcopy(translator.model).eval()
    model.load_state_dict(rounded(model.state_dict()))
    return type(translator)(model, translator.source, translator.target)


def _followers(pairs: Sequence[Any]) -> dict[str, list[str]]:
    """Which words follow a word in these sentences, the most frequent first; "." is the end, and
    what follows "" begins a sentence."""
    counted: dict[str, Counter] = defaultdict(Counter)
    for pair in pairs:
        for word, after in zip(["", *pair.source], [*pair.source, "."], strict=True):
            counted[word][after] += 1
    return {
        word: [w for w, _ in after.most_common(OFFERED)] + ["."] * ("." in after)
        for word, after in counted.items()
    }
