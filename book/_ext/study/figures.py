"""Figures that move, on the pages: each module becomes a classic script with a custom element.

A page opened from disk may not load ES modules, so `export default` turns into a constant inside a
function. A page gets the scripts of the figures that stand on it, and no others. What a figure
holds beyond HEAVY characters, such as the numbers of a trained model, waits in a script of its own
until a reader comes near.
"""

import hashlib
import re
from pathlib import Path

SCRIPTS = Path(__file__).parents[3] / "course_lib" / "figures" / "js"
SHARED = ("common.js", "map.js", "lines.js", "page.js")
ELEMENT = re.compile(r"<attn-([a-z-]+)[ >]")
HEAVY = 30_000
HELD = re.compile(r'<script type="application/json">([^<]*)</script>')
EXPORT = re.compile(r"^export default ", re.MULTILINE)


def target(app) -> Path:
    return Path(app.outdir) / "_static" / "figures"


def names() -> list[str]:
    """Every figure there is, by the name of its module."""
    found = (path for path in SCRIPTS.glob("*.js") if path.name not in SHARED)
    return sorted(path.stem for path in found if "." not in path.stem)


def classic(name: str) -> str:
    """A figure's module, behind its parts NAME.PART.js, as a script that defines <attn-NAME>."""
    parts = sorted(path.name for path in SCRIPTS.glob(f"{name}.*.js"))
    files = [*SHARED, *parts, f"{name}.js"]
    module = "\n".join((SCRIPTS / file).read_text(encoding="utf-8") for file in files)
    module, exports = EXPORT.subn("const figure = ", module)
    if exports != 1:
        raise ValueError(f"{name}.js must have one `export default`, found {exports}.")
    return f'(() => {{\n{module}\ndefine("attn-{name}", figure);\n}})();\n'


def lightened(body: str, folder: Path) -> str:
    """A page without what its figures hold beyond HEAVY characters: that goes into files."""

    def moved(found: re.Match) -> str:
        held = found[1]
        if len(held) < HEAVY:
            return found[0]
        name = hashlib.sha256(held.encode()).hexdigest()[:12]
        folder.mkdir(parents=True, exist_ok=True)
        text = f'(window.attnHeld ??= {{}})["{name}"] = {held};\n'
        (folder / f"{name}.js").write_text(text, encoding="utf-8", newline="\n")
        return f'<script type="application/json" data-from="{name}"></script>'

    return HELD.sub(moved, body)


def add_scripts(app, pagename, templatename, context, doctree):
    """Give the page what its figures need. Widgets' own state serves no page without a kernel."""
    stored = getattr(app.env, "nb_metadata", {}).get(pagename, {})
    stored.get("js_files", {}).pop("ipywidgets_state", None)
    if app.builder.name == "epub":  # a book reader shows the still pictures
        return
    if context.get("body"):
        context["body"] = lightened(context["body"], target(app) / "held")
    used = set(ELEMENT.findall(context.get("body") or "")) & set(names())
    for name in sorted(used):
        app.add_js_file(f"figures/{name}.js", loading_method="defer")
    if used:
        app.add_css_file("figures/figures.css")


def write_scripts(app):
    """Write the scripts and their style sheet: before the pages, which name them by their hash."""
    if app.builder.format != "html" or app.builder.name == "epub":
        return
    folder = target(app)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names():
        (folder / f"{name}.js").write_text(classic(name), encoding="utf-8", newline="\n")
    (folder / "figures.css").write_bytes((SCRIPTS / "figures.css").read_bytes())


def setup(app):
    # Before myst-nb, which would write the widgets' state into the page.
    app.connect("html-page-context", add_scripts, priority=400)
    app.connect("builder-inited", write_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
