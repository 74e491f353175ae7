"""What the pages are made of beside their text: quizzes, glossary, docstrings."""

import inspect
import re
from pathlib import Path

import pytest
import yaml
from study import formulas, levels, quiz
from study.plain_text import formula_as_text

import course_lib

ROOT = Path(__file__).parents[2]
GOOD = """**1. Which?**

- a. This,
  in two lines.
- b. That.

<details><summary>Answers to 1</summary>

- a. **Right.** It is.
- b. No.

</details>
"""


def test_a_quiz_is_read_as_it_is_written():
    (question,) = quiz.parse(GOOD.splitlines())
    assert question["question"] == "Which?"
    assert question["choices"] == {"a": "This, in two lines.", "b": "That."}
    assert question["answers"] == {"a": "**Right.** It is.", "b": "No."}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("- b. No.\n", "", "each choice needs an answer"),
        ("**Right.**", "Yes.", "exactly one answer"),
        ("- b. No.", "- b. **Right.** Too.", "exactly one answer"),
        ("**1.", "**2.", "should be number 1"),
        ("- b. That.", "* b. That.", "neither a question"),
        ("It is.", "See {doc}`softmax`.", "question 1 holds {doc}`softmax`, and a quiz can have"),
        ("- b. That.", "- b. [That](softmax.md).", "question 1 holds .*no links"),
        (GOOD, "", "no question"),
    ],
)
def test_a_quiz_with_a_fault_is_refused(old, new, words):
    with pytest.raises(ValueError, match=words):
        quiz.parse(GOOD.replace(old, new).splitlines())


def test_choices_are_shuffled_and_keep_their_explanations():
    right = []
    for number in range(40):
        choices = {letter: f"choice {letter}" for letter in "abcd"}
        answers = {letter: f"{'**Right.** ' * (letter == 'a')}why {letter}" for letter in "abcd"}
        asked = {"question": f"Which {number}?", "choices": choices, "answers": answers}
        mixed = quiz.shuffled(asked)
        assert mixed == quiz.shuffled(asked), "another build, another order"
        for letter, choice in mixed["choices"].items():
            assert mixed["answers"][letter][-1] == choice[-1]
        right += [k for k, text in mixed["answers"].items() if quiz.is_right(text)]
    assert len(right) == 40
    assert all(4 <= right.count(letter) <= 18 for letter in "abcd"), right


def entries() -> dict[str, dict[str, str]]:
    """The glossary: {term: {level: definition}}."""
    text = (ROOT / "book" / "glossary.md").read_text("utf-8")
    body = text.partition("```{glossary}\n")[2].rpartition("```")[0]
    found, term = {}, None
    for line in filter(str.strip, body.splitlines()):
        if line.startswith("  "):
            level, _, definition = line.strip().removeprefix("{level}`").partition("` ")
            assert level not in found[term], f"{term}: {level} twice"
            found[term][level] = definition
        else:
            term = line
            found[term] = {}
    return found


def test_every_term_has_three_definitions_whose_formulas_are_text():
    for term, texts in entries().items():
        assert tuple(texts) == levels.LEVELS, term
        assert "$" not in texts["beginner"] and "{cite" not in texts["beginner"], term
        for formula in re.findall(r"\$([^$]+)\$", " ".join(texts.values())):
            assert not set(formula_as_text(formula)) & set("\\${}"), formula
    assert formula_as_text(r"v_a^\top \tanh(W_a s)") == "v_aᵀ tanh(W_a s)"
    assert formula_as_text(r"O(\sqrt{d_k})") == "O(√d_k)"


def test_the_levels_up_to_which_terms_are_marked_name_terms():
    front = (ROOT / "book" / "glossary.md").read_text("utf-8").split("---\n")[1]
    marked = levels.marked_up_to(yaml.safe_load(front))
    assert set(marked) - set(entries()) == set()
    assert set(marked.values()) == {"practitioner", "expert"}


DOCSTRING = """One line.

    w = exp(s)

      + 1

Args:
    mask: True = may

        attend.

A paper.
"""


def test_a_formula_in_a_docstring_is_shown_as_typed_and_sections_are_napoleons():
    lines = formulas.as_typed(DOCSTRING.splitlines())
    assert lines[:4] == ["One line.", "", "::", ""]
    assert lines.count("::") == 1
    assert [line for line in lines if line != "::"][3:] == DOCSTRING.splitlines()[2:]


def test_every_public_name_is_on_the_api_page():
    page = (ROOT / "book" / "api.md").read_text("utf-8")
    listed = set(re.findall(r"auto(?:function|class):: (\w+)", page))
    assert set(course_lib.__all__) - listed == set()
    assert all(inspect.getdoc(getattr(course_lib, name)) for name in course_lib.__all__)


def test_a_level_must_be_one_of_three():
    assert levels.levels("practitioner expert") == ["practitioner", "expert"]
    for wrong in ("", "novice", "expert novice"):
        with pytest.raises(ValueError, match="one or more of beginner"):
            levels.levels(wrong)
