"""Other forms of a stranger's bug: each name's right answer is accepted, and of a wrong one it is
told what does not hold."""

from collections import Counter
from importlib import import_module

import numpy as np
import pytest
import torch

from course_lib.checker.compare.difference import difference
from course_lib.checker.compare.judge import draw_trials
from course_lib.checker.compare.programs import apply_rule
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Inputs
from course_lib.checker.run.program import assemble
from course_lib.checker.tasks.rewritten import defined
from course_lib.exercises import CATALOGUE, TASKS, check
from course_lib.exercises.stranger_forms import predict, repair, sentence, which
from course_lib.exercises.stranger_forms.repair import repair_of
from course_lib.exercises.stranger_forms.sentence import number_of_sentence, sentences_of
from course_lib.exercises.stranger_forms.shown import numbered, program_of
from course_lib.exercises.stranger_forms.which import right_letter, two_strangers
from tests.exercises.test_exercise_notebooks import FORMS, read

pytestmark = pytest.mark.usefixtures("as_a_user")
NAMES = [f"student {number}" for number in range(400)]
ALL = [name for names in TASKS.values() for name in names.split() if name.startswith(FORMS)]
OTHERS = [name for name in ALL if not name.startswith("break_")]
PREDICT = [name for name in OTHERS if name.startswith("predict_")]
REPAIR = [name for name in OTHERS if name.startswith("repair_")]
SHOWN = PREDICT + REPAIR


def drawn(name, me):
    """What a name draws."""
    task = CATALOGUE.tasks[name]
    if name in SHOWN:
        return task.program.drawn(me)
    return task.strangers.drawn(me).name + right_letter("attend", me) * (name == "which_attend")


def asked(name, me):
    """What decides whether an answer is right: two who are asked the same may answer the same."""
    if name in REPAIR:
        return right(name, me)[1:]
    return right_letter("attend", me) if name == "which_attend" else drawn(name, me)


def right(name, me):
    """The answer that is right for a name."""
    task = CATALOGUE.tasks[name]
    if name in REPAIR:
        return repair_of(task.program, me)
    given = task.reference()
    if name in PREDICT:
        module = import_module(task.reference.__module__)
        return me, given[1], module.RIGHT, module.THEIRS[task.program.drawn(me)]
    number = right_letter("attend", me) if name == "which_attend" else 0
    return me, number or number_of_sentence(task.strangers, me), given[2]


def report(name, returned):
    if name in REPAIR and type(returned) is tuple:  # an answer that is data, in its text as well
        return check(defined(name, f"def {name}():\n    return {returned!r}\n", {}))

    def answer():
        return returned

    answer.__name__ = name
    return check(answer)


def one_of_each(name):
    return {drawn(name, me): me for me in NAMES}


def test_the_last_task_asks_in_five_forms_and_six_times_for_an_input():
    homes = {CATALOGUE.home(name) for name in ALL}
    assert len(homes) == len(ALL) == 12
    counts = Counter(name.partition("_")[0] for name in ALL)
    assert counts == {"break": 6, "which": 1, "predict": 2, "repair": 2, "say": 1}
    assert all(CATALOGUE.tasks[name].points == 1 for name in ALL)


@pytest.mark.parametrize("name", OTHERS)
def test_two_names_draw_two_things_and_each_one_s_answer_is_accepted(name):
    task, names = CATALOGUE.tasks[name], one_of_each(name)
    counts = Counter(drawn(name, me) for me in NAMES)
    many = len(task.program.wrong if name in SHOWN else task.strangers.names)
    assert len(counts) == many * (1 + (name == "which_attend")) >= 6
    assert min(counts.values()) > len(NAMES) / 60
    for me in names.values():
        said = report(name, right(name, me))
        assert said.passed and said.score == 1 and said.me == me and said.given, said


@pytest.mark.parametrize("name", OTHERS)
def test_an_answer_copied_under_another_name_earns_nothing(name):
    """But for an input that shows the bugs of both, where the report names the two rows, and for
    two bugs in one line, which one line repairs."""
    one, *others = one_of_each(name).values()
    for other in others:
        copied = (other, *right(name, one)[1:])
        said = report(name, copied)
        if asked(name, one) == asked(name, other):
            assert said.passed
        else:
            assert said.score == 0 and said.diagnosis, said
        assert said.given == report(name, right(name, one)).given


