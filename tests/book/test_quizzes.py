"""The quizzes as Moodle and Canvas read them: nothing lost, nothing misread."""

import re
import zipfile
from xml.etree import ElementTree as ET

import pytest

from tools import quizzes
from tools.contents import chapters

FOUND = quizzes.quizzes(quizzes.ROOT)
SPACE = {
    "q": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2",
    "p": "http://www.imsglobal.org/xsd/imscp_v1p1",
}
ODD = quizzes.Quiz(
    "odd",
    "Odd: a title",
    [
        {
            "question": "What is `{a: 1}` = $\\frac{x}{y} < 2$, ~ or # <end> & so on?",
            "choices": {"a": "100 % \\ no", "b": "yes = #1"},
            "answers": {"a": "No: {never}.", "b": "**Right.** Because a ~ b."},
        }
    ],
)


def read_gift(text: str) -> list[dict]:
    """Questions as Moodle's importer reads them: escaped characters are taken out of its way."""
    signs = "~=#{}:"
    text = text.replace("\\\\", "\0")
    for i, sign in enumerate(signs, 1):
        text = text.replace(f"\\{sign}", chr(i))

    def plain(part: str) -> str:
        part = part.replace("\0", "\\")
        for i, sign in enumerate(signs, 1):
            part = part.replace(chr(i), sign)
        return part

    blocks = [b for b in text.strip().split("\n\n") if not b.startswith("$CATEGORY: ")]
    found = []
    for block in blocks:
        name, question, body = re.fullmatch(
            r"::([^:]+)::\[html\]([^{}]*)\{([^{}]*)\}", block, re.S
        ).groups()
        choices = re.findall(r"^([=~])([^=~#]*)#([^=~#]*)$", body.strip(), re.M)
        assert len(choices) == len(body.strip().splitlines()), block
        found.append((name, plain(question), [(m, plain(c), plain(f)) for m, c, f in choices]))
    return found


def read_qti(data: str) -> list[tuple]:
    found = []
    for item in ET.fromstring(data).iterfind(".//q:item", SPACE):
        labels = item.iterfind(".//q:response_label", SPACE)
        choices = {label.get("ident"): label.find(".//q:mattext", SPACE).text for label in labels}
        right = [
            rule.find(".//q:varequal", SPACE).text
            for rule in item.iterfind(".//q:respcondition", SPACE)
            if rule.find("q:setvar", SPACE) is not None
        ]
        feedbacks = {
            feedback.get("ident"): feedback.find(".//q:mattext", SPACE).text
            for feedback in item.iterfind("q:itemfeedback", SPACE)
        }
        linked = [e.get("linkrefid") for e in item.iterfind(".//q:displayfeedback", SPACE)]
        assert sorted(linked) == sorted(feedbacks)
        question = item.find("q:presentation/q:material/q:mattext", SPACE).text
        listed = [("~="[[k] == right], text, feedbacks[f"{k}_fb"]) for k, text in choices.items()]
        found.append((item.get("ident"), question, listed))
    return found


def test_every_page_with_a_quiz_is_there():
    assert {f"book/{quiz.name}" for quiz in FOUND} >= set(chapters())
    assert sum(len(quiz.questions) for quiz in FOUND) >= 3 * len(chapters())
    assert len({quiz.name for quiz in FOUND}) == len(FOUND)


@pytest.mark.parametrize("quiz", [*FOUND, ODD], ids=lambda quiz: quiz.name)
def test_both_forms_say_what_the_page_says(quiz):
    wanted = [
        (
            quizzes.html(asked["question"]),
            [
                (
                    "~="[k == quizzes.right(asked)],
                    quizzes.html(text),
                    quizzes.html(asked["answers"][k]),
                )
                for k, text in asked["choices"].items()
            ],
        )
        for asked in quiz.questions
    ]
    for found in (read_gift(quizzes.gift([quiz])), read_qti(quizzes.qti(quiz=quiz))):
        assert [question[1:] for question in found] == wanted
        for _, _, choices in found:
            marks = [mark for mark, _, _ in choices]
            assert marks.count("=") == 1
            feedback = dict(zip(marks, (reply for _, _, reply in choices), strict=True))
            assert feedback["="].startswith("<strong>Right.</strong>")


def test_formulas_code_and_signs_become_html():
    assert quizzes.html(ODD.questions[0]["question"]) == (
        "What is <code>{a: 1}</code> = "
        '<span class="math inline">\\(\\frac{x}{y} &lt; 2\\)</span>, ~ or # '
        "&lt;end&gt; &amp; so on?"
    )


def test_the_package_names_each_of_its_files_and_is_the_same_every_time(tmp_path):
    for folder in ("one", "two"):
        quizzes.write(FOUND, tmp_path / folder)
    package = tmp_path / "one" / quizzes.QTI
    assert package.read_bytes() == (tmp_path / "two" / quizzes.QTI).read_bytes()
    with zipfile.ZipFile(package) as files:
        top = ET.fromstring(files.read("imsmanifest.xml"))
        named = [file.get("href") for file in top.iterfind(".//p:file", SPACE)]
        assert {*named, "imsmanifest.xml"} == set(files.namelist())
        assert all(len(read_qti(files.read(name))) >= 3 for name in named)
