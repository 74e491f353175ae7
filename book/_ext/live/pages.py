"""Pages whose cells run where they are read: each gets its buttons, and its cells on a click.

_config.yml names the pages in `attn_live`. A cell of such a page gets a button where it prints
text, shows a figure that can be computed anew, or checks an answer; cells that are not shown run
before it, unseen, in the page's order. Where a page has cells with the tag `live`, they alone take
part.
"""

import builtins
import json
from pathlib import Path

import nbformat
from languages.pages import original
from live import parts

# Python's own names by the class that Pygments gives them: the editor colours them alike.
NAMES = {
    "nb": [*(name for name in dir(builtins) if name[0].islower()), "self", "cls"],
    "ne": [
        name for name, one in vars(builtins).items() if isinstance(one, type) and name[0].isupper()
    ],
}


def cells(notebook) -> list[dict]:
    """The code cells in their order: the source, whether the page shows it, and its task."""
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    tags = [cell.metadata.get("tags", []) for cell in codes]
    if any("live" in names for names in tags):
        codes = [cell for cell, names in zip(codes, tags, strict=True) if "live" in names]
        tags = [names for names in tags if "live" in names]
    return [
        {
            "source": cell.source,
            "shown": "remove-cell" not in names,
            "task": cell.metadata.get("task"),
        }
        for cell, names in zip(codes, tags, strict=True)
    ]


def add_buttons(app, pagename, templatename, context, doctree) -> None:
    """The small script that makes the buttons; everything else waits for a click."""
    pagename = original(app.config, pagename)
    if pagename in app.config.attn_live and active(app):
        page = pagename.replace("/", "-")
        size = f"{parts.weight(Path(app.outdir) / '_static' / 'live') / 1e6:.1f}"
        named = {"data-page": page, "data-megabytes": size}
        app.add_js_file("live/buttons.js", loading_method="defer", priority=900, **named)


def active(app) -> bool:
    return app.builder.name == "html" and parts.there()


def write(app) -> None:
    """Write the parts and, for each page, its cells. Before the pages, which name the scripts."""
    if not active(app):
        return
    folder = Path(app.outdir) / "_static" / "live"
    parts.write(folder)
    for name in ("buttons.js", "editor.js"):
        script = (parts.HERE / "js" / name).read_text(encoding="utf-8")
        (folder / name).write_text(script, encoding="utf-8", newline="\n")
    for page in app.config.attn_live:
        notebook = nbformat.read(Path(app.srcdir) / f"{page}.ipynb", as_version=4)
        data: dict[str, object] = {"cells": cells(notebook)}
        if parts.has_editor():
            data["names"] = NAMES
        if page.startswith("exercises/"):
            data["notebook"] = notebook
        script = f"window.attn.live.page = {json.dumps(data)};\n"
        name = page.replace("/", "-")
        (folder / f"{name}.js").write_text(script, encoding="utf-8", newline="\n")


def setup(app):
    app.add_config_value("attn_live", [], "html")
    app.connect("builder-inited", write)
    app.connect("html-page-context", add_buttons, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
