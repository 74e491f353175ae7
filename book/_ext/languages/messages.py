"""The sentences of a page, as a translator gets them, and the page made from their translations.

A message is a paragraph, a heading, an item of a list, a row of a table, the title of a directive,
or a figure's caption or description; the marks around it stay where they are. Sphinx's own gettext
builder sees what it has parsed, so it finds neither quizzes nor the titles of our folds.
"""

import re
from collections.abc import Callable, Iterable
from copy import deepcopy
from pathlib import Path

from babel.messages.pofile import read_po

LOCALE = Path("book") / "locale"
# What stands before a message on its line, and whether the message ends with that line.
LEADS = (
    (re.compile(r"#+ "), True),
    (re.compile(r":{3,}\{[\w-]+\} *"), True),
    (re.compile(r"<details><summary>"), True),
    (re.compile(r"(?=\|)"), True),
    (re.compile(r" *(?:[-*]|\d+\.) (?:[a-f]\. )?"), False),
)
KEPT = re.compile(r"\s*|:{3,}|\([\w-]+\)=|:[\w-]+:.*|</details>|[-| :]+")  # no words in it
FENCE = re.compile(r"(`{3,}|\$\$)")  # code and formulas in lines of their own
LETTER = re.compile(r"[^\W\d_]")
LABEL = re.compile(r"^\(([\w-]+)\)=|^:(?:label|name): ([\w-]+)$", re.M)
DOC = re.compile(r"\{doc\}`(?:([^`<]+)<)?(\w+)>?`")

Say = Callable[[str], str]


def rewritten(source: str, say: Say) -> str:
    """Markdown with each message replaced by what `say` gives for it."""
    out, lead, text, fence = [], "", [], ""

    def flush() -> None:
        nonlocal lead
        message, end = " ".join(text), ""
        if message.endswith("</summary>"):
            message, end = message.removesuffix("</summary>"), "</summary>"
        if lead or message:
            out.append(lead + (say(message) if LETTER.search(message) else message) + end)
        lead = ""
        text.clear()

    for line in source.split("\n"):
        opens = FENCE.match(line)
        if fence or opens or KEPT.fullmatch(line):
            flush()
            out.append(line)
            if fence:
                fence = "" if line.strip().endswith(fence) else fence
            elif opens and not (len(line) > len(opens[1]) and line.rstrip(" .").endswith("$$")):
                fence = opens[1]
            continue
        for pattern, whole in LEADS:
            if found := pattern.match(line):
                flush()
                lead = found[0]
                text.append(line[found.end() :])
                if whole:
                    flush()
                break
        else:
            text.append(line.strip())
    flush()
    return "\n".join(out)


def translated(notebook, say: Say):
    """A copy of the page in which every message went through `say`; code and outputs stay."""
    notebook = deepcopy(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = rewritten(cell.source, say)
        shown = cell.metadata.get("mystnb", {})
        for part, key in (("figure", "caption"), ("image", "alt")):
            if text := shown.get(part, {}).get(key):
                shown[part][key] = say(text)
    return notebook


def messages(notebook) -> list[str]:
    """What there is to translate, in the page's order, each once."""
    found: dict[str, None] = {}
    translated(notebook, lambda message: found.setdefault(message) or message)
    return list(found)


def renamed(notebook, language: str, pages: Iterable[str]):
    """Put the language in front of the page's labels, since a label stands in one page alone; and
    lead its links to chapters to those that are translated, `pages`, else to the English ones."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    figures = [cell.metadata.get("mystnb", {}).get("figure", {}) for cell in notebook.cells]
    labels = {one or other for one, other in LABEL.findall(text)}
    labels |= {figure["name"] for figure in figures if "name" in figure}
    for figure in figures:
        if "name" in figure:
            figure["name"] = f"{language}-{figure['name']}"

    def link(found) -> str:
        page = f"/{language if found[2] in pages else 'book'}/{found[2]}"
        return f"{{doc}}`{found[1]}<{page}>`" if found[1] else f"{{doc}}`{page}`"

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for label in labels:
                used = rf"(?<=[(`<]){label}(?=[)`>])|(?<=label: ){label}$|(?<=name: ){label}$"
                cell.source = re.sub(used, f"{language}-{label}", cell.source, flags=re.M)
            cell.source = DOC.sub(link, cell.source)
    return notebook


def catalogues(root: Path) -> dict[str, list[str]]:
    """The pages that have a catalogue, by language; `course` is that of our scripts' words."""
    found = {}
    for folder in sorted((root / LOCALE).glob("*/LC_MESSAGES")):
        names = sorted(path.stem for path in folder.glob("*.po"))
        found[folder.parent.name] = [name for name in names if name != "course"]
    return found


def catalogue(root: Path, language: str, name: str) -> Path:
    return root / LOCALE / language / "LC_MESSAGES" / f"{name}.po"


def table(path: Path) -> dict[str, str]:
    """What a catalogue translates, without what a translator should look at again (`fuzzy`)."""
    if not path.exists():
        return {}
    with path.open("rb") as file:
        entries = read_po(file)
    return {m.id: m.string for m in entries if m.id and m.string and not m.fuzzy}