@pytest.mark.parametrize("name", SHOWN)
def test_a_program_is_right_but_for_its_one_line(name):
    task = CATALOGUE.tasks[name]
    program, names = task.program, {"torch": torch, "np": np}
    base = CATALOGUE.tasks[program.name]
    whole = defined(program.name, "\n".join(program.lines), names)
    for trial in draw_trials(base, 0):
        if trial.inputs.upstream is None and trial.case.dtypes != ("float16",):
            got = execute(whole, trial.inputs, base.library)
            assert difference(trial.expected, got, trial.names, *trial.limits) is None, trial.case
    for mistake, wrong in program.wrong.items():
        lines = program.strangers(mistake)
        changed = [
            n for n, (a, b) in enumerate(zip(lines, program.lines, strict=True), 1) if a != b
        ]
        assert changed == [program.number(mistake)], mistake
        assert wrong.line in lines[changed[0] - 1] and wrong.sentence.endswith((".", "…"))


@pytest.mark.parametrize("name", PREDICT)
def test_a_program_to_be_read_passes_the_example_of_its_text(name):
    task = CATALOGUE.tasks[name]
    (example,) = [one for one in draw_trials(task.task, 0) if one.case.is_example]
    given = (*example.inputs.args, *example.inputs.kwargs.values())
    for mistake, answer in task.answers.items():
        got = execute(answer, Inputs(given), task.library)
        assert difference(example.expected, got, []) is None, mistake


def test_a_program_is_printed_with_numbers_and_needs_a_name():
    me = one_of_each("repair_rotate")["base-ignored"]
    text = program_of("rotate", me)
    assert text.startswith(" 1  def rotate(x, positions, base=10000.0):\n")
    assert " 4      speeds = 10000.0 ** -exponents  # radians a position, (d/2,)\n" in text
    program = CATALOGUE.tasks["repair_rotate"].program
    assert text == numbered(program.strangers("base-ignored"))
    assert program_of("rotate", " ").startswith("`ME` is empty")
    with pytest.raises(ValueError, match="no program is shown for 'softmax'; there are align"):
        program_of("softmax", "ann")
    assert len(sentences_of("keys_in_use")) == len(set(sentences_of("keys_in_use").values())) == 9
    A, B = two_strangers("attend", "ann")
    assert repr(A) == "<the attend of stranger A of ann>" and repr(B) != repr(A)


ZERO = (np.zeros((1, 1, 2)), np.zeros((1, 1, 2)), np.zeros((1, 1, 1)))
SMALL = (np.array([[0.2, 0.8], [0.5, 0.5]]), ["big", "cat"], ["chat", "gros"])
PAIRS = [("chat", "cat"), ("gros", "big")]
SURE = torch.tensor([[[[1.0, 0.0]]]])
FORMS_OF = {
    "which_attend": ((None, "Return your name, the letter"), (("ann", "A"), "Return your name")),
    "predict_align": ((("ann", SMALL), "what is right for them and what the program gives"),),
    "repair_rotate": ((("ann", 2), "the number of the line, and the line"),),
    "say_keys_in_use": ((("ann", 1), "the number of the sentence"),),
}
REFUSED = [(name, *one) for name, those in FORMS_OF.items() for one in those] + [
    ("which_attend", ("", "A", ZERO), "`ME` is empty"),
    ("which_attend", ("ann", "C", ZERO), 'must be "A" or "B"'),
    ("which_attend", ("ann", "A", ZERO[:2]), "; 3 are needed: queries, keys, values, and mask if"),
    ("which_attend", ("ann", "A", ZERO), "both strangers give what `attend` should"),
    ("predict_align", ("ann", SMALL[0], PAIRS, PAIRS), "must be a tuple of the arguments"),
    ("predict_align", ("ann", SMALL[:2], PAIRS, PAIRS), "2 arguments are given; 3 are needed"),
    ("predict_align", ("ann", SMALL, PAIRS, PAIRS), "the program gives what `align` should"),
    ("repair_rotate", ("ann", 1, "d = 2"), "from 2, below `def`, to 9"),
    ("repair_rotate", ("ann", 2.0, "d = 2"), "from 2, below `def`, to 9"),
    ("repair_rotate", ("ann", 3, ""), "the text of one line of code"),
    ("repair_rotate", ("ann", 3, "d = 2\nd = 3"), "the text of one line of code"),
    ("repair_rotate", ("ann", 3, "d = 2; d = 3"), "the text of one line of code"),
    ("repair_rotate", ("ann", 3, "3  d = 2"), "without the line's number"),
    ("repair_rotate", ("ann", 3, "d = " + "1 + " * 30 + "1"), "of at most 100 characters"),
    ("repair_rotate", ("ann", 2, "d  = x.shape[-1]  # features"), "Line 2 is as it was"),
    ("say_keys_in_use", ("ann", 0, (SURE, 0)), "a whole number from 1 to 9"),
    ("say_keys_in_use", ("ann", True, (SURE, 0)), "a whole number from 1 to 9"),
    ("say_keys_in_use", ("ann", 1, (SURE, 3)), "must be a head, from -1 to 0"),
    ("say_keys_in_use", ("ann", 1, (SURE, 0)), "the stranger is right"),
]


