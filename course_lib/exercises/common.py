"""What many tasks need: arrays stored in another order, and the mistakes that can be made in any of
them."""

import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from course_lib.checker.tasks import Candidate, Cases, Inputs, Mistakes, Sampler, Transposed

# A task of exercises 01 to 03: arrays are NumPy's, and so is the answer.
NUMPY = {"library": "numpy", "refused": ("course_lib", "torch")}


# What most often breaks a case, where no known mistake does.
OF_ONE = (
    "Perhaps a `squeeze()` without an axis: it takes away every axis of length one, also that of a "
    "single sentence or word. Name the one that you mean, as in `squeeze(1)`, or index it."
)
EQUAL = (
    "Perhaps something goes by lengths, and takes a wrong axis, or one input for another, where "
    "all are equally long: write the shape beside each line, and say each axis by its number."
)
ORDER = (
    "Perhaps `view` wants the numbers in memory in their order, which a transposed tensor has not: "
    "use `reshape`."
)
KEPT = (
    "Perhaps your module keeps something of an earlier call in `self`. What belongs to one batch, "
    "a mask or projected keys, is made anew from the arguments in each call."
)
MASKED = (
    "Without a mask it is right, so the mask is where to look. True means “may attend”: scores "
    "with `~mask` become -inf before the softmax, and their weights 0 after it."
)
HEADS = (
    "Perhaps an axis is counted from the front. With heads there is one more in front, and without "
    "a batch one fewer: count from the end, -1 and -2."
)
STRETCHED = (
    "Perhaps the mask is indexed, or given another axis. It may have fewer rows or axes than the "
    "scores: `masked_fill` and `torch.where` stretch it."
)
NO_MASK = "Perhaps the mask is used without asking: `if mask is not None:`."
OVERFLOW = (
    "Perhaps exp overflows for large scores, or all of a row become 0, far below one maximum of "
    "the whole tensor. `torch.softmax` takes the largest of each row away first; by hand, subtract "
    "`scores.amax(-1, keepdim=True)`."
)
TOO_HIGH = (
    "Perhaps what you fill forbidden scores with is not below all others, or a forbidden score is "
    "the largest that you subtract, or exp overflows because nothing is subtracted. Fill with -inf "
    "before anything else; `softmax` then takes the largest of each row away."
)
ZERO_ALLOWED = (
    "A score may be exactly 0 and allowed all the same: it then weighs exp(0) = 1 before the "
    "division. Perhaps the mask is multiplied in, or `tril` applied, and what is 0 afterwards "
    "becomes -inf: ask the mask itself, `~mask`, which places are forbidden. And what is forbidden "
    "weighs exactly 0."
)
ONE_KEY = (
    "Perhaps a single key is given weight 1 without a look at the mask. Where that is False, "
    "nothing may be seen, and the weight is 0."
)
PER_QUERY = (
    "Perhaps a mask of two axes is taken for one row for each sentence where the lengths allow it. "
    "It is (T, S), a row for each query: what stands last lines up by itself."
)
NO_DROPOUT = (
    "In training mode, a module's own mode until `eval()` is called, the numbers are others. "
    "Perhaps there is a dropout: leave it out."
)
NAN_BACK = (
    "Perhaps nan arises in a row without anything allowed, and is replaced afterwards: the way "
    "back meets it all the same, for 0 times nan is nan. Let none arise: `masked_fill` the scores "
    "before the softmax, and put zeros after it."
)


def single(values: Any) -> np.ndarray:
    """A float32 array: what `torch.tensor` makes of the floats of an example."""
    return np.asarray(values, np.float32)


def stored(args: Sequence, *axes: tuple[int, int] | None) -> tuple:
    """The arguments with two axes of each swapped in memory; None leaves one as it is."""
    pairs = zip(args, axes, strict=True)
    return tuple(Transposed(arg, swapped) if swapped else arg for arg, swapped in pairs)


def family(mistakes: Mistakes, sentence: str, **variants: tuple[str, ...]) -> None:
    """One slip in several writings, each a change of the reference: names with "-" for "_"."""
    for name, words in variants.items():
        mistakes.change(name.replace("_", "-"), *words).says(sentence)


def two_calls(answer, **given):
    """Both results, after both calls: neither call may know of the other."""
    args = list(given.values())
    half = len(args) // 2
    return answer(*args[:half]), answer(*args[half:])


TWO_CALLS = Candidate("two_calls", inspect.getsource(two_calls))


