"""Task `MultiHeadAttention`: project, split, attend in every head at once, merge, project."""

from collections.abc import Callable

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler, task
from course_lib.exercises.attention_parts import AGAIN, called_again
from course_lib.exercises.common import KEPT, MASKED, OF_ONE, STRETCHED, TOO_HIGH
from course_lib.exercises.multi_head.module_mistakes import MISTAKES


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


case = Cases(sizes=(1, 3))
case("self-attention of two heads, no mask", drawn(num_heads=2, lengths=(2, 3, 3)))
case("more keys than queries, or fewer", drawn())
case("a mask over queries and keys", drawn(mask="TS"), perhaps=MASKED)
case("a mask for each sentence", drawn(mask="B1TS"))


@case("a forbidden score far above the others", perhaps=TOO_HIGH)
def high_forbidden(s):
    """Forbidden scores are thousands above those that are allowed, in every head."""
    made = inputs(s, mask="B11S")
    made.state["W_q.weight"][...] = 0
    made.state["W_q.bias"][...] = 1
    np.abs(made.state["W_k.weight"], out=made.state["W_k.weight"])
    made.args[1][~made.args[3][:, 0, 0]] += 5000
    return made


case("gradients reach inputs and parameters", drawn(grads=True))
case(
    "a module that is called again",
    lambda s: called_again(s, inputs(s, mask="BHTS")),
    **AGAIN,
    perhaps=KEPT,
)
case.hidden("a mask for each head", drawn(mask="BHTS"), perhaps=STRETCHED)
case.hidden("padding: one mask row for all queries", drawn(mask="B11S"), perhaps=STRETCHED)
case.hidden(
    "a query that may attend to nothing: zero weights, finite gradients",
    drawn(mask="BHTS", nothing=True, grads=True),
)


@case.hidden("allowed scores far below the forbidden ones", dtypes=("float64",), perhaps=TOO_HIGH)
def low_allowed(s):
    """Allowed scores are far below any constant that one thinks low, in every head."""
    made = inputs(s, mask="B11S")
    made.state["W_q.weight"][...] = 0
    made.state["W_q.bias"][...] = 1
    np.abs(made.state["W_k.weight"], out=made.state["W_k.weight"])
    made.args[1][made.args[3][:, 0, 0]] -= 1e5
    return made


case.hidden("a single head", drawn(num_heads=1, mask="B1TS"))
case.hidden("a batch of one, one key", drawn(lengths=(1, 3, 1)), perhaps=OF_ONE)


HINTS = (
    "Draw the way of one query through the module. Which steps have you written already, and "
    "which four hold parameters?",
    "In forward: project, `split_heads` each of the three, and attend as in exercise 07. With "
    "four axes all heads run in one matrix product.",
    "Divide by the root of `q.shape[-1]` after the split. Then `merge_heads`, then W_o. The mask "
    "broadcasts by itself; fill forbidden weights with 0 after the softmax.",
)
MODULE = task(MISTAKES, 5, case.all, HINTS, returns=("output", "weights"))
