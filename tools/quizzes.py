"""The book's quizzes for a learning platform: GIFT for Moodle, QTI 1.2 for Canvas.

    python -m tools.quizzes [FOLDER]      default: _build/quizzes

Both come from the cells that the pages show, in the order of the book, with the choices as they are
shuffled there and the explanation of every choice as its feedback. Formulas stand in \\( … \\),
which both platforms set.
"""

import sys
import zipfile
from html import escape
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from course_lib.checker.escape import render
from tools.execute import pages
from tools.notebooks import read

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "book" / "_ext"))
from study.quiz import is_right, parse, shuffled  # noqa: E402

OPENS = ":::{div}\n:class: attn-quiz\n"
GIFT, QTI = "attention-quizzes.gift.txt", "attention-quizzes.qti.zip"
TEMPLATE = Path(__file__).with_suffix(".xml.j2")
WRITER = MarkdownIt("commonmark", {"html": False}).use(
    dollarmath_plugin, renderer=lambda formula, _: rf"\({escape(formula)}\)"
)


class Quiz(NamedTuple):
    """One page's quiz: its file's name, its title, and its questions as quiz.py reads them."""

    name: str
    title: str
    questions: list[dict]


def quizzes(root: Path) -> list[Quiz]:
    """The quizzes of the book, in its order."""
    found = []
    for name in pages(root):
        cells = read(root / f"{name}.ipynb").cells
        title = cells[0].source.partition("\n")[0].removeprefix("# ")
        for cell in cells:
            body = cell.source.partition(OPENS)[2]
            lines = body.partition("\n:::")[0].splitlines()
            if lines:
                questions = [shuffled(asked) for asked in parse(lines)]
                found.append(Quiz(name.rpartition("/")[2], title, questions))
    return found


def html(text: str) -> str:
    """A question, a choice or an explanation as HTML."""
    return WRITER.renderInline(text)


def right(asked: dict) -> str:
    """The letter of the right choice."""
    return next(k for k, text in asked["answers"].items() if is_right(text))


def gift(found: list[Quiz]) -> str:
    """All quizzes as one file for Moodle's import; each page is a category."""
    blocks = []
    for quiz in found:
        blocks.append(f"$CATEGORY: $course$/{escaped(quiz.title)}")
        for number, asked in enumerate(quiz.questions, 1):
            lines = [f"::{quiz.name} {number}::[html]{escaped(html(asked['question']))}{{"]
            for letter, choice in asked["choices"].items():
                mark = "=" if letter == right(asked) else "~"
                feedback = escaped(html(asked["answers"][letter]))
                lines.append(f"{mark}{escaped(html(choice))}#{feedback}")
            blocks.append("\n".join([*lines, "}"]))
    return "\n\n".join(blocks) + "\n"


def escaped(text: str) -> str:
    """GIFT's own characters behind a backslash, the backslash itself first."""
    for sign in "\\~=#{}:":
        text = text.replace(sign, f"\\{sign}")
    return text


def qti(**given) -> str:
    """One `quiz` in QTI 1.2; or, for all `quizzes`, what the zip holds."""
    return render(TEMPLATE, html=html, right=right, **{"quiz": None} | given)


def write(found: list[Quiz], folder: Path) -> None:
    """Both files, the same bytes every time."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GIFT).write_text(gift(found), encoding="utf-8", newline="\n")
    files = {"imsmanifest.xml": qti(quizzes=found)}
    files |= {f"{quiz.name}.xml": qti(quiz=quiz) for quiz in found}
    with zipfile.ZipFile(folder / QTI, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in files.items():
            package.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else ROOT / "_build" / "quizzes"
    found = quizzes(ROOT)
    write(found, folder)
    count = sum(len(quiz.questions) for quiz in found)
    print(f"{count} questions of {len(found)} pages: {GIFT} and {QTI} in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
