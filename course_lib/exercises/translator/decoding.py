"""Task `greedy_decode`: say the likeliest word, hear it, go on, until every sentence has ended."""

import numpy as np
import torch

from course_lib.grading.tasks import Cases, Inputs, LookupStep, Sampler, task


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
    """A loop that carries three things: the words just said, the state, and which sentences have
    ended. A batch has one shape, so a sentence that has ended still goes through the loop, but says
    END from then on. The loop stops when all have ended or at the limit, and both may come in the
    same step.

    Cost: At most max_length calls of `step`, one after the other, because each reads the word of
    the one before."""
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


case = Cases(dtypes=("float64",))


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
# The longest sentence says END with its last allowed word.
case.hidden("an END as the last allowed word", lambda s: draw(s, [1, s.size + 2], s.size + 2))


class Mistakes:
    def stops_at_first_end(*args):
        """You stop when the first sentence has ended and cut the others off. Go on until all have
        ended."""
        return decode(*args, stop=torch.any)

    def words_after_end(*args):
        """Finished sentences go on talking. Once a sentence has said END, all its later words are
        END."""
        return decode(*args, finish=lambda words, ended: words)

    def never_stops(step, state, start_id, end_id, max_length):
        """You always run to max_length. Stop when every sentence has said END: the result is as
        long as the longest sentence."""
        words = greedy_decode(step, state, start_id, end_id, max_length)
        return torch.nn.functional.pad(words, (0, max_length - words.shape[1]), value=end_id)

    def start_kept(step, state, start_id, *rest):
        """Your result begins with START. It begins with the first word that was said."""
        words = greedy_decode(step, state, start_id, *rest)
        return torch.nn.functional.pad(words, (1, 0), value=start_id)

    def end_dropped(*args):
        """You drop the last column, the END of the longest sentence. It counts."""
        return greedy_decode(*args)[:, :-1]

    def start_heard_again(step, state, start_id, *rest):
        """The decoder hears START at every step. Give it the word it has just said."""
        return decode(
            step, state, start_id, *rest, heard=lambda words: torch.full_like(words, start_id)
        )

    def state_not_passed_on(*args):
        """You give the first state to every step. Keep the state that step returns and give it to
        the next."""
        return decode(*args, next_state=lambda new, old: old)

    def unlikeliest(*args):
        """You take the smallest logit. Take the largest: argmax."""
        return decode(*args, pick=lambda logits: logits.argmin(-1))

    def second_best(*args):
        """You do not take the likeliest word. Greedy means the largest logit of each row."""
        return decode(*args, pick=lambda logits: logits.topk(2).indices[:, 1])

    def same_word_for_all(*args):
        """Every sentence says the word of the first. Take argmax for each row: dim=-1."""
        return decode(*args, pick=lambda logits: logits[:1].argmax(-1).expand(len(logits)))

    def one_step_too_few(*args):
        """You stop one step early: max_length words are allowed."""
        return decode(*args, extra=-1)

    def one_step_too_many(*args):
        """You take one step too many: at most max_length words are allowed."""
        return decode(*args, extra=1)

    def item(step, state, start_id, end_id, max_length):
        """`.item()` works for a single sentence only. Keep the words of the batch in a tensor of
        shape (B,)."""
        # Written for a batch of one: .item() of several words raises.
        words, token = [], start_id
        while len(words) < max_length and token != end_id:
            logits, state = step(torch.full((len(state),), token), state)
            token = logits.argmax(-1).item()
            words.append(token)
        return torch.tensor([words])

    def zeros_after_end(*args):
        """You fill up with zeros after END. Fill with END itself."""
        return decode(*args, finish=lambda words, ended: torch.where(ended, 0, words))

    def transposed(*args):
        """Your result has a row for each step. It has a row for each sentence: stack with dim=1."""
        return greedy_decode(*args).T

    def list_of_lists(*args):
        """You return a list. Return a tensor of int64, (B, L)."""
        return greedy_decode(*args).tolist()

    def floats(*args):
        """Your words are floats. Ids stay int64."""
        return greedy_decode(*args).double()


HINTS = (
    "Keep three things from step to step: the words just said (B,), the state, and which "
    "sentences have ended (B,).",
    "Start with `tokens = torch.full((B,), start_id)`. After each step: words = argmax; where a "
    "sentence had ended, put END instead; then update which have ended.",
    "Leave the loop when `ended.all()` or after max_length steps; torch.stack(said, dim=1) makes "
    "(B, L).",
)
GREEDY_DECODE = task(greedy_decode, 3, case.all, Mistakes, HINTS)
