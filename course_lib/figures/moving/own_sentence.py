"""A field for a sentence of the reader's own, translated by models that a page has trained."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import torch

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.moving.parameters import packed, rounded

SCORES = ("none", "additive", "general", "dot")
KINDS = {"Seq2Seq": "recurrent", "EncoderDecoder": "transformer", "LanguageModel": "language"}
PAD, START, END = 0, 2, 3  # as in course_lib.translation.vocabulary
MOST_MORE = 16  # words that a language model adds
OFFERED = 12  # words that may come next
# Nothing is written yet, no row is chosen, and the map is that of the first model that has one.
FIRST = {"kept": 0, "row": None, "column": None, "model": None, "example": 0, "head": "mean"}


def own_sentence_figure(
    translators: Mapping[str, Any],
    examples: Sequence[str],
    pairs: Sequence[Any],
    *,
    most: int | None = None,
    asked: str = "Your sentence",
    hint: str = "Each row shows where it looked as it wrote that word. Click a word.",
) -> Figure:
    """Type a sentence: each model translates it, and those that attend show where they looked.

    The models run where the figure is shown, a byte a number (`parameters.packed`); its text and
    its still picture show what they write of the first example when they are rounded so.

    Args:
        translators: a name → what `course_lib.translation.train` returns, with a GRU of one layer
            in Luong's order; or a `Trained` with an `EncoderDecoder`, or with a `LanguageModel`,
            which goes on from a beginning.
        examples: sentences to begin with, the first of which is shown.
        pairs: what the models were trained on: they say which word may follow which.
        most: words that are read at most; the longest of the pairs unless given.
        asked: what stands before the field.
        hint: what is said below the map before a word is chosen.

    Raises ValueError for a model that the page cannot run, and an example with an unknown word.
    """
    models = [page_model(name, translator) for name, translator in translators.items()]
    page = {name: as_on_a_page(translator) for name, translator in translators.items()}
    for example in examples:
        for name, translator in translators.items():
            if unknown := [w for w in example.split() if w not in translator.source]:
                raise ValueError(f"{name} has not learned {unknown[0]!r} of {example!r}.")
    words = examples[0].split()
    told = {name: written(translator, words) for name, translator in page.items()}
    looks = next((one for one in told.values() if one.weights is not None), None)
    goes_on = any(model["kind"] == "language" for model in models)
    rows = [
        max(len(written(translator, example.split()).words) for translator in page.values())
        for example in examples
    ]
    height = max(66 + 28 * rows[0], min(66 + 17 * max(rows), 460))
    drawn = "" if looks is None else svg.heat(*looks.map, height=height)
    return Figure(
        "own-sentence",
        "A beginning of your own, continued" if goes_on else "A sentence of your own, translated",
        [f"{asked}: {examples[0]}", *(f"{n}: {' '.join(one.words)}" for n, one in told.items())],
        height=height,
        data={
            "models": models,
            "examples": list(examples),
            "follow": _followers(pairs),
            "most": most or max(len(pair.source) for pair in pairs),
            "beginning": goes_on,
            "offered": OFFERED,
            "language": "fr",
            "asked": asked,
            "hint": hint,
        },
        state={"text": examples[0], "words": words, **FIRST},
        drawn=drawn,
        below=(144 + 31 * len(models), 272 + 82 * len(models) + 40 * ("heads" in models[0])),
    )


class Trained(NamedTuple):
    """A Transformer of a page and its two vocabularies; a language model has one, twice."""

    model: Any
    source: Any
    target: Any


class Written(NamedTuple):
    """What a model writes, and how much each word looked at each column, or None."""

    words: list[str]
    weights: Any
    columns: list[str]

    @property
    def map(self) -> tuple:
        return self.weights, self.words, self.columns


@torch.no_grad()
def written(translator: Any, words: list[str], limit: int | None = None) -> Written:
    """What a model writes of these words, greedily; of a Transformer the mean of all its heads."""
    model = translator.model
    if KINDS[type(model).__name__] == "recurrent":
        told = translator.translate([words], max_length=limit)[0]
        return Written(list(told.words), told.weights, words)
    ids = translator.source.encode(words)
    if KINDS[type(model).__name__] == "language":
        ids, limit = [START, *ids], limit or MOST_MORE
        state = model.start() if len(ids) == 1 else model.prefill(torch.tensor([ids[:-1]]))[1]
        said = _greedy(model, ids[-1], state, limit)
        whole = torch.tensor([[*ids, *said]])[:, : len(ids) + len(said) - 1]
        _, maps = model(whole, need_weights=True)
        rows = torch.cat(maps, dim=1)[0].mean(0)[len(ids) - 1 :]
        new = translator.target.decode(said)
        return Written(new, rows.numpy(), ["<start>", *words, *new][: whole.shape[1]])
    source, length = torch.tensor([ids]), torch.tensor([len(ids)])
    said = _greedy(model, START, model.start(source, length), limit or 2 * len(ids) + 10)
    target = torch.tensor([[START, *said]])[:, : len(said)]
    _, maps = model.decode(target, *model.encode(source, length), need_weights=True)
    rows = torch.cat(maps, dim=1)[0].mean(0)
    return Written(translator.target.decode(said), rows.numpy(), words)


def _greedy(model: Any, token: int, state: Any, limit: int) -> list[int]:
    """The likeliest next token, until <end> or `limit`."""
    said = []
    while len(said) < limit:
        logits, state, _ = model.step(torch.tensor([token]), state)
        logits[:, [PAD, START]] = -torch.inf
        token = int(logits.argmax())
        if token == END:
            break
        said.append(token)
    return said


def page_model(name: str, translator: Any) -> dict:
    """One model as the page reads it."""
    model = translator.model
    kind = KINDS.get(type(model).__name__)
    shape, good = {}, False
    if kind == "recurrent":
        config = model.config
        right = config["attention"] in SCORES and config["num_layers"] == 1 and not config["aids"]
        late = config["attention"] == "none" or config["order"] == "luong"
        shape = {"score": config["attention"]}
        good = right and late and not config["input_feeding"]
    elif kind is not None:
        stack = model.stack if kind == "language" else model.decoder
        embedding = model.embedding if kind == "language" else model.target_embedding
        shape = {"layers": len(stack.layers), "heads": stack.layers[0].self_attention.num_heads}
        good = embedding.positions == "sinusoidal" and "norm.bias" in stack.state_dict()
        good = good and "layers.0.feed_forward.3.bias" in stack.state_dict()
    if not good:
        raise ValueError(
            f"A page runs recurrent translators of one layer in Luong's order, with the score "
            f"{', '.join(SCORES)}, and Transformers of 2017 with sinusoids; {name} is another one."
        )
    return {
        "name": name,
        "kind": kind,
        **shape,
        "source": translator.source.words,
        "target": translator.target.words,
        **packed(model.state_dict()),
    }


def as_on_a_page(translator: Any) -> Any:
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
