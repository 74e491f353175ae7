"""What an answer of the interview questions says with a number stands on the page that it names."""

import re
from pathlib import Path

import pytest

from tests.book.cells import BOOK, parts

PAGE = "interview_questions.md"
QUESTION = re.compile(r"^:::\{dropdown\} \d+\. (.+?)\n(.*?)^:::$", re.M | re.S)
LINK = re.compile(r"\{(doc|ref)\}`(?:[^`<]*<)?([\w-]+)>?`")
CITED = re.compile(r"\{cite:[pt]\}`[^`]*`")
MARKED = re.compile(r"\{[\w:]+\}`[^`]*`")
NUMBER = re.compile(r"(?<![\w.,^_\\{])\d[\d,]*(?:\.\d+)?(?![\w^_}])")
EQUATION = re.compile(r"\$([^$=]+) = ([\d.{},]+)\$")
SIGNS = (("{,}", ""), (r"\cdot", "*"), (r"\times", "*"), ("^", "**"), ("{", "("), ("}", ")"))
LABEL = re.compile(r"^\(([\w-]+)\)=$|:label: ([\w-]+)$", re.M)
TEXT = (BOOK / PAGE).read_text("utf-8")
QUESTIONS = QUESTION.findall(TEXT)
SERVICE = QUESTION.findall(TEXT.partition("## Size this service")[2])


def labels() -> dict[str, str]:
    """The page on which each label stands."""
    found = {}
    for path in sorted(Path(BOOK).glob("*.ipynb")):
        for part in parts(path.stem):
            found |= dict.fromkeys((a or b for a, b in LABEL.findall(part.prose)), path.stem)
    return found


PLACES = labels()


def pages_of(answer: str) -> set[str]:
    """The pages that an answer names, by themselves or by a label on them."""
    found = set()
    for kind, name in LINK.findall(answer):
        page = name if kind == "doc" else PLACES.get(name, name)
        found.add(page if (BOOK / f"{page}.ipynb").exists() else f"{page}.md")
    return found


def numbers(text: str) -> set[float]:
    """Its numbers of two digits and more."""
    plain = (found.rstrip(",").replace(",", "") for found in NUMBER.findall(text))
    return {float(number) for number in plain if len(number) > 1}


def equations(answer: str) -> list[tuple[str, str]]:
    """Both sides of what an answer computes with numbers alone, as Python reads them."""
    found = []
    for sides in EQUATION.findall(answer):
        for sign, python in SIGNS:
            sides = tuple(side.replace(sign, python) for side in sides)
        if re.fullmatch(r"[\d\s.*/+()-]+", sides[0]):
            found.append(sides)
    return found


def missing(question: str, answer: str) -> set[float]:
    """Numbers without a citation that neither question, pages nor the answer's sums hold."""
    said = set()
    for sentence in re.split(r"(?<=[.?!])\s", answer.replace("{,}", ",")):
        if not CITED.search(sentence):
            said |= numbers(MARKED.sub("", sentence))
    shown = numbers(question) | {float(right) for _, right in equations(answer)}
    for left, _ in equations(answer):
        shown |= numbers(left)
    for page in pages_of(answer):
        for part in parts(page):
            shown |= numbers("\n".join((part.prose, part.code, part.output, part.caption)))
    return said - shown


@pytest.mark.parametrize(("question", "answer"), QUESTIONS, ids=[q for q, _ in QUESTIONS])
def test_the_page_that_is_named_holds_the_numbers(question, answer):
    assert pages_of(answer) or CITED.search(answer), f"{question} names no page and no paper."
    if (question, answer) in SERVICE:
        return  # its numbers are computed below
    lost = missing(question, answer)
    assert not lost, f"{question}: {sorted(lost)} on {sorted(pages_of(answer))}"


@pytest.mark.parametrize(
    "answer",
    [pytest.param(a, id=q) for q, a in QUESTIONS if equations(a)],
)
def test_what_is_computed_comes_out(answer):
    for left, right in equations(answer):
        unit = 10.0 ** -len(right.partition(".")[2])
        scale = 1e3 if f"{right}$ ms" in answer else 1  # seconds, told in milliseconds
        assert abs(eval(left) * scale - float(right)) <= unit / 2, (left, right)


def test_the_service_has_the_size_that_follows_from_its_five_numbers():
    weights, mults, memory, rate, bytes_ = 8.2e9 * 2, 7.6e9, 141e9, 989e12, 4.8e12
    request = 2 * 36 * 8 * 128 * 2 * 8192
    step = (2 * mults + 100 * request) / bytes_
    said = "".join(answer for _, answer in SERVICE)
    for number in (
        f"{request / 1e9:.2f} GB a request",
        f"= {(memory - weights) / request:.0f}$ requests",
        f"= {2 * mults * 8192 / rate:.2f}$ seconds",
        f"= {(2 * mults + request) / bytes_ * 1e3:.1f}$ ms",
        f"= {step * 1e3:.0f}$ ms",
        f"about {round(100 / step, -2):,.0f} a second",
        f"= {2 * mults * 100 / rate * 1e3:.1f}$ ms",
        f"halves {100 * request / bytes_ * 1e3:.0f} of the {step * 1e3:.0f} ms",
    ):
        assert number in said, number


def test_every_question_is_read():
    assert len(QUESTIONS) >= 25


@pytest.mark.parametrize(
    ("answer", "lost"),
    [
        ("The largest weight is 0.632. ({doc}`softmax`)", set()),
        ("The largest weight is 0.683. ({doc}`softmax`)", {0.683}),
        ("It has 671 layers {cite:p}`vaswani2017`. ({doc}`softmax`)", set()),
        (r"Those are $12 \cdot 3 = 36$ bytes. ({doc}`softmax`)", set()),
    ],
)
def test_a_wrong_number_is_found(answer, lost):
    assert missing("", answer) == lost
