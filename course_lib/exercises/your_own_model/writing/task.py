"""The reference, the cases and the hints of `own_text`."""

import torch

from course_lib.checker.tasks import Cases
from course_lib.exercises.your_own_model.small_model import text_inputs


def own_text(step, choose, tokens, length):
    """The prompt is read at once, for its keys and values; of its logits only the last are of use.
    From then on the model reads the one token that it has just written, and the caches hold the
    rest.

    Cost: Each token is read once."""
    caches, written = None, []
    for _ in range(length):
        logits, caches = step(tokens, caches)
        tokens = choose(logits[:, -1])[:, None]  # (B, 1): all that is new
        written.append(tokens)
    return torch.cat(written, dim=1)


case = Cases(sizes=(1, 2), dtypes=("float32",))


@case("a single token is written")
def single(s):
    """It is another than the prompt's last."""
    drawn = text_inputs(s, length=1, batch=1)
    for word, logits in enumerate(drawn.kwargs["table"].swapaxes(0, 1)):
        logits[:, word] -= 100
    return drawn


case(
    "one text, the likeliest token",
    lambda s: text_inputs(s, batch=1),
    place="A text of one new token is right, and a longer one is not. Count the rounds of your "
    "loop; and each step but the first reads the token that was written last, and gets the caches "
    "that the step before returned.",
)
case(
    "several texts",
    text_inputs,
    place="One text is right, and several are not. Each text goes on with its own token: "
    "`choose(logits[:, -1])` gives one for each.",
)
case(
    "another rule: the second likeliest",
    lambda s: text_inputs(s, rank=1, length=5 if s.size == 1 else 70),
)
case.hidden("a prompt of one token", lambda s: text_inputs(s, prompt=1))
case.hidden("a rule that lowers the logits of some words", lambda s: text_inputs(s, height=1.5))
case.hidden("the same token again and again", lambda s: text_inputs(s, height=-100.0))

HINTS = (
    "What must the model read at the first step, and what at every later one, if the caches hold "
    "all that came before?",
    "`logits, caches = step(tokens, caches)` in a loop; `logits[:, -1]` are those of the next "
    "token.",
    "`tokens = choose(logits[:, -1])[:, None]` is what is read next. Collect these, and join them "
    "with `torch.cat(…, dim=1)`.",
)

# Why special values do not come.
WITHOUT = {
    "example": "A step of a model is no value to print.",
    "dtype: float64 and float32": "A published model comes in one dtype.",
}
