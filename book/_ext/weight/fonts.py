"""Fonts cut down to what the pages show: the text's, the formulas', and the theme's icons.

The cut icons are declared in book.css after the theme's own. A browser looks for a glyph in the
last declaration first, and loads the theme's whole font only for an icon that we missed. The
formulas' font is STIX Two Math from the package `ziamath`, the text's Source Serif Pro from
`font-source-serif-pro`.
"""

import html
import re
from pathlib import Path
from unicodedata import normalize

ICONS = ("fa-solid-900", "fa-regular-400", "fa-brands-400")
RULE = re.compile(r'((?:\.fa-[a-z0-9-]+:before,?)+)\{content:"\\([0-9a-f]+)"\}')
NAME = re.compile(r"\bfa-[a-z0-9-]+\b")
# Icons that the style sheets place themselves: --pst-icon-bell:"…", escaped or as the character.
PLACED = re.compile(r'--pst-icon-[a-z-]+:\s*"(?:\\([0-9a-f]+)|([\ue000-\uf8ff]))"')
FORMULA = re.compile(r"<math\b.*?</math>", re.S)
# A lone letter is shown in italics, from these blocks; Planck's constant was there before them, and
# of the Greek variants TeX has two.
ITALICS = (*range(0x1D434, 0x1D468), 0x210E, *range(0x1D6E2, 0x1D714), 0x1D716, 0x1D719)
ALWAYS = {0x2212, 0x2032, 0x221A}  # minus, prime, root
TEXT = {"regular": "Regular", "italic": "It", "semibold": "Semibold"}
# Latin letters and what stands between words: other alphabets are rare, and formulas have a font.
LATIN = {*range(0x20, 0x180), *range(0x2010, 0x2027), *map(ord, "←→−≈≤≥")}


def icons(site: Path) -> set[int]:
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


def letters(site: Path) -> set[int]:
    """The code points of every formula on the site's pages, as letters and in italics."""
    pages = (path.read_text(encoding="utf-8") for path in site.rglob("*.html"))
    formulas = (found for page in pages for found in FORMULA.findall(page))
    used = {c for text in formulas for c in html.unescape(re.sub("<[^>]*>", "", text))}
    plain = {normalize("NFKC", letter) for letter in used}
    italics = {code for code in ITALICS if normalize("NFKC", chr(code)) in plain}
    return {ord(letter) for letter in used} | italics | ALWAYS


def characters(site: Path) -> set[int]:
    """The code points of every Latin letter and sign on the site's pages."""
    pages = (path.read_text(encoding="utf-8") for path in site.rglob("*.html"))
    return LATIN & {ord(character) for page in pages for character in set(html.unescape(page))}


def renamed(font) -> None:
    """Its licence keeps the name *Source* for fonts that nobody has changed."""
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6):
            record.string = "Attn Text" if record.nameID != 6 else "AttnText"


def narrow(font) -> None:
    """Make the tall forms of the root sign as wide as the short one.

    Beside every root Chromium leaves room for the widest of them, a hole before what follows.
    """
    variants, width = font["MATH"].table.MathVariants, font["hmtx"].metrics
    root = font.getBestCmap()[0x221A]
    tall = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    names = {record.VariantGlyph for record in tall.MathGlyphVariantRecord}
    names |= {part.glyph for part in tall.GlyphAssembly.PartRecords}
    for name in names - {root}:
        share = width[root][0] / width[name][0]
        glyph = font["glyf"][name]
        glyph.coordinates.scale((share, 1))
        glyph.coordinates.toInt()
        glyph.recalcBounds(font["glyf"])
        width[name] = (width[root][0], glyph.xMin)


def cut(whole: Path, target: Path, codes: set[int], shape=None, **settings) -> None:
    """Write the font without the letters that no page shows, and with its licence."""
    from fontTools import subset

    flavor = target.suffix.removeprefix(".")
    options = subset.Options(flavor=flavor, name_IDs=[*range(7), 13, 14], **settings)
    font = subset.load_font(str(whole), options)
    if shape is not None:
        shape(font)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)
    target.parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(target), options)


def write(app, exception) -> None:
    if exception is not None or app.builder.format != "html":
        return
    import font_source_serif_pro
    import ziamath

    static = Path(app.outdir) / "_static"
    math = Path(ziamath.__file__).parent / "fonts" / "STIXTwoMath-Regular.ttf"
    # Tall brackets and roots included; without hints, which are a quarter of it and which today's
    # screens have no use for.
    kept = {"layout_features": ["ssty"], "notdef_outline": True, "hinting": False}
    cut(math, static / "maths.woff", letters(static.parent), narrow, **kept)
    codes = characters(static.parent)
    for name, whole in TEXT.items():
        whole = Path(font_source_serif_pro.font_directory) / f"SourceSerifPro-{whole}.ttf"
        kept = {"layout_features": [], "hinting": False}  # kerning is a third of it
        cut(whole, static / "text" / f"{name}.woff2", codes, renamed, **kept)
    if app.builder.name == "html":
        codes = icons(static.parent)
        for name in ICONS:
            whole = static / "vendor" / "fontawesome" / "webfonts" / f"{name}.ttf"
            if whole.exists():  # a later theme that ships its fonts otherwise: they serve whole
                cut(whole, static / "icons" / f"{name}.woff", codes, layout_features=[])


def setup(app):
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
