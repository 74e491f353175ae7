"""The reference, the cases and the hints of `greedy_decode`."""

from dataclasses import replace

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Inputs, LookupStep, Sampler


def greedy_decode(step, state, start_id, end_id, max_length):
    """A loop that carries three things: the words just said, the state, and which sentences have
    ended. A batch has one shape, so a sentence that has ended still goes through the loop, but says
    END from then on. The loop stops when all have ended or at the limit, and both may come in the
    same step.

    Cost: At most max_length calls of `step`, one after the other, because each reads the word of
    the one before."""
    tokens = torch.full((len(state),), start_id, device=state.device)
    ended = torch.zeros_like(tokens, dtype=torch.bool)
    said = []
    while len(said) < max_length and not ended.all():
        logits, state = step(tokens, state)
        words = logits.argmax(-1)
        tokens = torch.where(ended, end_id, words)
        ended = ended | (tokens == end_id)
        said.append(tokens)
    return torch.stack(said, dim=1)


def draw(s: Sampler, lengths, max_length: int) -> Inputs:
    """Sentence b says END as its word number `lengths[b]`, counted from 1.

    The step is a table: in phase p, after word w, come the logits `table[p, w]`. Only the last of
    P phases favours END, and sentence b starts `lengths[b] - 1` phases before it.
    """
    vocabulary, phases = 5 + s.size, int(max(*lengths, max_length)) + 2
    start, end = (int(i) for i in s.rng.permutation(vocabulary)[:2])
    table = s.floats(phases, vocabulary, vocabulary, scale=2.0)
    table[:, :, end] -= 50
    table[-1, :, end] += 100
    state = phases - np.asarray(lengths)
    return Inputs((LookupStep(table, max_length), state, start, end, max_length))


LONG = (
    "Perhaps a number of your own limits the words, or one word fewer is allowed than "
    "`max_length`: go on up to `max_length` words, however many these are."
)
case = Cases(dtypes=("float64",))
# One sentence begins in phase 0, the other in phase 3: what they want to say is 4 3 2 and 3 2 4.
WANTED = np.repeat(np.eye(5, dtype=np.float32)[[4, 3, 2, 3, 2, 4]][:, None], 5, axis=1)
case.example(
    Inputs(
        (LookupStep(WANTED, 9), np.array([0, 3])), {"start_id": 1, "end_id": 2, "max_length": 9}
    ),
    dtype="float32",
)


@case("sentences that end at different steps")
def ragged(s):
    lengths = s.rng.permutation([2, s.size + 3, *range(3, s.size + 2)])
    return draw(s, lengths, s.size + 6)


# Some sentences would go on beyond max_length.
case(
    "sentences cut off at max_length",
    lambda s: draw(s, s.rng.permutation([2, s.size + 5, s.size + 7]), s.size + 3),
)
case("a batch of one", lambda s: draw(s, [s.size + 2], s.size + 5))
case.hidden("sentences that end at once", lambda s: draw(s, [1] * s.size, 4))
case.hidden("one step only", lambda s: draw(s, [1, 3, 2], 1))


@case.hidden("an END as the last allowed word", perhaps=LONG)
def allowed_last(s):
    """The longest sentence says END with its last allowed word, at last a late one."""
    longest = s.size + 2 if s.size < 4 else 130
    return draw(s, [1, longest], longest)


@case.hidden("a state with more axes", sizes=(2,))
def wide(s):
    """Each number of a sentence's state counts the same phases."""
    drawn = draw(s, [2, s.size + 3, 3], s.size + 5)
    step, state, *rest = drawn.args
    return replace(step, is_wide=True), np.stack([state, state], axis=1), *rest


AS_THEY_ARE = (
    "Perhaps something is done to the logits before `argmax`: a bound, `abs`, `exp`, a sigmoid or "
    "rounding makes unequal ones equal, or changes their order. Take `argmax` of the logits as "
    "they are."
)


@case.hidden(
    "logits far above zero, below it, or close together",
    dtypes=("float32",),
    perhaps=AS_THEY_ARE,
)
def any_height(s):
    drawn = draw(s, [2, s.size + 3, 3], s.size + 5)
    step, _, _, end, _ = drawn.args
    words = np.arange(len(step.table[0])) != end
    if s.size == 4:
        step.table[:, :, words] *= 1e-3
    step.table[...] += {1: 100, 2: -25, 4: 0}[s.size]
    return drawn


@case.hidden(
    "a finished sentence that goes on and says END again",
    sizes=(1, 2),
    perhaps="The first END of a sentence counts. Perhaps your answer takes a later one for its "
    "end, which `step` may say for a sentence that is finished.",
)
def again(s):
    """Phases 0 and 1 come only behind an END, as the phases begin anew."""
    drawn = draw(s, [2, s.size + 6, 3], s.size + 8)
    step, _, _, end, _ = drawn.args
    step.table[1, :, end] += 100
    return drawn


HINTS = (
    "Keep three things from step to step: the words just said (B,), the state, and which "
    "sentences have ended (B,).",
    "Start with `tokens = torch.full((B,), start_id)`. After each step: words = argmax; where a "
    "sentence had ended, put END instead; then update which have ended.",
    "Leave the loop when `ended.all()` or after max_length steps; torch.stack(said, dim=1) makes "
    "(B, L).",
)
