"""A quiz at the end of a chapter. In Jupyter and on paper its source reads as it stands:

:::{div}
:class: attn-quiz
**1. What is the sum of the weights?**

- a. One.
- b. It depends.

<details><summary>Answers to 1</summary>

- a. **Right.** The denominator is the sum of the numerators.
- b. No. Only how it is shared out depends on the scores.

</details>
:::

In the book each question becomes a form with a Check button, and its choices are shuffled, in the
same order in every build: whoever writes a quiz has a favourite place for the right answer.
Without JavaScript the choices stand there, with a fold of all explanations below them.
"""

import random
import re
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.locale import _
from sphinx.util.docutils import SphinxDirective
from study.element import element

QUESTION = re.compile(r"\*\*(\d+)\. (.+)\*\*")
ITEM = re.compile(r"- ([a-f])\. (.+)")
LINK = re.compile(r"\{[\w:-]+\}`[^`]*`|\[[^\]]*\]\([^)]*\)")  # a role, or a link in Markdown


def is_right(answer: str) -> bool:
    return answer.startswith(str(_("**Right.**")))


def parse(lines: list[str]) -> list[dict]:
    """[{"question": …, "choices": {"a": …}, "answers": {"a": …}}, …] from a quiz's source.

    Raises ValueError, which says what is wrong, for a line that is none of these, for a choice
    without an explanation, for a question that has not exactly one right answer, and for a link:
    Moodle and Canvas get these questions too, without the book around them.
    """
    questions, part, item = [], None, None
    for line in map(str.rstrip, lines):
        if found := QUESTION.fullmatch(line):
            questions.append({"question": found[2], "choices": {}, "answers": {}})
            part, item = "choices", None
            if int(found[1]) != len(questions):
                raise ValueError(f"question {found[1]} should be number {len(questions)}.")
        elif line.startswith("<details>") and questions:
            part, item = "answers", None
        elif line == "</details>":
            part = None
        elif (found := ITEM.fullmatch(line)) and part:
            item = found[1]
            questions[-1][part][item] = found[2]
        elif line.startswith("  ") and item:
            questions[-1][part][item] += " " + line.strip()
        elif line:
            raise ValueError(f"neither a question, a choice nor an answer: {line!r}")
    if not questions:
        raise ValueError("there is no question.")
    for number, asked in enumerate(questions, 1):
        if len(asked["choices"]) < 2 or list(asked["choices"]) != list(asked["answers"]):
            raise ValueError(f"question {number}: each choice needs an answer with its letter.")
        if sum(map(is_right, asked["answers"].values())) != 1:
            raise ValueError(f"question {number} needs exactly one answer with {_('**Right.**')}")
        for text in (asked["question"], *asked["choices"].values(), *asked["answers"].values()):
            if link := LINK.search(text):
                raise ValueError(
                    f"question {number} holds {link[0]}, and a quiz can have no links: a learning "
                    "platform shows it without the book. Say it in words."
                )
    return questions


def shuffled(asked: dict) -> dict:
    """The question with its choices in an order that its own text decides, lettered anew."""
    order = list(asked["choices"])
    random.Random(asked["question"]).shuffle(order)
    letters = sorted(order)
    return {
        "question": asked["question"],
        "choices": {new: asked["choices"][old] for new, old in zip(letters, order, strict=True)},
        "answers": {new: asked["answers"][old] for new, old in zip(letters, order, strict=True)},
    }


class Quiz(SphinxDirective):
    """Questions with choices, and an explanation for every choice.

    The class attn-why marks what explains a result that was to be predicted: plain text here, and a
    slide of its own.
    """

    has_content = True
    option_spec: ClassVar = {"class": directives.class_option}

    def run(self):
        classes = self.options.get("class")
        if classes == ["attn-why"]:
            explanation = nodes.container("\n".join(self.content), classes=classes)
            self.state.nested_parse(self.content, self.content_offset, explanation)
            return [explanation]
        if classes != ["attn-quiz"]:
            raise self.error("a div here needs :class: attn-quiz or :class: attn-why.")
        try:
            questions = [shuffled(asked) for asked in parse(list(self.content))]
        except ValueError as error:
            raise self.error(f"quiz of {self.env.docname}: {error}") from None
        chapter = self.env.docname.rpartition("/")[2]
        self.env.metadata[self.env.docname]["quiz"] = str(len(questions))
        forms = [self.form(number, asked) for number, asked in enumerate(questions, 1)]
        state = element("p", {"class": "attn-quiz-state", "role": "status"})
        whole = {"class": "attn-quiz", "data-quiz": chapter, "data-questions": str(len(questions))}
        return [element("div", whole, *forms, state)]

    def form(self, number: int, asked: dict):
        name = f"quiz-{number}"
        legend = element("legend", {}, nodes.Text(f"{number}. "), *self.inline(asked["question"]))
        choices = [
            element(
                "label", {"class": "attn-choice"},
                element("input", {"type": "radio", "name": name, "value": letter}),
                element("span", {}, nodes.Text(f" {letter}. "), *self.inline(text)),
            )
            for letter, text in asked["choices"].items()
        ]  # fmt: skip
        (right,) = (letter for letter, text in asked["answers"].items() if is_right(text))
        # Scripts show and enable it; without them a form must not be sent anywhere.
        button = {"type": "submit", "hidden": "hidden", "disabled": "disabled"}
        button = element("button", button, nodes.Text(_("Check")))
        verdict = element("div", {"class": "attn-verdict", "role": "status"})
        explained = [
            element(
                "p", {"data-choice": letter},
                element("span", {"class": "attn-letter"}, nodes.Text(f"{letter}. ")),
                element("span", {}, *self.inline(text)),
            )
            for letter, text in asked["answers"].items()
        ]  # fmt: skip
        explain = nodes.Text(_("Every choice of question %d, explained") % number)
        title = element("summary", {}, explain)
        fold = element("details", {"class": "attn-answers"}, title, *explained)
        fields = element("fieldset", {}, legend, *choices)
        return element(
            "form", {"class": "attn-question", "data-right": right}, fields, button, verdict, fold
        )

    def inline(self, text: str) -> list:
        parsed, messages = self.state.inline_text(text, self.lineno)
        return [*parsed, *messages]


def setup(app):
    app.setup_extension("study.element")
    app.setup_extension("sphinx_design")
    # A name that JupyterLab's MyST extension knows.
    app.add_directive("div", Quiz, override=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