@pytest.mark.parametrize(("name", "returned", "says"), REFUSED)
def test_what_does_not_hold_gets_a_sentence_and_no_point(name, returned, says):
    said = report(name, returned)
    assert said.score == 0 and says in said.diagnosis, said


def test_the_wrong_one_of_two_is_told_by_the_input():
    for me in NAMES[:4]:
        _, letter, given = right("which_attend", me)
        said = report("which_attend", (me, "AB".replace(letter, ""), given))
        assert said.diagnosis == which.OTHER_ONE
        assert [case.passed for case in said.cases] == [True, True, False]


@pytest.mark.parametrize("name", PREDICT)
def test_each_value_that_is_not_right_is_told_and_not_what_it_should_be(name):
    for me in one_of_each(name).values():
        _, given, wanted, theirs = right(name, me)
        other = [("no", "word")] if name == "predict_align" else 77.0
        asked = CATALOGUE.tasks[name].task.name
        for values, says in (
            ((theirs, wanted), predict.EXCHANGED),
            ((other, theirs), predict.ONE_WRONG[predict.RIGHT].format(asked)),
            ((wanted, other), predict.ONE_WRONG[predict.THEIRS]),
            ((wanted, wanted), predict.ONE_WRONG[predict.THEIRS]),
            ((other, other), predict.BOTH_WRONG),
            ((str(wanted), str(theirs)), predict.TEXT),
        ):
            said = report(name, (me, given, *values))
            assert said.diagnosis == says and said.score == 0, (values, said)


def test_a_number_is_compared_to_two_digits_and_too_near_ones_are_refused():
    _, given, wanted, theirs = right("predict_sequence_loss", "ann")
    assert report(
        "predict_sequence_loss", ("ann", given, round(wanted, 2), round(theirs, 2))
    ).passed
    me = one_of_each("predict_sequence_loss")["clamped"]
    logits = torch.tensor([[[0.0, -4.0]]])  # the loss is log(1 + e⁴), 4.018
    said = report("predict_sequence_loss", (me, (logits, torch.tensor([[1]]), 0), 4.018, 4.0))
    assert said.passed
    logits = torch.tensor([[[0.0, -3.985]]])  # 4.003
    said = report("predict_sequence_loss", (me, (logits, torch.tensor([[1]]), 0), 4.003, 4.0))
    assert "differ by less than 0.01" in said.diagnosis


@pytest.mark.parametrize("name", REPAIR)
def test_a_line_that_does_not_repair_is_told_which_of_the_two_is_wrong(name):
    program = CATALOGUE.tasks[name].program
    for mistake, me in one_of_each(name).items():
        number = program.number(mistake)
        shown = program.strangers(mistake)
        other = next(n for n in range(2, len(shown)) if n != number)
        said = report(name, (me, other, spoiled(shown[other - 1])))
        assert said.diagnosis == repair.OTHER_LINE.format(other), said
        said = report(name, (me, number, spoiled(shown[number - 1])))
        assert said.diagnosis.startswith(repair.THIS_LINE.partition("{")[0]) and not said.score


def spoiled(line):
    """A line that gives 7 in place of what it gave."""
    begin, is_set, _ = line.strip().partition(" = ")
    return f"{begin} = 7" if is_set else "return 7"


