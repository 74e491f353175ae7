"""What goes wrong in `own_choice`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.your_own_model.choice.task import own_choice
from course_lib.exercises.your_own_model.lent import top_p


def _cooled(weights, temperature):
    return (weights.clamp(min=1e-30).log() / temperature).softmax(-1) * (weights > 0)


GIVES = "return top_p(torch.from_numpy(weights).to(logits.device), p)"
MISTAKES = Mistakes(own_choice, globals())
MISTAKES.change("no-top-p", GIVES, "return torch.from_numpy(weights)").says("""
    Your temperature is right, and no word is left out. Hand the probabilities to `top_p`.
""")
MISTAKES.change(
    "no-temperature", "logits.cpu().numpy(), temperature", "logits.cpu().numpy(), 1.0"
).says("""
    You do not use the temperature. Hand it to `softmax_with_temperature`.
""")
MISTAKES.change(
    "temperature-turned-round",
    "logits.cpu().numpy(), temperature",
    "logits.cpu().numpy(), 1 / temperature",
).says("""
    Your temperature works the wrong way round: the logits are *divided* by it, which
    `softmax_with_temperature` does by itself.
""")
MISTAKES.change(
    "temperature-twice",
    "logits.cpu().numpy(), temperature",
    "logits.cpu().numpy() / temperature, temperature",
).says("""
    You divide by the temperature twice: `softmax_with_temperature` does it already.
""")
MISTAKES.by(
    "top-p-first",
    lambda logits, temperature, p: _renormalised(
        _cooled(top_p(logits.softmax(-1), p), temperature)
    ),
).says("""
    You cut with p before the temperature has been at work. First the temperature, then `top_p`:
    what is kept hangs on it.
""")
MISTAKES.change(
    "a-token",
    GIVES,
    "return top_p(torch.from_numpy(weights), p).argmax(-1, keepdim=True)",
).says("""
    You return a token. The probabilities from which one is drawn are asked, (B, V).
""")
MISTAKES.by(
    "top-p-of-logits",
    lambda logits, temperature, p: (top_p(logits, p) / temperature).softmax(-1),
).says("""
    You hand the logits to `top_p`, which takes probabilities. First come the temperature and the
    softmax, then `top_p`.
""")
family(
    MISTAKES,
    """You hand 1 − p to `top_p`. It takes p, what the kept words have to reach.""",
    the_rest=(GIVES, "return top_p(torch.from_numpy(weights), 1 - p or 1)"),
    the_rest_of_1=(GIVES, "return top_p(torch.from_numpy(weights), 1 - p)"),
)


def _renormalised(weights):
    return weights / weights.sum(-1, keepdim=True)


@MISTAKES.says("""
    You draw a token. The probabilities from which one is drawn are asked, (B, V).
""")
def a_drawn_token(logits, temperature, p):
    return torch.multinomial(own_choice(logits, temperature, p), 1)


@MISTAKES.says("""
    `temperature` and `p` stand in each other's place. The logits are divided by the temperature,
    and `top_p` takes p.
""")
def temperature_and_p_exchanged(logits, temperature, p):
    return top_p((logits / p).softmax(-1), temperature)


PROBABILITIES = """
    You divide probabilities by the temperature. It is the logits that are divided, before the
    softmax; `top_p` comes last.
"""
MISTAKES.by(
    "temperature-on-kept-probabilities",
    lambda logits, temperature, p: (top_p(logits.softmax(-1), p) / temperature).softmax(-1),
).says(PROBABILITIES)
MISTAKES.by(
    "temperature-on-probabilities",
    lambda logits, temperature, p: top_p((logits.softmax(-1) / temperature).softmax(-1), p),
).says(PROBABILITIES)
MISTAKES.by(
    "probabilities-divided",
    lambda logits, temperature, p: top_p(logits.softmax(-1) / temperature, p),
).says(PROBABILITIES)
MISTAKES.by(
    "softmax-over-the-batch",
    lambda logits, temperature, p: top_p(_renormalised((logits / temperature).softmax(0)), p),
).says("""
    Your softmax runs over the batch, so texts take probability from each other. It runs over the
    words: axis=-1.
""")
