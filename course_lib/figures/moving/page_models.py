"""Models that a page runs for a reader's own sentence: what they carry, and what they write."""

from copy import deepcopy
from typing import Any, NamedTuple

import torch
from torch import Tensor

from course_lib.figures.moving.parameters import packed, rounded

SCORES = ("none", "additive", "general", "dot")
KINDS = {"Seq2Seq": "recurrent", "EncoderDecoder": "transformer", "LanguageModel": "language"}
UNK = "<unk>"
PAD, START, END = 0, 2, 3  # as in course_lib.translation.vocabulary
MOST_MORE = 16  # words that a language model adds


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
def written(
    translator: Any, words: list[str], limit: int | None = None, *, beam: int = 1
) -> Written:
    """What a model writes of these words, greedily unless there is a beam, which is for recurrent
    ones alone; of a Transformer the mean of all its heads."""
    model = translator.model
    if KINDS[type(model).__name__] == "recurrent":
        told = translator.translate([words], beam=beam, max_length=limit)[0]
        return Written(copied(told.words, told.weights, words), told.weights, words)
    ids = translator.source.encode(words)
    if KINDS[type(model).__name__] == "language":
        said, rows = _goes_on(model, [START, *ids], limit or MOST_MORE)
        new = translator.target.decode(said)
        return Written(new, rows.numpy(), ["<start>", *words, *new][: rows.shape[1]])
    source, length = torch.tensor([ids]), torch.tensor([len(ids)])
    said = _greedy(model, START, model.start(source, length), limit or 2 * len(ids) + 10)
    target = torch.tensor([[START, *said]])[:, : len(said)]
    _, maps = model.decode(target, *model.encode(source, length), need_weights=True)
    rows = torch.cat(maps, dim=1)[0].mean(0)
    return Written(copied(translator.target.decode(said), rows.numpy(), words), rows.numpy(), words)


def copied(said: list[str], weights: Any, words: list[str]) -> list[str]:
    """What was written, with the word that the model looked at in the place of an unknown one.

    Without attention there is none to copy: "(?)". Luong et al. (2015), "Addressing the rare word
    problem in neural machine translation", https://arxiv.org/abs/1410.8206, and Jean et al. (2015),
    "On using very large target vocabulary for neural machine translation",
    https://arxiv.org/abs/1412.2007, who copies what has the largest weight.
    """
    looked = ["(?)"] * len(said) if weights is None else [words[row.argmax()] for row in weights]
    return [one if word == UNK else word for word, one in zip(said, looked, strict=True)]


def _goes_on(model: Any, ids: list[int], limit: int) -> tuple[list[int], Tensor]:
    """The likeliest tokens after a beginning, and how the last place looked, row by row. All places
    are read anew for each: without the mask the earlier ones see what has come."""
    said: list[int] = []
    rows = torch.zeros(limit, len(ids) + limit - 1)
    while len(said) < limit:
        logits, maps = model(torch.tensor([[*ids, *said]]), need_weights=True)
        row = torch.cat(maps, dim=1)[0].mean(0)[-1]
        token = _likeliest(logits[:, -1])
        if token == END:
            break
        rows[len(said), : len(row)] = row
        said.append(token)
    return said, rows[: len(said), : len(ids) + max(len(said), 1) - 1]


def _likeliest(logits: Tensor) -> int:
    """The token that is written; <pad> and <start> never are."""
    logits[:, [PAD, START]] = -torch.inf
    return int(logits.argmax())


def _greedy(model: Any, token: int, state: Any, limit: int) -> list[int]:
    """The likeliest next token, until <end> or `limit`."""
    said = []
    while len(said) < limit:
        logits, state, _ = model.step(torch.tensor([token]), state)
        token = _likeliest(logits)
        if token == END:
            break
        said.append(token)
    return said


def packed_once(models: list[dict]) -> list[dict]:
    """Models of the same numbers carry them once: a later one says which it is `like`.

    And models of the same words: a later one says whose `words` it has.
    """
    found: list[dict] = []
    for model in models:
        words = ("source", "target")
        for link, names in (("like", ("bytes", "tensors", *words)), ("words", words)):
            same = (i for i, one in enumerate(found) if all(one.get(n) == model[n] for n in names))
            if (i := next(same, None)) is not None:
                model = {name: value for name, value in model.items() if name not in names}
                model[link] = i
                break
        found.append(model)
    return found


def page_model(name: str, translator: Any, bits: int = 8) -> dict:
    """One model as the page reads it, with so many bits a number (`parameters.packed`)."""
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
        heads = stack.layers[0].self_attention.num_heads
        shape = {"layers": len(stack.layers), "heads": heads, "causal": model.causal}
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
        **packed(model.state_dict(), bits),
    }


def as_on_a_page(translator: Any, bits: int = 8) -> Any:
    """The translator with its numbers rounded as a page has them."""
    model = deepcopy(translator.model).eval()
    model.load_state_dict(rounded(model.state_dict(), bits))
    return type(translator)(model, translator.source, translator.target)
