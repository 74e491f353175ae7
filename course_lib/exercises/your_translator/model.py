"""Task `Translator`: a whole translator, judged by what it does and not by how it is made."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from course_lib.checker.tasks import Case, Inputs, Sampler, Task
from course_lib.exercises.your_translator import examiners
from course_lib.exercises.your_translator.examiners import PAD, examiner, same, untrained
from course_lib.exercises.your_translator.model_mistakes import IDLE, MISTAKES, Translator

PADDED = "more padding changes nothing"
ALONE = "a sentence alone gets the logits that it gets in a batch"
WEIGHTS = {"each step's weights sum to one", "padding gets no weight"}
PARTS = "every parameter has a part in the logits"
NAMES = re.compile(rf"{examiners.NO_PART}: ([\w.]+(?:, [\w.]+)*)")
FIRST_WORD = 4  # below it are <pad>, <unk>, <start> and <end>


def ids(s: Sampler, lengths: list[int], size: int) -> np.ndarray:
    """Sentences of these lengths, padded to the right, no two alike."""
    while True:
        words = s.integers(FIRST_WORD, size, len(lengths), max(lengths))
        words[np.arange(words.shape[1]) >= np.array(lengths)[:, None]] = PAD
        if len(np.unique(words, axis=0)) == len(words):
            return words


def batch(s: Sampler, function: Callable) -> Inputs:
    """Three sentences of different lengths, source and target ragged in different ways."""
    sizes = (FIRST_WORD + 5 + s.size, FIRST_WORD + 7 + s.size, 12, 16)
    source = ids(s, s.rng.permutation([2, 4, 5 + s.size]).tolist(), sizes[0])
    target = ids(s, s.rng.permutation([2, 3, 3 + s.size]).tolist(), sizes[1])
    needs = examiner(function, untrained, same, examiners.mixed)
    return Inputs(kwargs={"source": source, "target": target, "sizes": sizes}, examiner=needs)


def padded(s: Sampler) -> Inputs:
    """Two columns of padding alone on the right: a longer batch may have been cut into two."""
    inputs = batch(s, examiners.shapes)
    inputs.kwargs["source"] = np.pad(inputs.kwargs["source"], ((0, 0), (0, 2)))
    return inputs


def ten(s: Sampler) -> Inputs:
    sizes = (FIRST_WORD + 8, FIRST_WORD + 9, 12, 24)
    lengths = s.rng.permutation([2, 3, 4] * 3 + [5])
    source = ids(s, lengths.tolist(), sizes[0])
    target = ids(s, np.maximum(2, lengths - 1 + s.integers(0, 2, 10)).tolist(), sizes[1])
    needs = examiner(examiners.ten_pairs, untrained, examiners.knows_them)
    return Inputs(kwargs={"source": source, "target": target, "sizes": sizes}, examiner=needs)


def idle(wrong: Mapping[str, Any]) -> str | None:
    """The parameters that have no part in the logits, by their names."""
    found = NAMES.fullmatch(str(wrong.get(PARTS)))
    if not found:
        return None
    names = [f"`{one[-60:]}`" for one in found[1].split(", ")]
    return IDLE.format(" and ".join(names[:3]) + " and others" * (len(names) > 3))


def seen(wrong: Mapping[str, Any]) -> str | None:
    """What was seen says which mistake it is, whether or not ten pairs were learned with it."""
    alone, name = str(wrong.get(ALONE)), ""
    if alone.endswith(examiners.AS_IF_RESHAPED):
        name = "states-reshaped"
    elif alone.endswith(examiners.FROM_ABOVE):
        name = "along-the-batch"
    elif wrong.get(PADDED) == "other logits" and not WEIGHTS & wrong.keys():
        name = "padding-read"
    return next((one.sentence for one in MISTAKES.all if one.name == name), None)


def case(name: str, function: Callable, hidden: bool = False, required: bool = False) -> Case:
    draw = lambda s: batch(s, function)  # noqa: E731
    return Case(name, draw, hidden, sizes=(1, 2), dtypes=("float32",), required=required)


TRANSLATOR = Task(
    name="Translator",
    points=5,
    reference=Translator,
    idea=(
        "Read, walk, look, say. The encoder reads each sentence packed, so that neither of its "
        "directions ever sees padding; the decoder walks along the true words from a state made "
        "of both ends of the source; its states ask, all at once, and what they find goes into "
        "the logits beside the states themselves. Everything else in the class is a matrix that "
        "makes sizes fit."
    ),
    cost=(
        "T + S recurrent steps of O(d²) for each sentence, one after the other; attention over "
        "all pairs at once, O(T·S·d); and O(T·d·V) for the logits."
    ),
    cases=(
        case("shapes of logits and weights", examiners.shapes, required=True),
        Case("shapes where every row is padded", padded, sizes=(1, 2), dtypes=("float32",)),
        case("the first loss is about log V", examiners.first_loss),
        case("logits, not probabilities", examiners.range_of_logits),
        case("each step's weights sum to one", examiners.row_sums),
        case("padding gets no weight", examiners.weight_on_padding),
        case(PADDED, examiners.more_padding),
        case(ALONE, examiners.alone, True),
        case("no logit knows a later word", examiners.later_words, True),
        case("each step looks for itself", examiners.own_look, True),
        case(PARTS, examiners.parts, True),
        Case("ten pairs are learned by heart", ten, sizes=(1,), dtypes=("float32",)),
    ),
    mistakes=MISTAKES.all,
    at_once=lambda wrong, _first: idle(wrong) if len(wrong) == 1 else None,
    of_cases=lambda wrong, _first: seen(wrong) or idle(wrong),
    hints=(
        "Four steps, and you have written each of them: read the source, walk along the target, "
        "let each state look at the source, say the next word. Which shape goes from each to the "
        "next?",
        "An encoder that reads in both directions meets the padding first when it reads "
        "backwards: `pack_padded_sequence(…, lengths, batch_first=True, enforce_sorted=False)` "
        "keeps it out, and `pad_packed_sequence` brings the memory back to (B, S, d). A decoder "
        "`nn.GRU` takes all true words in one call.",
        "`states, _ = self.decoder(self.target_words(inputs), first[None])`; `context, weights = "
        "attend(states, self.W_a(memory), memory, mask[:, None])`; the logits are "
        "`self.W_o(torch.tanh(self.W_c(torch.cat([context, states], dim=-1))))`.",
    ),
)
