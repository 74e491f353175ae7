"""How a translator is examined, whatever it is made of: each function gets the student's class and
a batch, and says in words what it finds.

Their text enters the cell in which the student's class runs, as that of lab 3's mutants does.
"""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F

from course_lib.checker.tasks import Candidate
from course_lib.exercises.mutants import HEADER, source

PAD, START, END = 0, 2, 3
FIRST_WORD = 4  # below it are <pad>, <unk>, <start> and <end>
NO_PART = "no part in the logits"
AS_IF_RESHAPED, FROM_ABOVE = ", as if states were reshaped", ", from the targets above it"
SPECIALS = f"""PAD, START, END = 0, 2, 3
FIRST_WORD = {FIRST_WORD}
NO_PART = {NO_PART!r}
AS_IF_RESHAPED, FROM_ABOVE = {AS_IF_RESHAPED!r}, {FROM_ABOVE!r}


"""


def examiner(function: Callable, *needs: Callable) -> Candidate:
    """A function as the text that enters a cell, after those that it needs."""
    text = "\n\n".join(source(one) for one in (*needs, function))
    return Candidate(function.__name__, HEADER + SPECIALS + text)


def untrained(Translator, target, sizes):
    """A fresh model, what its decoder reads, and what it must say."""
    inputs = F.pad(target, (1, 0), value=START)
    labels = F.pad(target, (0, 1), value=PAD)
    labels[torch.arange(len(labels)), (target != PAD).sum(1)] = END
    return Translator(*sizes).eval(), inputs, labels


def same(a, b):
    return a.shape == b.shape and bool(((a - b).abs() < 1e-4).all())


def shapes(Translator, source, target, sizes):
    model, inputs, _ = untrained(Translator, target, sizes)
    found = model(source, inputs)
    if not isinstance(found, tuple | list) or len(found) != 2:
        return "not a pair"
    return f"logits {tuple(found[0].shape)}, weights {tuple(found[1].shape)}"


def first_loss(Translator, source, target, sizes):
    model, inputs, labels = untrained(Translator, target, sizes)
    logits, _ = model(source, inputs)
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=PAD)
    if loss.isnan():
        return "nan"
    share = loss.item() / math.log(sizes[1])
    return "far below log V" if share < 0.85 else "about log V" if share < 1.15 else "not log V"


def range_of_logits(Translator, source, target, sizes):
    model, inputs, _ = untrained(Translator, target, sizes)
    logits, _ = model(source, inputs)
    ones = torch.ones(logits.shape[:-1])
    return "probabilities" if same(logits.sum(-1), ones) and (logits >= 0).all() else "any numbers"


def row_sums(Translator, source, target, sizes):
    model, inputs, _ = untrained(Translator, target, sizes)
    _, weights = model(source, inputs)
    if not same(weights.sum(-1), torch.ones(weights.shape[:-1])):
        return "rows that do not sum to one"
    return "weights below zero" if (weights < 0).any() else "rows that sum to one"


def weight_on_padding(Translator, source, target, sizes):
    model, inputs, _ = untrained(Translator, target, sizes)
    _, weights = model(source, inputs)
    padding = source == PAD
    held = (weights * padding[:, None]).sum(-1)[padding.any(-1)]  # of each step, (n, T)
    if (held == 0).all():
        return "none"
    if ((held - 1).abs() < 1e-4).all():
        return "all"
    return "a little" if (held.abs() < 0.05).all() else "some"


def again(model, source, inputs):
    """The logits, and whether a second call gives others: for what is kept of the first, or for
    what is drawn at random."""
    calls = []
    with torch.random.fork_rng(devices=[]):
        for seed in (0, 0, 1):
            torch.manual_seed(seed)
            calls.append(model(source, inputs)[0])
    if not same(calls[0], calls[1]):
        return calls[0], "other logits in a later call"
    return calls[0], "" if same(calls[0], calls[2]) else "other logits each time"


