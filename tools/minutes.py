"""The minutes that a page takes, counted with all that it asks its reader to do.

    python -m tools.minutes [PAGE]...        what each page has, and what its head says
    python -m tools.minutes --write          write them where they are stated

One rule: 150 words a minute of text, captions and answers to tasks, and 200 of what cells print; 10
seconds for a visible line of code; 1.5 minutes for a prediction, 4 for a task *Your turn*, 2 for a
figure that moves and 2 for a quiz; then to the nearest five minutes. Asides that only some readers
want, and the head of the page, are not counted.
"""

import re
import sys
from pathlib import Path

from tools.contents import chapters, parts
from tools.notebooks import printed, read

ROOT = Path(__file__).resolve().parents[1]
FOLDED_CELLS = {"remove-cell", "hide-cell", "hide-input", "remove-input"}
UNSEEN = {"remove-cell", "remove-output", "hide-cell"}
FOLDS = (
    r"^(:{3,})\{dropdown\} (?!One answer).*?^\1$",
    r"<details>.*?</details>",
    r"^(:{3,})\{div\}\n:class: attn-quiz.*?^\1$",
    r"^(:{3,})\{admonition\} Before you start.*?^\1$",
)
MARKUP = (r"^:.*$", r"^```.*$", r"\$\$.*?\$\$", r"\{[\w:-]+\}", r"^\|[-:| ]+\|$", r"<[^>]+>")
WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
MOVES = re.compile(r"\w_figure\(")
TIME = re.compile(r"(\*\*Time\*\*: (?:about )?)(\d+)( minutes to read)")
TOTAL = re.compile(r"(\d+)( minutes of reading)")
# A row of the plans in adopting_the_course.md: number and title, pages, what is handed in, minutes.
WEEK = re.compile(r"^(\| \d+ \| [^|]+ \|) ([^|]+) \| ([^|]+) \| (\d+) \|$", re.M)


def words(text: str) -> int:
    """The words of a markdown text; a formula in a line counts as one."""
    for pattern in MARKUP:
        text = re.sub(pattern, " ", text, flags=re.DOTALL if "$$" in pattern else re.MULTILINE)
    return len(WORD.findall(re.sub(r"\$[^$\n]+\$", " x ", text)))


def count(path: Path) -> dict[str, int]:
    """What a page asks to be read, done and looked at."""
    cells = read(path).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    sight = text
    for pattern in FOLDS:
        sight = re.sub(pattern, "", sight, flags=re.DOTALL | re.MULTILINE)
    code = [
        (cell, set(cell.metadata.get("tags", []))) for cell in cells if cell.cell_type == "code"
    ]
    seen = [cell for cell, tags in code if not UNSEEN & tags]
    captions = [
        cell.metadata.get("mystnb", {}).get("figure", {}).get("caption", "") for cell in seen
    ]
    moving = [cell for cell in seen if MOVES.search(cell.source)]
    return {
        "words": words(sight) + sum(map(words, captions)),
        "printed": sum(words(t) for cell in seen if cell not in moving for t in printed(cell)),
        "lines": sum(
            bool(line.strip())
            for cell, tags in code
            if not FOLDED_CELLS & tags
            for line in cell.source.splitlines()
        ),
        "predictions": text.count(":class: attn-predict"),
        "tasks": text.count(":class: attn-turn"),
        "figures": len(moving),
        "quizzes": text.count(":class: attn-quiz"),
    }


# Minutes for one of each.
EACH = {"words": 1 / 150, "printed": 1 / 200, "lines": 10 / 60, "predictions": 1.5, "tasks": 4}
EACH |= {"figures": 2, "quizzes": 2}


def exact_minutes(path: Path) -> float:
    """The time that a page takes by the rule above."""
    return sum(EACH[what] * number for what, number in count(path).items())


def minutes(path: Path) -> int:
    """The same, to the nearest five minutes."""
    return 5 * max(1, round(exact_minutes(path) / 5))


def stated(path: Path) -> int | None:
    """The minutes that the head of a page names."""
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    found = TIME.search(text)
    return int(found[2]) if found else None


def pages(*captions: str) -> list[Path]:
    """The notebooks of these parts of the contents, or of all that teach, in their order."""
    held = [page for caption in captions for page in parts().get(caption, [])]
    names = held if captions else chapters()
    return [path for name in names if (path := ROOT / f"{name}.ipynb").exists()]


FIRST_HALF = ("Start", "The idea", "Learning to align")


def exercise_minutes(name: str, tasks: str = "") -> int:
    """What the head of an exercise says of its time, or that of some of its tasks: "1 and 2"."""
    cells = read(ROOT / "exercises" / f"{name}.ipynb").cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    if not tasks:
        return int(re.search(r"about (\d+) minutes", text)[1])
    each = re.findall(r"^\*About (\d+) minutes", text, re.M)
    return sum(int(each[int(number) - 1]) for number in tasks.split(" and "))


def week_minutes(week: str, hand_in: str) -> int:
    """Of the pages that a week's row names, and of the exercises or tasks that it hands in."""
    read_in = sum(stated(ROOT / f"book/{name}.ipynb") for name in re.findall(r"`(\w+)`", week))
    handed = re.findall(r"`(\w+)`(?:, tasks (\d and \d))?", hand_in)
    return read_in + sum(exercise_minutes(name, tasks) for name, tasks in handed)


def write() -> None:
    """Write the counted minutes into each chapter's head, the index and the plans of weeks."""
    for path in pages():
        text = path.read_text(encoding="utf-8")
        path.write_text(TIME.sub(rf"\g<1>{minutes(path)}\3", text, count=1), encoding="utf-8")
    index = ROOT / "index.md"
    total = sum(minutes(path) for path in pages(*FIRST_HALF))
    text = TOTAL.sub(rf"{total}\2", index.read_text(encoding="utf-8"), count=1)
    index.write_text(text, encoding="utf-8")
    plans = ROOT / "book" / "adopting_the_course.md"

    def counted(row: re.Match) -> str:
        return f"{row[1]} {row[2]} | {row[3]} | {week_minutes(row[2], row[3])} |"

    plans.write_text(WEEK.sub(counted, plans.read_text(encoding="utf-8")), encoding="utf-8")


def main(names: list[str]) -> int:
    if names == ["--write"]:
        write()
    chosen = [ROOT / "book" / f"{name}.ipynb" for name in names if name != "--write"] or pages()
    heads = {"words": 6, "printed": 8, "lines": 6, "predictions": 12, "tasks": 6, "figures": 8}
    heads |= {"quizzes": 8, "minutes": 8, "head": 5}
    print(f"{'page':28s}" + "".join(head.rjust(width) for head, width in heads.items()))
    total = 0
    for path in chosen:
        total += minutes(path)
        row = {**count(path), "minutes": minutes(path), "head": stated(path) or "-"}
        print(f"{path.stem:28s}" + "".join(f"{row[h]:>{width}}" for h, width in heads.items()))
    print(f"{'together':28s}{total:62d}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
