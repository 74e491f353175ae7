"""The reference, the cases and the hints of `own_choice`."""

import numpy as np
import torch

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.your_own_model.lent import softmax_with_temperature, top_p


def own_choice(logits, temperature, p):
    """A temperature stretches or shrinks the differences of the logits, the softmax makes
    probabilities of them, and top-p keeps those of the likeliest words. In this order: what is
    kept hangs on the temperature.

    Cost: A softmax and a sort of each row."""
    weights = softmax_with_temperature(logits.cpu().numpy(), temperature)
    return top_p(torch.from_numpy(weights).to(logits.device), p)


def draw(
    s: Sampler, low: float = 0.3, high: float = 3.0, p: tuple = (0.3, 0.9), rows: int = 1
) -> Inputs:
    """p lies in the middle between two sums, where rounding decides nothing. A second row is the
    first one backwards."""
    _rows, words = s.dims(2, low=4)
    temperature = round(float(s.rng.uniform(low, high)), 2)
    logits = s.floats(1, words, scale=2.0)
    exps = torch.from_numpy(logits / temperature).double().softmax(-1)[0]
    sums = exps.sort(descending=True).values.cumsum(0)
    wanted = float(s.rng.uniform(*p))
    at = int((sums < wanted).sum())
    below = float(sums[at - 1]) if at else 0.0
    logits = np.concatenate([logits, logits[:, ::-1]])[:rows]
    return Inputs((logits, temperature, round((below + float(sums[at])) / 2, 6)))


TWO = "Perhaps two rows share one softmax or one cut: each has its own."
case = Cases(dtypes=("float32",), atol=1e-5)
case("temperature 1, and p = 1 keeps every word", lambda s: (s.floats(2, s.size + 3), 1.0, 1.0))
case(
    "another temperature, and p = 1",
    lambda s: (s.floats(2, s.size + 3, scale=2.0), 0.7 + s.size / 4, 1.0),
    place="With temperature 1 it is right, and with another it is not. The logits are divided by "
    "the temperature before the softmax, which makes them sum to 1; nothing comes after it but "
    "`top_p`.",
)
case(
    "temperature 1, and not every word is kept",
    lambda s: draw(s, 1.0, 1.0),
    place="With p = 1 it is right, and where words are left out it is not. `top_p` gets the "
    "probabilities and p, and what it returns is the result.",
)
case(
    "a temperature below one",
    lambda s: draw(s, 0.3, 0.8),
    place="A temperature alone is right, and p alone as well; both together are not. First the "
    "temperature, then `top_p`: which words are kept hangs on the probabilities that it makes.",
)
case("a temperature above one", lambda s: draw(s, 1.5, 3.0))
case("a small p, two rows", lambda s: draw(s, p=(0.05, 0.2), rows=2), perhaps=TWO)
case.hidden("a large p, two rows", lambda s: draw(s, p=(0.85, 0.95), rows=2), perhaps=TWO)

HINTS = (
    "Two of your functions, one after the other. Which comes first?",
    "`softmax_with_temperature` takes a NumPy array and returns one: `logits.numpy()` before it, "
    "`torch.from_numpy(…)` after it.",
    "`top_p(torch.from_numpy(softmax_with_temperature(logits.numpy(), temperature)), p)`.",
)

# Why special values do not come.
WITHOUT = {
    "example": "Its text has one to compute by hand.",
    "scores: far apart and hot": "softmax_with_temperature is asked for them.",
    "dtype: float64 and float32": "A published model comes in one dtype.",
}