def more_padding(Translator, source, target, sizes):
    model, inputs, _ = untrained(Translator, target, sizes)
    few, other = again(model, source, inputs)
    if few.isnan().any():
        return "nan"
    if other:
        return other
    more, _ = model(F.pad(source, (0, 3), value=PAD), F.pad(inputs, (0, 2), value=PAD))
    return "the same logits" if same(few, more[:, : few.shape[1]]) else "other logits"


def mixed(model, source, inputs, sizes):
    """From which other sentence of the batch something comes, by changing one after the other."""
    before, found = model(source, inputs)[0], [set(), set()]
    for part, size in enumerate(sizes[:2]):
        for b in range(len(source)):
            given = [source.clone(), inputs.clone()]
            words = given[part][b]
            given[part][b] = torch.where(words > 3, (words - 3) % (size - 4) + 4, words)
            after = model(*given)[0]
            rows = (row for row in range(len(source)) if not same(before[row], after[row]))
            found[part] |= {(row, b) for row in rows if row != b}
    n = len(source)
    joined = {(row, c % n) for row in range(n) for c in (2 * row, 2 * row + 1)}
    if found == [{(row, c) for row, c in joined if row != c}, set()]:
        return AS_IF_RESHAPED
    above = {(row, b) for row in range(n) for b in range(row)}
    return FROM_ABOVE if found == [set(), above] else ""


def alone(Translator, source, target, sizes):
    model, inputs, _ = untrained(Translator, target, sizes)
    for training in (False, True):
        model.train(training)
        logits, other = again(model, source, inputs)
        if logits.isnan().any():
            return "nan"
        if other:
            if training:  # it has dropout
                break
            return other
        for b, row in enumerate(logits):
            n, t = int((source[b] != PAD).sum()), int((inputs[b] != PAD).sum())
            if not same(row[None, :t], model(source[b : b + 1, :n], inputs[b : b + 1, :t])[0]):
                if training:
                    return "other logits in a batch than alone, in training"
                return "other logits in a batch than alone" + mixed(model, source, inputs, sizes)
    return "the same logits"


def later_words(Translator, source, target, sizes):
    model, inputs, _ = untrained(Translator, target, sizes)
    logits, _ = model(source, inputs)
    changed = inputs.clone()
    changed[:, 2:] = (changed[:, 2:] + 1 - 4) % (sizes[1] - 4) + 4
    before = model(source, changed)[0][:, :2]
    return "the same logits before them" if same(logits[:, :2], before) else "other logits before"


def own_look(Translator, source, target, sizes):
    model, inputs, _ = untrained(Translator, target, sizes)
    _, weights = model(source, inputs)
    moved = (weights[:, 1:3] - weights[:, :1]).abs().amax() > 1e-5
    return "each step has its own weights" if moved else "all steps have the same weights"


def rows_of(part, width):
    """The rows of a part of a product if they may be weights, filled up with zeros to a width:
    nothing is below zero and each sums to one."""
    while part.dim() > 1 and part.shape[-1] == 1:
        part = part.select(-1, 0)
    for rows in (part, part.mT) if part.dim() > 1 else (part,):
        rows = rows.reshape(-1, rows.shape[-1])
        sums = rows.sum(-1)
        if rows.shape[-1] <= width and (rows >= 0).all() and same(sums, torch.ones_like(sums)):
            return [F.pad(rows, (0, width - rows.shape[-1]))]
    return []


