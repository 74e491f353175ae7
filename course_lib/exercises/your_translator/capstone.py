"""The capstone of lab 1: long sentences, as well as one can in a minute and a million parameters.

Words are numbers that are drawn anew each time, so nothing can be known of them before training.
The hidden sentences are of the split `test`; their translations never enter the student's cell.
"""

import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from course_lib.checker.compare.diagnosis import NOT_WRITTEN
from course_lib.checker.compare.errors import stopped
from course_lib.checker.compare.judge import draw_trials, observe
from course_lib.checker.run.inputs import Array, Observation
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks import Candidate, Case, Inputs, Sampler, Task
from course_lib.exercises.mutants import HEADER
from course_lib.exercises.your_translator.examiners import END, PAD
from course_lib.exercises.your_translator.model.task import FIRST_WORD
from course_lib.exercises.your_translator.plain import train_translator
from course_lib.translation import ParallelCorpus, bleu

SECONDS, PARAMETERS = 60, 1_000_000
STEPS = (30, 60, 70, 80)  # BLEU; each that is reached earns a point; the plain model: 39 to 54
BESIDE = 30  # seconds of the cell's own, for torch's imports and for translating
LONGEST = 200  # words of a sentence that are read


def examine(train_translator, source, target, sizes, seconds, hidden):
    """Processor seconds of the training, the number of parameters, the words that are written."""
    import time

    # In a notebook the first optimizer imports torch's compiler, seconds that are no training.
    torch.optim.Adam([torch.zeros(1, requires_grad=True)])
    start = time.process_time()
    model = train_translator(source, target, sizes, seconds)
    spent = time.process_time() - start
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"it returns a {type(model).__name__}; a torch.nn.Module is needed")
    with torch.no_grad():
        rows = model.eval().translate(hidden)
    return spent, sum(p.numel() for p in model.parameters()), rows


def as_numbers(sentences: Sequence[Sequence[str]], numbers: dict[str, int]) -> np.ndarray:
    """Sentences as int64 (N, longest), filled with PAD."""
    rows = [[numbers[word] for word in words] for words in sentences]
    columns = itertools.zip_longest(*rows, fillvalue=PAD)
    return np.array(list(columns), np.int64).T.copy()


def draw(
    s: Sampler,
    *,
    seconds: int | float,
    n_pairs: int = 10_000,
    n_hidden: int = 200,
    split: str = "test",
) -> Inputs:
    """Pairs of one and two clauses, and hidden sentences of three and four."""
    corpus = ParallelCorpus(seed=int(s.integers(0, 2**31)))
    pairs = corpus.pairs(n_pairs, clauses=(1, 2))
    hidden = corpus.pairs(n_hidden, clauses=(3, 4), split=split)
    sides, sizes = [], []
    for side in ("source", "target"):
        words = sorted({word for pair in pairs + hidden for word in getattr(pair, side)})
        drawn = (FIRST_WORD + s.rng.permutation(len(words))).tolist()
        numbers = dict(zip(words, drawn, strict=True))
        sides += [as_numbers([getattr(p, side) for p in part], numbers) for part in (pairs, hidden)]
        sizes.append(FIRST_WORD + len(words))
    source, hidden_source, target, references = sides
    given = {"source": source, "target": target, "sizes": tuple(sizes), "seconds": seconds}
    code = Candidate(examine.__name__, HEADER + inspect.getsource(examine))
    return Inputs(kwargs=given | {"hidden": hidden_source}, examiner=code, kept=references)


def sentences(rows: np.ndarray) -> list[list[str]]:
    """The words of each row, up to its END."""
    ended = np.cumsum(rows == END, axis=1) > 0
    return [
        [str(n) for n in row[(row != PAD) & ~end]] for row, end in zip(rows, ended, strict=True)
    ]


def problem_of(got: Observation, inputs: Inputs) -> str:
    """What is wrong with what came out of the cell, before it is measured; "" where nothing is."""
    if got.error:
        raised = f"It raises {got.error}: {got.message}"
        return NOT_WRITTEN if got.error == "NotImplementedError" else stopped(got) or raised
    kinds = [type(part) for part in got.value] if type(got.value) is tuple else []
    rows = got.value[2].data if kinds == [float, int, Array] else np.zeros(0)
    if rows.dtype != np.int64 or rows.ndim != 2 or len(rows) != len(inputs.kept):
        form = f"{rows.dtype} {rows.shape}"
        return f"`translate` returns {form}; int64 ({len(inputs.kept)}, longest) is needed."
    return ""


def judged(task: Task, trials: Sequence[Any], seen: Sequence[Observation]) -> Report:
    """The report on a single training: limits that must hold, and a point for each step of BLEU."""
    inputs, got, name = trials[0].inputs, seen[0], task.cases[0].name
    if problem := problem_of(got, inputs):
        case = CaseResult(name, False, problem, required=True)
        return Report(task.name, task.points, (case,), credit="by case")
    spent, parameters, rows = got.value
    allowed = inputs.kwargs["seconds"]
    score = bleu(sentences(rows.data[:, :LONGEST]), sentences(inputs.kept))
    large = f"The model has {parameters:,} parameters; {PARAMETERS:,} are allowed."
    slow = f"The training took {spent:.1f} seconds of the processor; {allowed:g} are allowed."
    cases = [
        CaseResult(name, True, required=True),
        CaseResult("parameters", parameters <= PARAMETERS, large, required=True),
        CaseResult("seconds of the processor", spent <= allowed, slow, required=True),
    ]
    for step in STEPS:
        words = f"BLEU is {score:.1f}; {step} is needed."
        cases.append(CaseResult(f"BLEU of at least {step}", score >= step, words))
    said = f"BLEU {score:.1f}, {parameters:,} parameters, {spent:.0f} seconds of the processor."
    return Report(task.name, task.points, tuple(cases), summary=said, credit="by case")


def capstone(seconds: int | float = SECONDS, **choices: Any) -> Task:
    """The task with a budget in seconds of the processor."""
    case = Case(
        "a translation of each sentence",
        lambda s: draw(s, seconds=seconds, **choices),
        hidden=True,
        sizes=(1,),
        dtypes=("float32",),
    )
    return Task(
        name=train_translator.__name__,
        points=len(STEPS),
        reference=train_translator,
        cases=(case,),
        mistakes=(),
        hints=(
            "Which sentences does your model see in its minute, and how many of them?",
            "No long sentence is given, but two short ones can be written one behind the other, "
            "and so can their translations.",
            "Let about half of the batches hold such doubled pairs. Draw the sentences of a batch "
            "alike in length, so that little padding is computed, and let the rate fall to nothing "
            "as the time runs out.",
        ),
        credit="by case",
        judge=judged,
        seconds=seconds + BESIDE,
    )


def measure_capstone(
    train_translator: Callable, seconds: int | float = SECONDS, seed: int = 0
) -> Report:
    """What the class would measure, on the public split `valid`: trains once, here and now.

    Args:
        train_translator: your function; it is given `seconds`.
        seed: draws other pairs, other sentences and other numbers for the words.
    """
    task = capstone(seconds, split="valid")
    trials = draw_trials(task, seed)
    return judged(task, trials, observe(train_translator, trials))


CAPSTONE = capstone()