def called_twice(
    case: Cases,
    names: Sequence[str],
    draw: Callable[[Sampler], tuple],
    then: Callable | None = None,
) -> None:
    """Adds the case of two calls with other numbers of the same shapes, which `draw` gives for the
    arguments with these names; `then` draws those of the second call."""

    def calls(s: Sampler) -> Inputs:
        drawn = zip(("first", "second"), (draw(s), (then or draw)(s)), strict=True)
        given = {
            f"{nth}_{name}": v for nth, call in drawn for name, v in zip(names, call, strict=True)
        }
        return Inputs(kwargs=given, examiner=TWO_CALLS)

    case(
        "two calls with other numbers of the same shape",
        calls,
        perhaps=(
            "Alone each call is right; one after the other they are not. Something is kept between "
            "calls, in a variable outside the function, in a default argument, or in one array for "
            "all results: make everything anew from the arguments."
        ),
        tells="The answer is called twice, and each call must know nothing of the other.",
        parts={
            f"[{i}]{part}": f"The {word} of the {nth} call"
            for i, nth in enumerate(("first", "second"))
            for part, word in (("", "result"), ("[0]", "first result"), ("[1]", "second result"))
        },
    )


def summed_wrongly(mistakes: Mistakes, product: Callable, axis: int, names: Sequence[str]) -> None:
    """A product whose axes have `names` is to be summed over one, and is summed over others."""
    kept = range(len(names))
    for count in range(len(names) + 1):
        for over in itertools.combinations(kept, count):
            if over == (axis,):
                mistakes.by(
                    "mean-over-the-right-axis", lambda *args: product(*args).mean(axis=axis)
                ).says(f"""You multiply, and then take the mean over axis {axis} ({names[axis]}).
                    Add up: `.sum(axis={axis})`, which divides by nothing.""")
                continue
            what = " and ".join(f"axis {one} ({names[one]})" for one in over) or "nothing"
            cure = f"Sum over axis {axis} ({names[axis]}) alone; every other axis has to stay."
            for how, word in (("sum", "add up over"), ("mean", "take the mean over"))[: 1 + count]:
                if word == "take the mean over" and not over:
                    continue
                mistakes.by(
                    f"{how}-over-{'-'.join(map(str, over)) or 'nothing'}",
                    lambda *args, how=how, over=over: getattr(product(*args), how)(axis=over),
                ).says(f"You multiply, and then {word} {what}. {cure}")


def called_wrongly(mistakes: Mistakes, part: Mistakes, *names: str) -> None:
    """What goes wrong in an earlier task, in an answer that calls it."""
    called = part.reference.__name__
    for one in part.all:
        if one.name in names:
            sentence = f"{one.sentence} If you call your `{called}`, repair it there."
            mistakes.by(one.name, mistakes.changed(**{called: one.answer})).says(sentence)


def pair_mistakes(mistakes: Mistakes, first: str, second: str) -> None:
    """The answer returns something else than its pair, which the reference has in two names."""
    pair = f"return {first}, {second}"
    mistakes.change(f"{first}-alone", pair, f"return {first}").says(
        f"You return `{first}` alone. Return both: `{pair}`."
    )
    mistakes.change(f"{second}-alone", pair, f"return {second}").says(
        f"You return `{second}` alone. Return both: `{pair}`."
    )
    mistakes.change(f"{second}-first", pair, f"return {second}, {first}").says(
        f"You return `{second}` first. The order is `{pair}`."
    )
    mistakes.change(f"{second}-missing", pair, f"return {first}, None").says(
        f"Your second result is None. It is `{second}`: `{pair}`."
    )
    mistakes.change("list", pair, f"return [{first}, {second}]").says(
        f"You return a list. Return a tuple: `{pair}`."
    )


def detached(mistakes: Mistakes) -> None:
    """The numbers are right, and torch does not know where they come from."""

    def cut(result: Any) -> Any:
        return tuple(map(cut, result)) if isinstance(result, tuple) else result.detach()

    right = mistakes.reference
    mistakes.by("detached", lambda *args, **named: cut(right(*args, **named))).says("""
        Your numbers are right, but no gradient flows back, so nothing could be learned. Stay with
        torch operations on the inputs: no `detach`, `.data`, `no_grad` or NumPy.
    """)


def always_float64(mistakes: Mistakes) -> None:
    """The answer computes in float64 and forgets to come back."""

    def wide(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return value.astype(np.float64) if value.dtype.kind == "f" else value
        return value.double() if hasattr(value, "double") and value.is_floating_point() else value

    right = mistakes.reference
    mistakes.by(
        "always-float64", lambda *args, **kwargs: right(*map(wide, args), **kwargs)
    ).says("""
        Your result is float64 whatever comes in. Keep the dtype of the inputs: avoid `dtype=float`
        and arrays that you create without a dtype.
    """)


def changes_input(mistakes: Mistakes, *names: str) -> None:
    """The answer is right, but it has written into one of its arguments."""
    parameters = list(inspect.signature(mistakes.reference).parameters)
    for name in names:
        mistakes.by(
            f"changes-{name.replace('_', '-')}",
            _changing(mistakes.reference, parameters.index(name)),
        ).says(f"""You write into `{name}`, which belongs to the caller (`+=`, `*=` and assignment
            to `{name}[…]` work in place). Make a new one instead.""")


def _changing(right: Callable, position: int) -> Callable:
    def answer(*args, **kwargs):
        result = right(*args, **kwargs)
        written = args[position]
        written = written.detach() if hasattr(written, "detach") else written
        written[...] = 1 - written
        return result

    return answer
