"""The exercises as pages of the book, each with its solutions behind folds at the end.

A page is the student's notebook. What follows it is made when the book is built: the idea and the
cost from the task's definition, one answer from the solution notebook, two other ways from the
right answers beside the reference, and what others got wrong from the known mistakes. One line of
_config.yml leaves it all out: `attn_solutions: false`.
"""

import ast
import re
from pathlib import Path

import nbformat
from sphinx.locale import _

from course_lib.checker.escape import render

FOLDER = "exercises/"
TEMPLATE = Path(__file__).with_suffix(".md.j2")
PAGE = re.compile(r"\[([^]]+)\]\((?:\S*/)?book/(\w+)\.(?:html|ipynb)\)")
MARKS = re.compile(r"^[ \t]*### (?:BEGIN|END) SOLUTION[ \t]*\n?", re.M)
PLANTED = re.compile(r"^[ \t]*### PLANTED\n.*?(?=^[ \t]*### END)", re.M | re.S)
FEW = 12  # as many mistakes as are read at a glance; the others are folded once more
DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


def without_docstrings(source: str) -> str:
    """Code without its docstrings and the marks around an answer; comments stay."""
    source = MARKS.sub("", PLANTED.sub("", source))
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DEFINITIONS) and ast.get_docstring(node) is not None:
            text = node.body[0]
            lines[text.lineno - 1 : text.end_lineno] = [None] * (text.end_lineno - text.lineno + 1)
    code = "\n".join(line for line in lines if line is not None)
    return re.sub(r":\n\n(?=    )", ":\n", code).strip()


def other_ways(path: Path) -> dict[str, list[tuple[str, str]]]:
    """{task: [(sentence, code), …]} from a file of right answers: the first two of each task.

    An answer that another function makes cannot be shown alone, and is left out.
    """
    source = path.read_text(encoding="utf-8")
    body = ast.parse(source).body
    named = {node.name: node for node in body if isinstance(node, DEFINITIONS)}
    listed = body[-1].value  # ALTERNATIVES = {"task": [function, …]}
    found = {}
    for task, names in zip(listed.keys, listed.values, strict=True):
        nodes = [named[n.id] for n in names.elts[:2] if isinstance(n, ast.Name) and n.id in named]
        segments = [ast.get_source_segment(source, node) for node in nodes]
        found[task.value] = [
            (" ".join((ast.get_docstring(node) or "").split()), without_docstrings(segment))
            for node, segment in zip(nodes, segments, strict=True)
        ]
    return found


def solution(task, title: str, answer: str, others: list[tuple[str, str]]) -> str:
    """The Markdown of one task's solution."""
    return render(
        TEMPLATE,
        title=title,
        task=task,
        answer=without_docstrings(answer),
        others=others,
        sentences=list(dict.fromkeys(mistake.sentence for mistake in task.mistakes)),
        few=FEW,
        _=_,
    ).rstrip("\n")


def solutions(root: Path, stem: str) -> str:
    """The Markdown of a whole exercise's solutions; empty where its tasks have no words for it."""
    from course_lib.exercises import CATALOGUE

    tasks = [task for task in CATALOGUE.exercises[stem].tasks if task.idea]
    cells = nbformat.read(root / "solutions" / f"{stem}.ipynb", as_version=4).cells
    answers, titles, title = {}, {}, ""
    for cell in cells:
        heading = re.match(r"## (.+?)(?: \(\d+ points?\))?$", cell.source, re.M)
        title = heading[1] if heading and cell.cell_type == "markdown" else title
        if task := cell.metadata.get("task"):
            second = title in titles.values()  # of one section
            answers[task] = cell.source
            titles[task] = f"{title}: `{task}`" if second else title
    others = other_ways(alternatives(root, stem)) if tasks else {}
    parts = [solution(t, titles[t.name], answers[t.name], others.get(t.name, [])) for t in tasks]
    head = _(
        "Folded, so that you can stop as soon as you can go on alone: the idea, then one answer, "
        "then, where we have them, two other ways to write it. What others got wrong is worth "
        "reading even if your answer is right."
    )
    title = _("Solutions")
    return "\n\n".join([f"## {title}", head, *parts]) if parts else ""


def alternatives(root: Path, stem: str) -> Path:
    name = re.sub(r"^(lab_)?\d+_", "", stem)
    return root / "solutions" / "alternatives" / f"{name}.py"


def complete(app, docname, content):
    """Turn an exercise's notebook into a page: links stay in the book, solutions at its end."""
    if not docname.startswith(FOLDER):
        return
    stem = docname.removeprefix(FOLDER)
    notebook = nbformat.reads(content[0], as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = PAGE.sub(r"{doc}`\1 </book/\2>`", cell.source)
    root = Path(app.srcdir)
    if app.config.attn_solutions and (text := solutions(root, stem)):
        notebook.cells.append(nbformat.v4.new_markdown_cell(text, id="solutions"))
        for path in (root / "solutions" / f"{stem}.ipynb", alternatives(root, stem)):
            app.env.note_dependency(path)
    content[0] = nbformat.writes(notebook)


def setup(app):
    app.add_config_value("attn_solutions", True, "env")
    app.connect("source-read", complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
