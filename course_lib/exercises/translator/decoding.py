"""Task `greedy_decode`: say the likeliest word, hear it, go on, until every sentence has ended."""

import numpy as np
import torch

from course_lib.grading.tasks import Case, Inputs, LookupStep, Mistake, Sampler, Task


def decode(step, state, start_id, end_id, max_length, **choices):
    """Greedy decoding in which single choices can be exchanged for wrong ones."""
    pick = choices.get("pick", lambda logits: logits.argmax(-1))
    heard = choices.get("heard", lambda tokens: tokens)
    finish = choices.get("finish", lambda words, ended: torch.where(ended, end_id, words))
    stop = choices.get("stop", torch.all)
    tokens = torch.full((len(state),), start_id)
    ended = torch.zeros(len(state), dtype=torch.bool)
    said = []
    while len(said) < max_length + choices.get("extra", 0) and not stop(ended):
        logits, new_state = step(tokens, state)
        state = choices.get("next_state", lambda new, old: new)(new_state, state)
        words = finish(pick(logits), ended)
        ended = ended | (words == end_id)
        tokens = heard(words)
        said.append(words)
    return torch.stack(said, dim=1)


def greedy_decode(step, state, start_id, end_id, max_length):
    return decode(step, state, start_id, end_id, max_length)


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


def ragged(s: Sampler) -> Inputs:
    lengths = s.rng.permutation([2, s.size + 3, *range(3, s.size + 2)])
    return draw(s, lengths, s.size + 6)


def cut_off(s: Sampler) -> Inputs:
    """Some sentences would go on beyond max_length."""
    return draw(s, s.rng.permutation([2, s.size + 5, s.size + 7]), s.size + 3)


def one_sentence(s: Sampler) -> Inputs:
    return draw(s, [s.size + 2], s.size + 5)


def at_once(s: Sampler) -> Inputs:
    return draw(s, [1] * s.size, 4)


def single_step(s: Sampler) -> Inputs:
    return draw(s, [1, 3, 2], 1)


def exactly(s: Sampler) -> Inputs:
    """The longest sentence says END with its last allowed word."""
    return draw(s, [1, s.size + 2], s.size + 2)


def _with(**choices):
    return lambda *args: decode(*args, **choices)


def _after(change):
    return lambda *args: change(greedy_decode(*args), *args[2:])


def _padded_to_maximum(words, start_id, end_id, max_length):
    missing = max_length - words.shape[1]
    return torch.cat([words, torch.full((len(words), missing), end_id)], 1)


def _one_at_a_time(step, state, start_id, end_id, max_length):
    """Written for a batch of one: .item() of several words raises."""
    words, token = [], start_id
    while len(words) < max_length and token != end_id:
        logits, state = step(torch.full((len(state),), token), state)
        token = logits.argmax(-1).item()
        words.append(token)
    return torch.tensor([words])


CASE = {"dtypes": ("float64",)}

GREEDY_DECODE = Task(
    name="greedy_decode",
    points=3,
    reference=greedy_decode,
    idea=(
        "A loop that carries three things: the words just said, the state, and which "
        "sentences have ended. A batch has one shape, so a sentence that has ended still goes "
        "through the loop, but says END from then on. The loop stops when all have ended or "
        "at the limit, and both may come in the same step."
    ),
    cost=(
        "At most max_length calls of `step`, one after the other, because each reads the word "
        "of the one before."
    ),
    cases=(
        Case("sentences that end at different steps", ragged, **CASE),
        Case("sentences cut off at max_length", cut_off, **CASE),
        Case("a batch of one", one_sentence, **CASE),
        Case("sentences that end at once", at_once, hidden=True, **CASE),
        Case("one step only", single_step, hidden=True, **CASE),
        Case("an END as the last allowed word", exactly, hidden=True, **CASE),
    ),
    mistakes=(
        Mistake(
            "stops-at-first-end",
            "You stop when the first sentence has ended and cut the others off. Go on until all "
            "have ended.",
            _with(stop=torch.any),
        ),
        Mistake(
            "words-after-end",
            "Finished sentences go on talking. Once a sentence has said END, all its later words "
            "are END.",
            _with(finish=lambda words, ended: words),
        ),
        Mistake(
            "never-stops",
            "You always run to max_length. Stop when every sentence has said END: the result is as "
            "long as the longest sentence.",
            _after(_padded_to_maximum),
        ),
        Mistake(
            "start-kept",
            "Your result begins with START. It begins with the first word that was said.",
            _after(
                lambda words, start_id, *rest: torch.cat(
                    [torch.full_like(words[:, :1], start_id), words], 1
                )
            ),
        ),
        Mistake(
            "end-dropped",
            "You drop the last column, the END of the longest sentence. It counts.",
            _after(lambda words, *rest: words[:, :-1]),
        ),
        Mistake(
            "start-heard-again",
            "The decoder hears START at every step. Give it the word it has just said.",
            lambda step, state, start_id, *rest: decode(
                step, state, start_id, *rest, heard=lambda words: torch.full_like(words, start_id)
            ),
        ),
        Mistake(
            "state-not-passed-on",
            "You give the first state to every step. Keep the state that step returns and give it "
            "to the next.",
            _with(next_state=lambda new, old: old),
        ),
        Mistake(
            "unlikeliest",
            "You take the smallest logit. Take the largest: argmax.",
            _with(pick=lambda logits: logits.argmin(-1)),
        ),
        Mistake(
            "second-best",
            "You do not take the likeliest word. Greedy means the largest logit of each row.",
            _with(pick=lambda logits: logits.topk(2).indices[:, 1]),
        ),
        Mistake(
            "same-word-for-all",
            "Every sentence says the word of the first. Take argmax for each row: dim=-1.",
            _with(pick=lambda logits: logits[:1].argmax(-1).expand(len(logits))),
        ),
        Mistake(
            "one-step-too-few",
            "You stop one step early: max_length words are allowed.",
            _with(extra=-1),
        ),
        Mistake(
            "one-step-too-many",
            "You take one step too many: at most max_length words are allowed.",
            _with(extra=1),
        ),
        Mistake(
            "item",
            "`.item()` works for a single sentence only. Keep the words of the batch in a tensor "
            "of shape (B,).",
            _one_at_a_time,
        ),
        Mistake(
            "zeros-after-end",
            "You fill up with zeros after END. Fill with END itself.",
            _with(finish=lambda words, ended: torch.where(ended, 0, words)),
        ),
        Mistake(
            "transposed",
            "Your result has a row for each step. It has a row for each sentence: stack with "
            "dim=1.",
            _after(lambda words, *rest: words.T),
        ),
        Mistake(
            "list-of-lists",
            "You return a list. Return a tensor of int64, (B, L).",
            _after(lambda words, *rest: words.tolist()),
        ),
        Mistake(
            "floats",
            "Your words are floats. Ids stay int64.",
            _after(lambda words, *rest: words.double()),
        ),
    ),
    hints=(
        "Keep three things from step to step: the words just said (B,), the state, and which "
        "sentences have ended (B,).",
        "Start with `tokens = torch.full((B,), start_id)`. After each step: words = argmax; where "
        "a sentence had ended, put END instead; then update which have ended.",
        "Leave the loop when `ended.all()` or after max_length steps; torch.stack(said, dim=1) "
        "makes (B, L).",
    ),
)
