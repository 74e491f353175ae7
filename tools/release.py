"""Write exercises/ from solutions/: the same notebooks, with each answer replaced by a stub.

    python tools/release.py            write exercises/
    python tools/release.py --check    exit 1 if exercises/ is not what solutions/ would give

Between `### BEGIN SOLUTION` and `### END SOLUTION` (nbgrader's markers, so its tools also work
here) the student finds `# YOUR CODE HERE` and `raise NotImplementedError`, at the same indentation.
Where comments follow `### PLANTED` inside the markers, the student finds those lines instead.
Of a cell tagged `written` the question stays, the lines that begin with ">", and an empty place.
"""

import re
import sys
from pathlib import Path

from nbformat import NotebookNode

# As a script, Python puts tools/ on the path, not the folder above it.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from course_lib.checker.written_answers import emptied, question_lines
from tools.notebooks import canonical, dumps, read

BEGIN, PLANTED, END = "### BEGIN SOLUTION", "### PLANTED", "### END SOLUTION"
SOLUTION = re.compile(
    rf"^(?P<indent>[ \t]*){BEGIN}[ \t]*\n.*?^[ \t]*{END}[ \t]*$", re.DOTALL | re.MULTILINE
)
STUB = "{0}# YOUR CODE HERE\n{0}raise NotImplementedError"


def stubbed(source: str) -> str:
    """The source of a cell with each solution replaced by the stub."""
    text = SOLUTION.sub(_left, source)
    if BEGIN in text or END in text:
        raise ValueError(
            f"A solution is not closed: every {BEGIN!r} needs its {END!r}, each on its own line."
        )
    return text


def _left(solution: re.Match) -> str:
    """What a student finds in the place of a solution."""
    _, marked, planted = solution.group().partition(f"{PLANTED}\n")
    if not marked:
        return STUB.format(solution["indent"])
    lines = planted.rstrip().removesuffix(END).rstrip().split("\n")
    return "\n".join(re.sub(r"^(\s*)# ?", r"\1", line) for line in lines)


def released(notebook: NotebookNode) -> NotebookNode:
    """The student's notebook: stubs in the answer cells, no outputs."""
    student = canonical(notebook, cleared=True)
    for number, cell in enumerate(student.cells):
        is_answer = "answer" in cell.metadata.get("tags", [])
        if is_answer and not SOLUTION.search(cell.source):
            raise ValueError(f"Cell {number} has the tag `answer` and no {BEGIN!r} … {END!r}.")
        if is_answer and not cell.metadata.get("task"):
            raise ValueError(f"Cell {number} has the tag `answer`: its metadata must name a task.")
        cell.source = stubbed(cell.source)
        if "written" in cell.metadata.get("tags", []):
            if not question_lines(cell.source) or not cell.metadata.get("written"):
                raise ValueError(
                    f"Cell {number} has the tag `written`: it must begin with its question, in "
                    "lines that begin with `>`, and its metadata must give a name."
                )
            cell.source = emptied(cell.source)
    return student


def release(solutions: Path, exercises: Path) -> dict[Path, str]:
    """What exercises/ should hold: its files and their text."""
    return {
        exercises / path.name: dumps(released(read(path)))
        for path in sorted(solutions.glob("*.ipynb"))
    }


def differences(wanted: dict[Path, str], exercises: Path) -> list[str]:
    """What must be done to exercises/, as sentences; empty when nothing."""
    found = [
        f"{p} has no solution: remove it." for p in exercises.glob("*.ipynb") if p not in wanted
    ]
    for path, text in wanted.items():
        if not path.exists():
            found.append(f"{path} is missing: run `make release`.")
        elif path.read_text(encoding="utf-8") != text:
            found.append(f"{path} differs from its solution: run `make release`.")
    return sorted(found)


def main(arguments: list[str]) -> int:
    root = Path(__file__).resolve().parent.parent
    exercises = root / "exercises"
    wanted = release(root / "solutions", exercises)
    if arguments == ["--check"]:
        found = differences(wanted, exercises)
        print(*found, sep="\n", end="\n" if found else "")
        return 1 if found else 0
    exercises.mkdir(exist_ok=True)
    for path in exercises.glob("*.ipynb"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{path.relative_to(root)}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
