"""Pages that ask no other site for anything: MathJax comes along from its PyPI package."""

import importlib.util
import shutil
from pathlib import Path

# The package holds every build of MathJax (24 MB). _config.yml loads these parts: TeX in, HTML out,
# and MathML beside it for screen readers. The menu is left out; it alone is 108 kB gzipped.
NEEDED = [
    "startup.js",
    "core.js",
    "input/tex.js",
    "input/tex/extensions",
    "output/chtml.js",
    "output/chtml/fonts",
    "a11y/assistive-mml.js",
]


def mathjax_folder() -> Path:
    """Where sphinx-mathjax-offline keeps MathJax. Its module name is no identifier."""
    spec = importlib.util.find_spec("sphinx-mathjax-offline")
    if spec is None or spec.origin is None:
        raise RuntimeError("sphinx-mathjax-offline is not installed: run `make env`.")
    return Path(spec.origin).parent / "static" / "mathjax"


def copy_mathjax(app, exception):
    """Copy what the pages need; nothing when the build failed or writes no HTML."""
    if exception is not None or app.builder.format != "html":
        return
    source, target = mathjax_folder(), Path(app.outdir) / "_static" / "mathjax"
    for name in NEEDED:
        wanted, there = source / name, target / name
        if there.exists():
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        if wanted.is_dir():
            shutil.copytree(wanted, there)
        else:
            shutil.copy2(wanted, there)


def quiet_theme(app, exception):
    """The theme greets in the browser's console; a console with nothing in it shows our faults."""
    if exception is not None:
        return
    for name in ("_static/scripts/pydata-sphinx-theme.js", "search.html"):
        path = Path(app.outdir) / name
        if path.exists():
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("console.log(", "void("), encoding="utf-8", newline="\n")


def setup(app):
    # Jupyter Book sets this for an extension that _config.yml leaves out.
    app.add_config_value("comments_config", {}, "html")
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", quiet_theme)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
