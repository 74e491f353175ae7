"""Task `MultiHeadAttention`: project, split, attend in every head at once, merge, project."""

import math
from collections.abc import Callable

import numpy as np
from torch import nn

from course_lib.exercises.attention_parts import weigh
from course_lib.exercises.multi_head.heads import merge_heads, split_heads
from course_lib.exercises.multi_head.module_mistakes import MISTAKES
from course_lib.grading.tasks import Case, Inputs, Sampler, Task


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.W_q(query), self.num_heads)  # (B, H, T, d/H)
        k = split_heads(self.W_k(key), self.num_heads)  # (B, H, S, d/H)
        v = split_heads(self.W_v(value), self.num_heads)  # (B, H, S, d/H)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, H, T, S)
        weights = weigh(scores, mask)
        return self.W_o(merge_heads(weights @ v)), weights


def inputs(
    s: Sampler, *, num_heads=None, d_head=None, lengths=None, mask="", nothing=False, grads=False
) -> Inputs:
    """One call. `mask` names its axes out of B, H, T, S and 1; `lengths` is (B, T, S)."""
    batch, n_queries, n_keys = lengths or s.dims(3)
    num_heads = num_heads or int(s.rng.integers(2, 4))
    d_model = num_heads * (d_head or 1 + s.size)
    names = [f"W_{letter}.{part}" for letter in "qkvo" for part in ("weight", "bias")]
    state = {n: s.floats(*[d_model] * (1 + n.endswith("weight")), scale=0.7) for n in names}
    args = (
        s.floats(batch, n_queries, d_model),
        s.floats(batch, n_keys, d_model),
        s.floats(batch, n_keys, d_model),
    )
    if mask:
        sizes = {"B": batch, "H": num_heads, "T": n_queries, "S": n_keys, "1": 1}
        drawn = s.mask(*(sizes[axis] for axis in mask))
        if nothing:
            drawn[..., 0, :] = False
        args = (*args, drawn)
    upstream = None
    if grads:
        upstream = (
            s.floats(batch, n_queries, d_model),
            s.floats(batch, num_heads, n_queries, n_keys),
        )
    return Inputs(args, init=(d_model, num_heads), state=state, upstream=upstream)


def drawn(**choices) -> Callable[[Sampler], Inputs]:
    return lambda s: inputs(s, **choices)


def high_forbidden(s: Sampler) -> Inputs:
    """Forbidden scores are thousands above those that are allowed, in every head."""
    made = inputs(s, mask="B11S")
    made.state["W_q.weight"][...] = 0
    made.state["W_q.bias"][...] = 1
    np.abs(made.state["W_k.weight"], out=made.state["W_k.weight"])
    made.args[1][~made.args[3][:, 0, 0]] += 5000
    return made


def case(name: str, draw: Callable[[Sampler], Inputs], hidden: bool = False) -> Case:
    """Two sizes are enough, and a module costs more to run than a function."""
    return Case(name, draw, hidden, sizes=(1, 3))


MODULE = Task(
    name="MultiHeadAttention",
    points=6,
    reference=MultiHeadAttention,
    idea=(
        "Four layers, and between them what you have already written: project, split, attend, "
        "merge, project. Heads are one more batch axis, so all of them run in one matrix "
        "product and the mask broadcasts over them. Each head scales by the root of its own "
        "length, √(d/H). The last layer, W_o, is where the heads' results are mixed."
    ),
    cost=(
        "For T = S: 4·T·d² multiplications in the layers and 2·T²·d in the attention, "
        "whatever the number of heads."
    ),
    cases=(
        case("self-attention of two heads, no mask", drawn(num_heads=2, lengths=(2, 3, 3))),
        case("more keys than queries, or fewer", drawn()),
        case("a mask over queries and keys", drawn(mask="TS")),
        case("a mask for each sentence", drawn(mask="B1TS")),
        case("a forbidden score far above the others", high_forbidden),
        case("gradients reach inputs and parameters", drawn(grads=True)),
        case("a mask for each head", drawn(mask="BHTS"), hidden=True),
        case("padding: one mask row for all queries", drawn(mask="B11S"), hidden=True),
        case(
            "a query that may attend to nothing: zero weights, finite gradients",
            drawn(mask="BHTS", nothing=True, grads=True),
            hidden=True,
        ),
        case("a single head", drawn(num_heads=1, mask="B1TS"), hidden=True),
        case("a batch of one, one key", drawn(lengths=(1, 3, 1)), hidden=True),
    ),
    mistakes=MISTAKES,
    hints=(
        "Draw the way of one query through the module. Which steps have you written already, "
        "and which four hold parameters?",
        "In forward: project, `split_heads` each of the three, and attend as in exercise 07. "
        "With four axes all heads run in one matrix product.",
        "Divide by the root of `q.shape[-1]` after the split. Then `merge_heads`, then W_o. The "
        "mask broadcasts by itself; fill forbidden weights with 0 after the softmax.",
    ),
)