def test_a_repair_in_other_words_or_in_another_line_is_right():
    names = one_of_each("repair_rotate")
    for me, number, line in (
        (names["exponent-positive"], 4, "speeds = 1 / base ** exponents"),
        (names["exponent-positive"], 5, "angles = positions[:, None] / speeds"),
        (names["half-split"], 7, "    a, b = x[..., ::2], x[..., 1::2]  # neighbours"),
    ):
        assert report("repair_rotate", (me, number, line)).passed


def test_a_line_finds_no_function_of_the_student_s_and_imports_nothing():
    me = one_of_each("repair_rotate")["put-back-as-halves"]
    number = CATALOGUE.tasks["repair_rotate"].program.number("put-back-as-halves")
    for line, error in (
        ("turned = rotated(x)", "NameError"),
        ("import os", "ImportError"),
        ("turned = open('x')", "NameError"),
        ("turned = torch.stack([a", "SyntaxError"),
    ):
        said = report("repair_rotate", (me, number, line))
        assert f"it raises {error}" in said.diagnosis and said.score == 0


def test_a_false_sentence_is_refuted_and_a_vague_input_is_told():
    strangers = CATALOGUE.tasks["say_keys_in_use"].strangers
    names = one_of_each("say_keys_in_use")
    for me in names.values():
        _, number, given = right("say_keys_in_use", me)
        for other in range(1, 10):
            said = report("say_keys_in_use", (me, other, given))
            assert said.passed == (other == number)
            assert said.passed or said.diagnosis == sentence.NOT_TRUE.format(other)
    me = names["all-heads"]  # of a single text: `weights[0]` are all heads
    number = number_of_sentence(strangers, me)
    heads = torch.tensor([[[[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]], [[1.0, 0.0, 0.0]] * 2]])
    assert report("say_keys_in_use", (me, number, (heads, 1))).diagnosis.startswith(
        "On your input programs of 2 sentences"
    )


ME_CELL = 'ME = "ann"  # your name'
PATCHED = """
def repair_rotate():
    import builtins
    builtins.exec = lambda text, space: space.update(rotate=print)
    return ME, 3, "pass"
"""
PLAIN = """
def repair_rotate():
    'The wrong line of the program, and what it should be.'
    line = "cos, sin = angles.cos(), angles.sin()"
    return (ME, 6, line)  # import nothing
"""
RUNS = {
    "an import and a function": PATCHED,
    "an import above": "import builtins as b\nb.exec = print\n" + PLAIN,
    "a call above": "exec('')\n" + PLAIN,
    "a default": PLAIN.replace("rotate()", "rotate(a=__import__('builtins'))"),
    "a decorator": "class Q:\n    pass\n@Q\n" + PLAIN,
    "an f-string": PLAIN.replace('"cos', 'f"{().__class__}cos'),
    "a name that it gives a value": PLAIN.replace("line =", "__class__ = 1; line ="),
    "a call of its own": PLAIN.replace("6, line", "6, print(line)"),
}


def broken(answer, name="repair_rotate"):
    cells = [(None, ME_CELL), (name, answer)]
    return CATALOGUE.tasks[name].rule.broken(assemble(cells, [name])[name])


@pytest.mark.parametrize("answer", RUNS.values(), ids=[*RUNS])
def test_what_a_repair_runs_besides_is_refused(answer):
    """The repaired program runs in the answer's process, where another `exec` would be its own."""
    said = broken(answer)
    assert said and said.startswith("Besides your name, a number and the text of a line")


@pytest.mark.parametrize("name", REPAIR)
def test_a_repair_that_is_data_is_accepted_as_a_notebook_holds_it(name):
    assert broken(PLAIN) is None
    cells = [
        (cell.metadata.get("task"), cell.source)
        for cell in read("solutions", CATALOGUE.home(name)).cells
        if cell.cell_type == "code"
    ]
    assert CATALOGUE.tasks[name].rule.broken(assemble(cells, [name])[name]) is None


def test_of_a_repair_that_is_refused_nothing_is_said_to_be_right():
    name = "repair_rotate"
    me = one_of_each(name)["base-ignored"]
    passed = report(name, right(name, me))
    program = assemble([(None, ME_CELL), (name, PATCHED)], [name])[name]
    said = apply_rule(CATALOGUE.tasks[name], passed, program)
    assert passed.score == 1 and passed.summary.startswith("Repaired")
    assert said.score == 0 and "Repaired" not in str(said)
    assert "holds something that runs" in str(said)
