"""Slides for every chapter, each one file to show without a network: _build/slides/.

    python -m tools.slides [PAGE]...

They are made from the built pages, so nothing is run again: the pictures and formulas of a page,
its predictions as questions, then what happened, its tasks, and the questions of its quiz.
"""

import base64
import copy
import sys
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from course_lib.checker.escape import render
from tools.contents import chapters

ROOT = Path(__file__).resolve().parents[1]
SITE, PLACE = ROOT / "_build" / "html", ROOT / "_build" / "slides"
TEMPLATE = Path(__file__).with_suffix(".html.j2")
LOOKED_AT = ("figure", "ul", "ol", "table")
SKIPPED = ("Quiz", "Key terms")
MOST_ROWS = 9  # of a table on one slide
OUTPUT = ".cell_output > .output, .cell_output > figure, .cell_output > .attn-figure"


def slide(title: str, *parts: object, kind: str = "", level: int = 2) -> str:
    """One slide: a heading, and below it what fills the rest."""
    label = f'<p class="kind">{kind}</p>' if kind else ""
    head = f"<h{level}>{escape(title)}</h{level}>" if title else ""
    body = "\n".join(map(str, parts))
    return f'<section class="slide">{label}{head}<div class="body">{body}</div></section>'


def boxed(box: Tag, name: str) -> str:
    """What an admonition or a fold holds, without its title."""
    inner = [str(part) for part in box.find_all(True, recursive=False) if not is_title(part)]
    return f'<div class="{name}">{"".join(inner)}</div>'


def pieces(part: Tag) -> list[Tag]:
    """A table of many rows as several, each with its head; anything else as it is."""
    made = []
    for first in range(0, len(part.select("tbody > tr")) or 1, MOST_ROWS):
        piece = copy.copy(part)
        for number, row in enumerate(piece.select("tbody > tr")):
            if number // MOST_ROWS != first // MOST_ROWS:
                row.decompose()
        made.append(piece)
    return made


def is_title(part: Tag) -> bool:
    return part.name == "summary" or "admonition-title" in part.get("class", [])


def of_section(section: Tag) -> list[str]:
    """The slides of one section of a page: in order, what a room looks at."""
    title = text_of(section.find(["h2", "h3"]))
    made, before = [], ""  # before: the paragraph that leads to a formula or a table
    answer, shown = "", []  # what is still to come, and what cells print until then
    for part in section.find_all(True, recursive=False):
        names = part.get("class", [])
        if part.name == "section":
            made += of_section(part)
        elif "attn-predict" in names:
            made.append(slide(title, boxed(part, "ask"), kind="Before you run"))
            answer, shown = "What happened, and why", []
        elif "attn-turn" in names:
            made.append(slide(title, boxed(part, "turn"), kind="Your turn"))
            answer, shown = "One answer", []
        elif answer and (part.name == "details" or "attn-why" in names):
            why = boxed(part.select_one(".sd-summary-content") or part, "why")
            if any(one.name == "figure" for one in shown):  # a picture fills a slide
                made += [slide(title, one, kind=answer) for one in shown]
                shown = []
            made.append(slide(title, *shown, why, kind=answer))
            answer = ""
        elif "cell" in names and answer:
            shown += part.select(OUTPUT)
        elif "cell" in names:
            made += [slide(title, picture) for picture in part.select("figure")]
        elif part.name in LOOKED_AT or "math" in names or (part.name == "div" and part.table):
            made += [slide(title, before, piece) for piece in pieces(part)]
        before = str(part) if part.name == "p" else ""
    if not made and title:
        made = [slide(title, section.find("p", recursive=False) or "")]
    return made


def of_quiz(quiz: Tag | None) -> list[str]:
    """A slide for each question, to vote on, and one for its answer."""
    made = []
    for form in quiz.select("form.attn-question") if quiz else []:
        choices = [label.find("span").decode_contents() for label in form.select(".attn-choice")]
        items = "".join(f"<p>{choice}</p>" for choice in choices)
        asked = f"<p><strong>{form.legend.decode_contents()}</strong></p>"
        why = form.select_one(f'[data-choice="{form["data-right"]}"]').decode_contents()
        made.append(slide("Quiz", asked, items))
        made.append(slide("Quiz", asked, f"<p>{why}</p>"))
    return made


def text_of(heading: Tag | None) -> str:
    """A heading without its number and its link."""
    if heading is None:
        return ""
    for extra in heading.select(".section-number, .headerlink"):
        extra.decompose()
    return heading.get_text(" ", strip=True)


def data(path: Path) -> str:
    """A file as an address that holds it."""
    kinds = {".woff": "font/woff", ".svg": "image/svg+xml"}
    kind = kinds.get(path.suffix, f"image/{path.suffix[1:]}")
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


def alone(article: Tag, page: Path) -> None:
    """Take from a page what leads elsewhere or is for a reader alone; put its pictures in."""
    for extra in article.select("a.headerlink, .copybtn, details.attn-aside, .attn-level"):
        extra.decompose()
    for link in article.select("a:not([href^=http])"):
        link.unwrap()
    for image in article.select("img[src]"):
        image["src"] = data((page.parent / image["src"]).resolve())
        del image["loading"]


def opening(article: Tag) -> list[str]:
    """The title with the page's question, and what one will be able to do."""
    title = text_of(article.h1)
    bold = article.select(":scope > p > strong")
    question = next((one for one in bold if one.get_text().strip().endswith("?")), "")
    head = article.select_one(".attn-head ul")
    made = [slide(title, question and f"<p>{question}</p>", level=1)]
    return [*made, slide("You will be able to", head)] if head else made


def deck(page: Path, site: Path) -> str:
    """The slides of one built page, as one HTML file that asks for no other."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    article = soup.select_one("article.bd-article > section")
    alone(article, page)
    slides = opening(article)
    for section in article.find_all("section", recursive=False):
        if text_of(section.find("h2")) not in SKIPPED:
            slides += of_section(section)
    slides += of_quiz(article.select_one(".attn-quiz"))
    figures = site / "_static" / "figures"
    moving = article.find_all(lambda tag: tag.name.startswith("attn-"))
    scripts = sorted({tag.name.removeprefix("attn-") for tag in moving})
    held = {tag["data-from"] for tag in article.select(".attn-figure > script[data-from]")}
    font = data(site / "_static" / "maths.woff")
    names = [*(f"held/{name}" for name in sorted(held)), *scripts]
    return render(
        TEMPLATE,
        title=text_of(article.h1),
        font=font,
        styles=(figures / "figures.css").read_text(encoding="utf-8") if scripts else "",
        scripts=[(figures / f"{name}.js").read_text(encoding="utf-8") for name in names],
        slides="\n".join(slides),
    )


def main(names: list[str]) -> int:
    if not (SITE / "index.html").exists():
        print("There is no built book to make slides of: run `make book` first.")
        return 1
    PLACE.mkdir(parents=True, exist_ok=True)
    for name in names or chapters():
        page = SITE / f"{name}.html"
        if not page.exists():
            print(f"{name} is no page of the built book.")
            return 1
        text = deck(page, SITE)
        target = PLACE / f"{page.stem}.html"
        target.write_text(text, encoding="utf-8", newline="\n")
        print(f"{target.relative_to(ROOT)}: {text.count('<section class=')} slides")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
