"""Writing token by token: every decoder of this course steps alike, whatever it is made of.

    logits, state, weights = model.step(tokens, state)

`tokens` (B,) are the last ones, `logits` (B, V) those of the next ones, and `weights` (B, S) say
where the decoder looked in its source, or are None. `state.reorder(index)` returns the state of
the rows `index` of the batch; rows may repeat, so beam search needs nothing else. A step may change
its state in place: for a second try from the same state keep `copy.copy(state)`, as the searches do
by themselves. `Writer` and `Reader` say what `generate` and `speculative_decode` need besides.

sampling        one token from its logits
loop            a prompt, continued token by token, with a cache or without
search          the likeliest sentence: greedy, or with a beam
speculative     a small model drafts, the large one judges several tokens at once
decoder         what all of them need of a model
"""

from course_lib.generation.decoder import Decoder, Reader, State, Writer, evaluating
from course_lib.generation.loop import generate
from course_lib.generation.sampling import sample, sampling_probabilities
from course_lib.generation.search import beam_search, greedy_search
from course_lib.generation.speculative import judge, speculative_decode

__all__ = [
    "Decoder",
    "Reader",
    "State",
    "Writer",
    "beam_search",
    "evaluating",
    "generate",
    "greedy_search",
    "judge",
    "sample",
    "sampling_probabilities",
    "speculative_decode",
]
