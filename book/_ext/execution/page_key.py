"""A page is executed again when its own code, or the code that it really imports, has changed.

jupyter-cache keys an execution by the notebook's cells and its kernel. A notebook prints what the
library computes, so the kernel's entry carries a hash of what the page uses (`used_code`) and of
the pinned versions. Comments and docstrings do not count, nor does the course's address, which no
cell computes with. Older executions are kept, so taking a change back costs nothing.
"""

import ast
import hashlib
import re
from functools import cache
from pathlib import Path

import nbformat
from execution.used_code import used

# Here a docstring is a sentence that a page may print.
SPEAKS = ("course_lib/exercises/",)
ADDRESS = "course_lib/address.py"
IN_A_CELL = re.compile(r"""^COURSE_ZIP = (".*"|'.*')$""", re.M)  # of tools/colab.py
HAVE_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def meaning(path: Path, root: Path) -> bytes:
    """What a file does: of Python its statements, of anything else its bytes."""
    if path.suffix != ".py":
        return path.read_bytes().replace(b"\r\n", b"\n")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if not path.relative_to(root).as_posix().startswith(SPEAKS):
        for node in ast.walk(tree):
            if isinstance(node, HAVE_DOCSTRINGS) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree).encode()


def page_key(root: Path, notebook) -> str:
    """Twelve hex digits over the code that a page uses and constraints.txt, names and contents."""
    digest = hashlib.sha256()
    cells = [anywhere(cell.source) for cell in notebook.cells if cell.cell_type == "code"]
    for path in [*used(root, cells), root / "constraints.txt"]:
        if path == root / ADDRESS:
            continue
        content = meaning(path, root)
        digest.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:12]


def anywhere(source: str) -> str:
    """A cell as it stands in a copy of the course that has no address."""
    return IN_A_CELL.sub('COURSE_ZIP = ""', source)


def keyed(root: Path, notebook):
    """The notebook with its key where jupyter-cache looks, and without the course's address."""
    for cell in notebook.cells:
        cell.source = anywhere(cell.source)
    kernel = notebook.metadata.setdefault("kernelspec", {"name": "python3"})
    kernel["page_key"] = page_key(root, notebook)
    return notebook


def cache_folder(build: Path) -> Path:
    return build / ".jupyter_cache"


def place_cache(app, config):
    config.nb_execution_cache_path = str(cache_folder(Path(app.outdir).parent))


def note_key(app, docname, content):
    """Put the key into what Sphinx reads, and remember it."""
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".ipynb":
        notebook = keyed(Path(app.srcdir), nbformat.reads(content[0], as_version=4))
        content[0] = nbformat.writes(notebook)
        keys = app.env.__dict__.setdefault("attn_page_keys", {})
        keys[docname] = notebook.metadata.kernelspec.page_key


def changed_keys(app, env, added, changed, removed):
    """Pages to be read again: the notebook is the same, what it uses is not."""
    root, found = Path(app.srcdir), []
    for docname, key in getattr(env, "attn_page_keys", {}).items():
        path = Path(env.doc2path(docname))
        if path.exists() and page_key(root, nbformat.read(path, as_version=4)) != key:
            found.append(docname)
    return found


def merge_keys(app, env, docnames, other):
    env.__dict__.setdefault("attn_page_keys", {}).update(getattr(other, "attn_page_keys", {}))


def setup(app):
    app.connect("config-inited", place_cache)
    app.connect("source-read", note_key)
    app.connect("env-get-outdated", changed_keys)
    app.connect("env-merge-info", merge_keys)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
