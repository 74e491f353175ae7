"""`attn new-exercise`: a whole exercise to change, in a copy of the course.

It is a small one that works: stub, reference, cases, mistakes, other right answers and a notebook,
entered in the lists that know the exercises. So a teacher's first step is to run its proof, and
each later step changes a thing that works.
"""

import json
import keyword
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.escape import render

HERE = Path(__file__).parent
LIST = "course_lib/exercises/__init__.py"
NEEDED = (LIST, "solutions/02_context_vectors.ipynb", "_toc.yml", "index.md")
MINUTES = 15
FILES = {
    "task.py.j2": "course_lib/exercises/{0}/{0}/task.py",
    "mistakes.py.j2": "course_lib/exercises/{0}/{0}/mistakes.py",
    "made.py.j2": "course_lib/exercises/{0}/{0}/__init__.py",
    "exercise.py.j2": "course_lib/exercises/{0}/__init__.py",
    "alternatives.py.j2": "solutions/alternatives/{0}.py",
}
NEXT = """
It works as it is. Change these three; after each change run the lines below:
  {folder}/{name}/task.py
  {folder}/{name}/mistakes.py
  {notebook}

  python tools/release.py
  pytest tests/exercises tests/book -k {name}
  python tools/notebooks.py run {notebook}"""


def new_exercise(root: Path, name: str, say: Callable[[str], None]) -> None:
    """Write the exercise `name` into the course's copy at `root`. Raises InputError where `root` is
    none, or the name cannot be one."""
    missing = [file for file in NEEDED if not (root / file).is_file()]
    if missing:
        raise InputError(
            f"{str(root)!r} is no copy of the course: it has no {missing[0]}. Run this in the "
            "folder that holds `solutions`."
        )
    listed = (root / LIST).read_text(encoding="utf-8")
    _need_free(name, listed, root)
    number = 1 + max(int(one) for one in re.findall(r'^    "(\d+)_', listed, re.M))
    title = name.replace("_", " ").capitalize()
    words = {
        "name": name,
        "title": title,
        "number": f"{number:02d}",
        "stem": f"{number:02d}_{name}",
    }
    folder, notebook = f"course_lib/exercises/{name}", f"solutions/{words['stem']}.ipynb"
    written = {file.format(name): render(HERE / source, **words) for source, file in FILES.items()}
    written[notebook] = _notebook(root, words)
    written |= dict(_listed(root, words))
    for path in written:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
    for path, text in written.items():
        (root / path).write_text(text, encoding="utf-8")
        say(f"{path}: {'a line added' if path in NEEDED else 'written'}")
    say(NEXT.format(folder=folder, notebook=notebook, name=name))


def _need_free(name: str, listed: str, root: Path) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,23}", name) or keyword.iskeyword(name):
        raise InputError(
            f"{name!r} cannot be the name of an exercise: it is that of a function, in small "
            "letters and at most 24 of them, such as masked_mean."
        )
    if re.search(rf"\b{name}\b", listed) or (root / "course_lib/exercises" / name).exists():
        raise InputError(f"there is a task or an exercise {name!r} already; choose another name.")


def _listed(root: Path, words: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The lists with a new line behind the last exercise that is no lab."""
    lines = {
        LIST: (r'    "\d+_\w+": [^\n]*\n', f'    "{words["stem"]}": "{words["name"]}",\n'),
        "_toc.yml": (r" +- file: exercises/\d\w+\n", f"      - file: exercises/{words['stem']}\n"),
        "index.md": (
            r"\| \{exercise\}`\d\w+` \|[^\n]*\n",
            f"| {{exercise}}`{words['stem']}` | {{doc}}`book/softmax` | {MINUTES} |\n",
        ),
    }
    for path, (pattern, line) in lines.items():
        text = (root / path).read_text(encoding="utf-8")
        *_, last = re.finditer(pattern, text)
        yield path, text[: last.end()] + line + text[last.end() :]


def _notebook(root: Path, words: dict[str, str]) -> str:
    """The cells of the template; those that all exercises share are another exercise's."""
    other = json.loads((root / NEEDED[1]).read_text(encoding="utf-8"))
    shared = {cell["id"]: cell for cell in other["cells"]}
    cells = cells_of(render(HERE / "notebook.j2", **words), shared)
    notebook = other | {"cells": cells, "metadata": other["metadata"] | {"exercise": words["stem"]}}
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def cells_of(text: str, shared: dict[str, dict] | None = None) -> list[dict]:
    """The cells of a template: `=== kind id` opens each, and `=== from id` is a shared one."""
    cells = []
    for part in text.split("=== ")[1:]:
        head, _, source = part.partition("\n")
        kind, name = head.split()
        own = kind != "from"
        cells.append(_cell(kind, name, source.rstrip("\n")) if own else (shared or {})[name])
    return cells


def _cell(kind: str, name: str, source: str) -> dict:
    cell = {"id": name.replace("_", "-"), "metadata": {}, "source": source.splitlines(True)}
    if kind == "markdown":
        return cell | {"cell_type": "markdown"}
    if kind == "answer":
        cell["metadata"] = {"tags": ["answer"], "task": name}
    return cell | {"cell_type": "code", "execution_count": None, "outputs": []}
