"""Study aids: the letters of formulas, where the interview questions lead, the hour's route."""

import math
import re
from collections import Counter
from functools import cache
from pathlib import Path

import nbformat
import pytest

from tools.minutes import exact_minutes
from tools.notebooks import canonical, dumps, read

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book"
MATH = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$\n]+)\$|```\{math\}(.*?)```", re.S)
NAMES = "text|mathrm|operatorname|label|begin|end|texttt"  # what they hold is a word
WORDS = re.compile(rf":label:.*|\\(?:{NAMES})\*?\{{[^{{}}]*\}}")
GREEK = re.compile(
    r"\\(alpha|beta|gamma|delta|varepsilon|theta|lambda|mu|pi|rho|sigma|tau|phi|omega|eta)\b"
)
EXPONENT = re.compile(r"(?<![a-zA-Z])e\^")
NO_PART = {"notation", "adopting_the_course", "grading_a_class", "glossary"}  # no lesson's formulas
PAGES = [p for p in sorted(BOOK.glob("*.ipynb")) if p.stem not in NO_PART]
PAGES += [BOOK / name for name in ("interview_questions.md", "since_2023.md", "further_reading.md")]


def text(path: Path) -> str:
    if path.suffix == ".md":
        return path.read_text("utf-8")
    return "\n\n".join(c.source for c in read(path).cells if c.cell_type == "markdown")


def formulas(page: str) -> list[str]:
    return [next(filter(None, found.groups())) for found in MATH.finditer(page)]


def letters(formula: str) -> set[str]:
    """The letters that stand for something: Latin, Greek, and script ones as `calS`."""
    plain = re.sub(r"\\mathcal\{(\w)\}", r" cal\1 ", WORDS.sub(" ", formula))
    script, plain = re.findall(r"cal[A-Z]", plain), re.sub(r"cal[A-Z]", " ", plain)
    greek, plain = GREEK.findall(plain), re.sub(r"\\[a-zA-Z]+", " ", plain)
    return {*script, *greek, *re.findall(r"[A-Za-z]", plain)}


@cache
def notation() -> tuple[set[str], dict[str, set[str]]]:
    """The letters that the whole book may use, and those that a page may use besides."""
    everywhere, local = set(), {}
    whole, _, rest = text(BOOK / "notation.md").partition("## Letters of a page or two")
    for row in re.findall(r"^\| (.+?) \| .*$", whole, re.M):
        everywhere |= {letter for formula in formulas(row) for letter in letters(formula)}
    for name, meaning in re.findall(r"^\| (.+?) \| (.+) \|$", rest.partition("\n## ")[0], re.M):
        for page in re.findall(r"\{doc\}`(\w+)`", meaning):
            named = {letter for formula in formulas(name) for letter in letters(formula)}
            local[page] = local.get(page, set()) | named
    return everywhere, local


def unexplained(page: str, source: str) -> list[str]:
    everywhere, local = notation()
    used = {letter for formula in formulas(source) for letter in letters(formula)}
    return sorted(used - everywhere - local.get(page, set()))


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_every_letter_of_a_formula_is_in_the_notation(path):
    left = unexplained(path.stem, text(path))
    assert not left, f"{path.stem} uses {', '.join(left)}: give each a row in notation.md."
    powers = [f for f in formulas(text(path)) if EXPONENT.search(f)]
    assert not powers, f"{path.stem}: e is a score, so write exp in ${powers[0]}$"


def test_a_letter_that_no_table_has_is_found():
    assert unexplained("softmax", r"$\alpha_j = Z \cdot \text{Q}$") == ["Z"]
    assert unexplained("flash_attention", "$D$") == [] != unexplained("softmax", r"$\lambda$")


WORD = re.compile(r"[a-z_]{4,}|[A-Z][A-Za-z0-9]+")
QUESTION = re.compile(r"^:::\{dropdown\} (\d+)\. (.*?)\n(.*?)\n:::$", re.S | re.M)
NEAR = 10  # of the book's notebooks, the nearest to a question in the words that they share
COLLECTIONS = {"errata", "misconceptions", "grading_a_class"}


@cache
def word_counts() -> dict[str, Counter]:
    pages = [p for p in BOOK.glob("*.ipynb") if p.stem not in COLLECTIONS]
    return {p.stem: Counter(w.lower() for w in WORD.findall(text(p))) for p in pages}


