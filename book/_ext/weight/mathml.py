"""Formulas as MathML, written at build time: no script, and there for every reader at once.

Each browser lays MathML out by itself, given a mathematical font; ours is STIX Two Math from the
`ziamath` package, cut down to what formulas use.
"""

import html
import re
import xml.etree.ElementTree as ET
from pathlib import Path

from docutils import nodes

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
FONT = Path("_static", "maths.woff")
FORMULA = re.compile(r"<math\b.*?</math>", re.S)
# A lone letter is shown in italics, from the block of mathematical letters.
ITALICS = {
    **{ord("A") + i: 0x1D434 + i for i in range(26)},
    **{ord("a") + i: 0x1D44E + i for i in range(26) if i != 7},
    ord("h"): 0x210E,  # Planck's constant was there before the block was
    **{0x391 + i: 0x1D6E2 + i for i in range(25)},
    **{0x3B1 + i: 0x1D6FC + i for i in range(25)},
    0x3F5: 0x1D716, 0x3D5: 0x1D719,
}  # fmt: skip
# latex2mathml knows neither of the inner forms of align and gather.
INNER = {"aligned": "align*", "gathered": "matrix"}
ENVIRONMENT = re.compile(r"\\(begin|end)\{(aligned|gathered)\}")
ARG = re.compile(r"\\arg\s*\\(max|min)(?![a-z])")
AS_OPERATORS = {";": ";", "~": "∼"}  # the converter takes them for letters
PUNCTUATION = re.compile(r"[.,;:!?)\]]+")
OPERANDS = ("mi", "mn", "mrow", "mfrac", "msqrt", "msub", "msup", "msubsup", "mtext", "mover")


def mathml(tex: str, display: bool = False) -> str:
    """A formula of TeX as a <math> element, its TeX in `alttext`. Raises ValueError for TeX that
    the converter does not know."""
    from latex2mathml.converter import convert

    tex = tex.strip()
    rewritten = ENVIRONMENT.sub(lambda m: rf"\{m[1]}{{{INNER[m[2]]}}}", tex)
    rewritten = ARG.sub(lambda m: rf"\operatorname{{arg{m[1]}}}", rewritten)
    try:
        root = ET.fromstring(convert(rewritten, display="block" if display else "inline"))
    except Exception as error:
        raise ValueError(f"no MathML for {tex!r}: {error}") from error
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{NAMESPACE}}}")
        _mend(element)
    for row in list(root.iter()):
        _space(row)
    root.set("alttext", " ".join(tex.split()))
    root.set("xmlns", NAMESPACE)
    return ET.tostring(root, encoding="unicode")


def _mend(element: ET.Element) -> None:
    text = element.text or ""
    if element.tag == "mi" and text in AS_OPERATORS:
        element.tag, element.text = "mo", AS_OPERATORS[text]
        if text == ";":
            element.set("separator", "true")
    elif element.tag == "mo" and text == "|":  # a fence, but which side?
        element.set("lspace", "0")
        element.set("rspace", "0")
    elif element.tag == "mo" and text == "∞":
        element.tag = "mi"  # a number, not an operator: no space around it
    elif element.tag == "mi" and text.startswith("\\"):
        raise ValueError(f"the converter does not know {text!r} here")
    elif element.tag == "mo" and len(text) > 1 and text.isalpha():
        element.tag = "mi"  # a name such as softmax; as an operator it would keep its distance
    size = element.attrib.pop("minsize", None)
    if size:  # \big and its like: a bracket below an exponent would not stretch
        del element.attrib["maxsize"]
        element.set("stretchy", "false")
        element.set("style", f"font-size: {size}")
    align = element.attrib.pop("columnalign", None)
    if align:  # browsers have dropped the attribute
        element.set("style", f"text-align: {align}")


def _space(row: ET.Element) -> None:
    """Put a thin space between the name of a function and an operand beside it: log p."""
    before = None
    for index, child in reversed(list(enumerate(row))):
        if row.tag not in ("mrow", "math", "mtd"):
            return
        after, before = before, child
        if after is None or not (_operand(child) and _operand(after)):
            continue
        if _is_name(child) or _is_name(after):
            row.insert(index + 1, ET.Element("mspace", width="0.1667em"))


def _operand(element: ET.Element) -> bool:
    return element.tag in OPERANDS


def _is_name(element: ET.Element) -> bool:
    base = element[0] if element.tag in ("msub", "msup", "msubsup") else element
    return base.tag == "mi" and len(base.text or "") > 1


def keep_punctuation(app, doctree, docname) -> None:
    """Move a mark that follows a formula into the formula's node, or it may begin the next line."""
    if app.builder.format != "html":
        return
    for node in list(doctree.findall(nodes.math)):
        place = node.parent.index(node) + 1
        after = node.parent[place] if place < len(node.parent) else None
        if isinstance(after, nodes.Text) and (mark := PUNCTUATION.match(after)):
            node["mark"] = mark[0]
            node.parent[place] = nodes.Text(after[mark.end() :])


def visit_math(translator, node) -> None:
    formula = _or_report(node, display=False)
    formula = f'<span class="math notranslate nohighlight">{formula}</span>'
    if mark := node.get("mark"):
        formula = f'<span class="attn-nowrap">{formula}{html.escape(mark)}</span>'
    translator.body.append(formula)
    raise nodes.SkipNode


def visit_displaymath(translator, node) -> None:
    from sphinx.util.math import get_node_equation_number

    translator.body.append(
        translator.starttag(node, "div", CLASS="math notranslate nohighlight", tabindex="0")
    )
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append(_or_report(node, display=True) + "</div>\n")
    raise nodes.SkipNode


def _or_report(node, display: bool) -> str:
    from sphinx.util import logging

    try:
        return mathml(node.astext(), display)
    except ValueError as error:
        logging.getLogger(__name__).warning("%s", error, location=node)
        return f"<code>{node.astext()}</code>"


def used_codes(site: Path) -> set[int]:
    """The code points of every formula on the site's pages, as letters and in italics."""
    pages = (path.read_text(encoding="utf-8") for path in site.rglob("*.html"))
    formulas = (found for page in pages for found in FORMULA.findall(page))
    codes = {ord(c) for text in formulas for c in html.unescape(re.sub("<[^>]*>", "", text))}
    return (
        codes | {ITALICS[code] for code in codes if code in ITALICS} | {0x2212, 0x2032, 0x221A}
    )  # minus, prime, root


def write_font(app, exception) -> None:
    """Cut the font down to what the formulas use, tall brackets and roots included."""
    if exception is not None or app.builder.format != "html":
        return
    import ziamath
    from fontTools import subset

    site = Path(app.outdir)
    # Without hints, which are a quarter of it and which today's screens have no use for.
    options = subset.Options(
        flavor="woff", layout_features=["ssty"], notdef_outline=True, hinting=False
    )
    options.name_IDs = [*range(7), 13, 14]  # with the font's licence
    whole = Path(ziamath.__file__).parent / "fonts" / "STIXTwoMath-Regular.ttf"
    font = subset.load_font(str(whole), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=used_codes(site))
    cutter.subset(font)
    (site / FONT).parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(site / FONT), options)


def setup(app):
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
    app.connect("doctree-resolved", keep_punctuation)
    app.connect("build-finished", write_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
