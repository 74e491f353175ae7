"""Links to a page whose line in _toc.yml was deleted become plain words.

Its file is there, so that its title, and which labels it has, are known. A link to a page that
never was stays a warning, which stops the build. `tools/build.py` counts the marked words.
"""

import json
import re
from functools import cache
from pathlib import Path

from docutils import nodes

FOLDERS = ("book", "exercises")
WORDS = {"numref": "the figure", "eq": "the formula"}


@cache
def text_of(path: Path) -> str:
    """The Markdown and the code of a page."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        named = json.dumps([cell["metadata"] for cell in cells])
        text = "\n\n".join(["".join(cell["source"]) for cell in cells] + [named])
    return text


def left_out(env) -> dict[str, Path]:
    """The pages that have a file, and no line in the contents."""
    root = Path(env.srcdir)
    files = [p for f in FOLDERS for end in ("ipynb", "md") for p in (root / f).glob(f"*.{end}")]
    pages = {f"{path.parent.name}/{path.stem}": path for path in files}
    return {name: path for name, path in pages.items() if name not in env.found_docs}


def words_for(env, node) -> str | None:
    """What stands in a link's place; None where it leads to no page that was left out."""
    target, pages = node["reftarget"], left_out(env)
    if node["reftype"] in ("doc", "myst"):
        _, name = env.relfn2path(f"{target}.ipynb", node.get("refdoc", env.docname))
        page = pages.get(Path(name).relative_to(env.srcdir).with_suffix("").as_posix())
        found = page and re.search(r"^# (.+)$", text_of(page), re.M)
        return found and found[1]
    name = re.escape(target)
    label = rf'^\({name}\)=$(?:\n+#+ (.+))?|^:(?:label|name): {name}$|"name": "{name}"'
    for page in pages.values():
        if found := re.search(label, text_of(page), re.M):
            return WORDS.get(node["reftype"], found[1] or target)
    return None


def resolve(app, env, node, contnode):
    """Sphinx asks here before it warns that a link leads nowhere."""
    words = words_for(env, node)
    if words is None:
        return None
    explicit = node.get("refexplicit") and node["reftype"] not in WORDS
    inside = contnode if explicit else nodes.Text(words)
    return nodes.inline("", "", inside, classes=["attn-left-out"])


def setup(app):
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
