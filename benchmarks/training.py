"""A translator trained for a table: what the run was, how well it translates; and what any model
of sentences is trained by and says."""

import time

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_lib.generation import beam_search, greedy_search
from course_lib.transformer import EncoderDecoder
from course_lib.translation import Pair, Translator, bleu, pad, train
from course_lib.translation.vocabulary import END, PAD, START


def trained(
    pairs: list[Pair], attention: str, **settings: object
) -> tuple[Translator, dict[str, object]]:
    """One run with these settings of `train`, and its numbers."""
    start = time.process_time()
    translator = train(pairs, attention, progress=False, **settings)
    return translator, {
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "loss": round(translator.history["epoch_loss"][-1], 3),
        "cpu_seconds": round(time.process_time() - start, 1),
    }


def judged(translator: Translator, pairs: list[Pair]) -> dict[str, float]:
    """The mean length of these sentences, and BLEU of their translations."""
    found = translator.translate([pair.source for pair in pairs])
    return {
        "source_words": round(sum(len(pair.source) for pair in pairs) / len(pairs), 1),
        "bleu": round(bleu(found, [pair.target for pair in pairs]), 1),
    }


def logits_of(model: nn.Module, source: Tensor, lengths: Tensor, inputs: Tensor) -> Tensor:
    """The logits (B, T, V) of a batch with teacher forcing."""
    if isinstance(model, EncoderDecoder):
        return model(source, lengths, inputs)
    return model(source, lengths, inputs, need_weights=False)[0]


def loss_of(model: nn.Module, batch, reduction: str = "mean") -> Tensor:
    logits = logits_of(model, batch.source, batch.lengths, batch.inputs).flatten(0, 1)
    return cross_entropy(logits, batch.labels.flatten(), ignore_index=PAD, reduction=reduction)


@torch.no_grad()
def translate(model: nn.Module, sentences: list[list[str]], beam: int = 1) -> list[list[str]]:
    """The translations of tokenized sentences, in their order."""
    begin = model.start if isinstance(model, EncoderDecoder) else model.encode
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    written: dict[int, list[str]] = {}
    for at in range(0, len(order), 100):
        chunk = order[at : at + 100]
        source, lengths = pad([model.source.encode(sentences[i]) for i in chunk])
        tokens, most = torch.full((len(chunk),), START), 2 * source.shape[1] + 10
        state, special = begin(source, lengths), {"end": END, "forbidden": (PAD, START)}
        if beam == 1:
            ids, _ = greedy_search(model, tokens, state, most, **special)
        else:
            ids, _ = beam_search(model, tokens, state, most, beam, **special)
        written |= {i: model.target.decode(row) for i, row in zip(chunk, ids, strict=True)}
    return [written[i] for i in range(len(sentences))]