def nearest(question: str) -> list[str]:
    """The pages that share the most words with a question, rare ones counting more."""
    counts = word_counts()
    spread = Counter(word for page in counts.values() for word in page)
    asked = {w.lower() for w in WORD.findall(re.sub(r"\{[\w:]+\}`[^`]*`", "", question))}
    rare = {w: math.log(len(counts) / spread[w]) for w in asked if 0 < spread[w] < len(counts) / 2}

    def shared(page: str) -> float:
        return sum(worth * min(counts[page][word], 3) for word, worth in rare.items())

    return sorted(counts, key=shared, reverse=True)[:NEAR]


def questions() -> list[tuple[str, str, str]]:
    return QUESTION.findall(text(BOOK / "interview_questions.md"))


def test_the_questions_are_numbered_and_each_names_a_page_or_a_paper():
    asked = questions()
    assert [int(number) for number, *_ in asked] == list(range(1, len(asked) + 1))
    bare = [n for n, _, answer in asked if not re.search(r"\{(?:doc|ref|cite:\w)\}`", answer)]
    assert not bare, f"questions {', '.join(bare)} name neither a page nor a paper"


@pytest.mark.parametrize("asked", questions(), ids=lambda asked: asked[0])
def test_a_question_leads_to_pages_that_are_about_it(asked):
    _, question, answer = asked
    near = nearest(f"{question} {answer}")
    linked = set(re.findall(r"\{doc\}`(\w+)`", answer)) & set(word_counts())
    far = sorted(linked - set(near))
    assert not far, f"{', '.join(far)} shares few words with it; nearer: {', '.join(near[:4])}"


CARD = re.compile(r"^1\. \{doc\}`book/(\w+)` (\d+) min$", re.M)  # of the landing page
SKIP = re.compile(r"^\*\*In a hurry\?\*\* .*?<route-hour>`.*?: (.+)\.$", re.M)
MOST = 180  # minutes


def sections(path: Path) -> dict[str, list]:
    """The cells of a page, cut at its headings of the second level."""
    found = {"": []}
    for cell in read(path).cells:
        if cell.cell_type != "markdown":
            found[list(found)[-1]].append(cell)
            continue
        for part in re.split(r"(?m)^(?=## )", cell.source):
            if part.startswith("## "):
                found[part[3:].splitlines()[0].strip()] = []
            found[list(found)[-1]].append(nbformat.v4.new_markdown_cell(part))
    return found


def minutes_without(path: Path, left_out: set[str], tmp_path: Path) -> int:
    """The minutes of a page whose sections of these names are passed over, and its quiz."""
    kept = [c for name, cells in sections(path).items() if name not in left_out for c in cells]
    shorter = nbformat.v4.new_notebook(cells=[c for c in kept if "attn-quiz" not in c["source"]])
    (tmp_path / path.name).write_text(dumps(canonical(shorter)), encoding="utf-8")
    return math.ceil(exact_minutes(tmp_path / path.name))


def test_the_route_through_self_attention_is_short_and_says_what_to_skip(tmp_path):
    index = (BOOK.parent / "index.md").read_text(encoding="utf-8")
    rows = CARD.findall(index)
    assert len(rows) == 7 and rows[-1][0] == "causal_attention"
    for name, said in rows:
        path = BOOK / f"{name}.ipynb"
        line = SKIP.search(text(path))
        assert line, f"{name} does not say what to skip on the route in a hurry"
        skipped = set(re.findall(r'"([^"]+)"', line[1]))
        gone = sorted(skipped - set(sections(path)))
        assert not gone, f"{name} has no section {', '.join(gone)}"
        counted = minutes_without(path, skipped, tmp_path)
        assert abs(counted - int(said)) <= 1, f"{name}: {counted} minutes are counted, not {said}"
    whole = sum(int(said) for _, said in rows)
    assert whole <= MOST
    line = index.partition("(route-hour)=\n")[2].splitlines()[0]
    assert f"{whole} minutes" in line, "the landing page says the minutes of the route"


LEVEL = re.compile(r"^:level: (.+)$", re.M)


def test_a_page_with_asides_has_them_for_two_kinds_of_readers():
    """The switch of the reading level is shown on pages with two asides or more."""
    template = (BOOK / "templates" / "level-choice.html").read_text("utf-8")
    assert "count('data-levels=') >= 2" in template
    levels = {path.stem: LEVEL.findall(text(path)) for path in PAGES}
    few = sorted(page for page, found in levels.items() if found and len(set(found)) < 2)
    assert not few, f"{', '.join(few)}: asides for one kind of reader move nothing; add another"
    assert sum(map(bool, levels.values())) >= 9
