"""Write exercises/ from solutions/: the same notebooks, with each answer replaced by a stub.

    python tools/release.py            write exercises/
    python tools/release.py --check    exit 1 if exercises/ is not what solutions/ would give

Between `### BEGIN SOLUTION` and `### END SOLUTION` (nbgrader's markers, so its tools also work
here) the student finds `# YOUR CODE HERE` and `raise NotImplementedError`, at the same indentation.
Where comments follow `### PLANTED` inside the markers, the student finds those lines instead.
Of a cell tagged `written` the question stays, the lines that begin with ">", and an empty place.
A cell that uses an answer, such as those under "See it", gets the tag `raises-exception`: it fails
before the answer is written, and in JupyterLab *Run All* goes on below it.
"""

import ast
import re
import symtable
import sys
from collections.abc import Iterator
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


GENTLE = {"check", "hint", "show"}  # what an exercise asks of an answer, written or not
MAGIC = re.compile(r"^([ \t]*)[%!].*$", re.MULTILINE)
NO_NAME = re.compile(r'^ME = ""', re.MULTILINE)  # the student writes it there


def names(source: str) -> tuple[set[str], set[str]]:
    """What a cell binds, and what it or a function of it reads."""

    def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
        yield table
        for child in table.get_children():
            yield from scopes(child)

    top = symtable.symtable(source, "cell", "exec")
    binds = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()}
    reads = {
        one.get_name()
        for scope in scopes(top)
        for one in scope.get_symbols()
        if one.is_referenced() and (scope is top or one.is_global())
    }
    return binds, reads


def only_asks(source: str) -> bool:
    """Whether a cell only hands what is gentle an answer that is not written, and calls none."""
    cell = ast.parse(source)
    asked = [one.func for one in ast.walk(cell) if isinstance(one, ast.Call)]
    lines = sum(isinstance(one, ast.Expr) for one in cell.body)
    found = {one.id if isinstance(one, ast.Name) else "" for one in asked}
    return len(asked) == lines == len(cell.body) > 0 and found <= GENTLE


def let_unwritten_pass(student: NotebookNode) -> None:
    """Tag the cells that fail as long as an answer above them is a stub, or the name is missing."""
    unwritten: set[str] = set()
    for cell in student.cells:
        if cell.cell_type != "code":
            continue
        source = MAGIC.sub(r"\1pass", cell.source)
        binds, reads = names(source)
        tags = cell.metadata.get("tags", [])
        answer = "answer" in tags or STUB.format("") in cell.source
        fails = re.search(r"^raise NotImplementedError", cell.source, re.MULTILINE)
        if fails or (not answer and reads & unwritten and not only_asks(source)):
            cell.metadata["tags"] = [*tags, "raises-exception"]
            unwritten |= binds
        elif answer or NO_NAME.search(source):
            unwritten |= binds


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
    let_unwritten_pass(student)
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
