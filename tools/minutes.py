"""The minutes that a page takes to read, counted, and the words of the book's first half.

    python -m tools.minutes [PAGE]...        what each page has, and what its head says

One rule: visible words at 130 a minute, 1.5 minutes for a prediction, 4 for a task *Your turn*, and
8 seconds for a visible line of code; then up to the next five minutes. Folds, asides and a quiz's
answers are not visible; the head of the page is not counted.
"""

import re
import sys
from pathlib import Path

from tools.contents import chapters, parts
from tools.notebooks import read

ROOT = Path(__file__).resolve().parents[1]
FOLDED_CELLS = {"remove-cell", "hide-cell", "hide-input", "remove-input"}
FOLDS = (
    r"^(:{3,})\{dropdown\}.*?^\1$",
    r"<details>.*?</details>",
    r"^(:{3,})\{admonition\} Before you start.*?^\1$",
)
MARKUP = (r"^:.*$", r"^```.*$", r"\$\$.*?\$\$", r"\{[\w:-]+\}", r"^\|[-:| ]+\|$", r"<[^>]+>")
WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
TIME = re.compile(r"\*\*Time\*\*: (?:about )?(\d+) minutes to read")


def words(text: str) -> int:
    """The words of a markdown text; a formula in a line counts as one."""
    for pattern in MARKUP:
        text = re.sub(pattern, " ", text, flags=re.DOTALL if "$$" in pattern else re.MULTILINE)
    return len(WORD.findall(re.sub(r"\$[^$\n]+\$", " x ", text)))


def count(path: Path) -> dict[str, int]:
    """What a page has: all its words, those in sight, predictions, tasks and lines of code."""
    cells = read(path).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    sight = text
    for pattern in FOLDS:
        sight = re.sub(pattern, "", sight, flags=re.DOTALL | re.MULTILINE)
    code = [
        cell.source
        for cell in cells
        if cell.cell_type == "code" and not FOLDED_CELLS & set(cell.metadata.get("tags", []))
    ]
    return {
        "words": words(text),
        "visible": words(sight),
        "predictions": text.count(":class: attn-predict"),
        "tasks": text.count(":class: attn-turn"),
        "lines": sum(bool(line.strip()) for source in code for line in source.splitlines()),
    }


def exact_minutes(path: Path) -> float:
    """The time to read a page by the rule above."""
    n = count(path)
    return n["visible"] / 130 + 1.5 * n["predictions"] + 4 * n["tasks"] + n["lines"] * 8 / 60


def minutes(path: Path) -> int:
    """The same, up to the next five minutes."""
    return 5 * -(-exact_minutes(path) // 5).__int__()


def stated(path: Path) -> int | None:
    """The minutes that the head of a page names."""
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    found = TIME.search(text)
    return int(found[1]) if found else None


def pages(*captions: str) -> list[Path]:
    """The notebooks of these parts of the contents, or of all that teach, in their order."""
    held = [page for caption in captions for page in parts().get(caption, [])]
    names = held if captions else chapters()
    return [path for name in names if (path := ROOT / f"{name}.ipynb").exists()]


def main(names: list[str]) -> int:
    chosen = [ROOT / "book" / f"{name}.ipynb" for name in names] or pages()
    print(f"{'page':28s} words visible predict tasks lines minutes head")
    total = [0, 0]
    for path in chosen:
        n, needed = count(path), minutes(path)
        total = [total[0] + n["words"], total[1] + needed]
        print(f"{path.stem:28s}{n['words']:6d}{n['visible']:8d}{n['predictions']:8d}{n['tasks']:6d}"
              f"{n['lines']:6d}{needed:8d}{stated(path) or '-':>5}")  # fmt: skip
    print(f"{'together':28s}{total[0]:6d}{'':30s}{total[1]:6d}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