def looks(model, source, inputs):
    """The weights that a model returns, and the rows of weights in those of its products from which
    a way leads to the logits: what is looked up beside them mixes nothing."""
    products = {"matmul", "rmatmul", "bmm", "mm", "mv", "baddbmm", "einsum", "tensordot"}
    found = []

    class Watch(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            out = function(*args, **(kwargs or {}))
            name = getattr(function, "__name__", "").strip("_")
            if name in products | {"mul", "rmul", "multiply"}:
                for one in (part for a in args for part in (a if isinstance(a, list) else [a])):
                    is_part = isinstance(one, torch.Tensor) and one.dim() > 0
                    # What keeps its shape is masked, and makes no sum.
                    if is_part and (name in products or one.shape != out.shape):
                        rows = rows_of(one.detach().float(), source.shape[1])
                        found.append((out.grad_fn, rows))
            return out

    with Watch():
        logits, weights = model(source, inputs)
    ways, ahead = set(), [logits.grad_fn]
    while ahead:
        step = ahead.pop()
        if step is not None and step not in ways:
            ways.add(step)
            ahead.extend(before for before, _ in step.next_functions)
    rows = [row for step, some in found if step in ways for row in some]
    return weights.detach().flatten(0, 1), rows


def found_in(rows, others):
    """Whether each of these rows is among the others."""
    return bool(((rows[:, None] - others).abs().amax(-1) < 1e-4).any(1).all())


def used_weights(Translator, source, target, sizes):
    """Weights that are among those of the products are used, unless a product holds as many
    rows, or a multiple of them as with several heads, and others than these. Where there
    are more rows, of several heads or layers, their mean may be returned: no number of it is above
    all of theirs. Where there are fewer, the model looks in a way that is not seen here."""
    model, inputs, _ = untrained(Translator, target, sizes)
    returned, products = looks(model, source, inputs)
    rows = torch.cat(products) if products else returned[:0]
    if len(rows) < len(returned):
        return "those that it used"
    shown = [p for p in products if len(p) % len(returned) or found_in(p, returned)]
    if found_in(returned, torch.cat([returned[:0], *shown])):
        return "those that it used"
    mean = len(rows) > len(returned) and returned.amax() <= rows.amax() + 1e-4
    mean = mean and not found_in(returned, rows)
    return "those that it used" if mean else "others than those that it used"


def parts(Translator, source, target, sizes):
    model, inputs, labels = untrained(Translator, target, sizes)
    model.train()
    logits, _ = model(source, inputs)
    F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=PAD).backward()
    idle = [n for n, p in model.named_parameters() if p.requires_grad and p.grad is None]
    return f"{NO_PART}: {', '.join(idle)}" if idle else "all have a part in the logits"


def knows_them(model, source, inputs, labels):
    """Whether each word is the likeliest after the true ones."""
    model.eval()
    with torch.no_grad():
        words = model(source, inputs)[0].argmax(-1)
    model.train()
    return not ((words != labels) & (labels != PAD)).any()


def ten_pairs(Translator, source, target, sizes):
    """Adam by hand: torch's own imports, at its first use, what takes seconds."""
    model, inputs, labels = untrained(Translator, target, sizes)
    model.train()
    weights = [p for p in model.parameters() if p.requires_grad]
    means = [torch.zeros_like(w) for w in weights]
    squares = [torch.zeros_like(w) for w in weights]
    for step in range(1, 201):
        logits, _ = model(source, inputs)
        loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=PAD)
        if loss < 0.1 and knows_them(model, source, inputs, labels):
            break
        found = torch.autograd.grad(loss, weights, allow_unused=True, materialize_grads=True)
        for w, g, mean, square in zip(weights, found, means, squares, strict=True):
            mean.lerp_(g, 0.1)
            square.lerp_(g * g, 0.01)
            rate = 0.03 * math.sqrt(1 - 0.99**step) / (1 - 0.9**step)
            w.data -= rate * mean / (square.sqrt() + 1e-8)
    else:
        return "not learned"
    model.eval()
    for row, right in zip(source, labels, strict=True):  # alone, as one that is asked for is
        words, said = row[row != PAD][None], inputs[:1, :1]
        with torch.no_grad():
            for word in right[right != PAD]:
                found = model(words, said)[0][:, -1].argmax(-1)
                if found != word:
                    return "learned, but written wrongly"
                said = torch.cat([said, found[:, None]], dim=1)
    return "learned and written"
