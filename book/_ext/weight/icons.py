"""The theme's icon fonts cut down to the icons that our pages show: 275 kB become a few.

The cut fonts are declared in book.css after the theme's own. A browser looks for a glyph in the
last declaration first, and loads the theme's whole font only for an icon that we missed.
"""

import re
from pathlib import Path

FONTS = ("fa-solid-900", "fa-regular-400", "fa-brands-400")
RULE = re.compile(r'((?:\.fa-[a-z0-9-]+:before,?)+)\{content:"\\([0-9a-f]+)"\}')
NAME = re.compile(r"\bfa-[a-z0-9-]+\b")
# Icons that the style sheets place themselves: --pst-icon-bell:"…", escaped or as the character.
PLACED = re.compile(r'--pst-icon-[a-z-]+:\s*"(?:\\([0-9a-f]+)|([\ue000-\uf8ff]))"')


def used_codes(site: Path) -> set[int]:
    """The code points of every icon that a page, a script or a style sheet of the site names."""
    styles = "".join(p.read_text(encoding="utf-8") for p in site.glob("_static/styles/*.css"))
    scripts = [p for p in site.glob("_static/scripts/*.js") if p.name != "fontawesome.js"]
    texts = [p.read_text(encoding="utf-8") for p in [*site.rglob("*.html"), *scripts]]
    named = {name for text in texts for name in NAME.findall(text)}
    codes = {
        int(code, 16)
        for names, code in RULE.findall(styles)
        if named & {name.removeprefix(".") for name in names.replace(":before", "").split(",")}
    }
    return codes | {int(e, 16) if e else ord(c) for e, c in PLACED.findall(styles)}


def cut_fonts(app, exception):
    """Write _static/icons/*.woff from the theme's fonts."""
    if exception is not None or app.builder.name != "html":
        return
    from fontTools import subset

    site = Path(app.outdir)
    codes = used_codes(site)
    (site / "_static" / "icons").mkdir(parents=True, exist_ok=True)
    for name in FONTS:
        options = subset.Options(flavor="woff", layout_features=[], notdef_outline=False)
        options.name_IDs = [*range(7), 13, 14]  # with the font's licence
        whole = site / "_static" / "vendor" / "fontawesome" / "webfonts" / f"{name}.ttf"
        if not whole.exists():  # a later theme that ships its fonts otherwise: they serve whole
            continue
        font = subset.load_font(str(whole), options)
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=codes)
        cutter.subset(font)
        subset.save_font(font, str(site / "_static" / "icons" / f"{name}.woff"), options)


def setup(app):
    app.connect("build-finished", cut_fonts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
