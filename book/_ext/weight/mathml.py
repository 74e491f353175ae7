"""Formulas as MathML, written at build time: no script, and there for every reader at once.

Each browser lays MathML out by itself, given a mathematical font: fonts.py.
"""

import html
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

from docutils import nodes

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
# latex2mathml knows neither of the inner forms of align and gather.
INNER = {"aligned": "align*", "gathered": "matrix"}
ENVIRONMENT = re.compile(r"\\(begin|end)\{(aligned|gathered)\}")
ARG = re.compile(r"\\arg\s*\\(max|min)(?![a-z])")
AS_OPERATORS = {";": ";", "~": "∼"}  # the converter takes them for letters
PUNCTUATION = re.compile(r"[.,;:!?)\]]+")
SIGNS = ("−", "+", "±")
BEFORE_A_SIGN = tuple("([{⟨,;:=≈≠≤≥<>∼∈·×/←→↦⇒")
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
    if display and r"\begin{gathered}" in tex:  # a matrix would make its fractions small
        for table in root.iter("mtable"):
            table.set("displaystyle", "true")
    for row in list(root.iter()):
        _space(row)
        _sign(row)
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


def _sign(row: ET.Element) -> None:
    """A minus after a bracket or an equals sign is a sign and stays with its number: exp(−a)."""
    marks = [child for child in row if child.tag != "mspace"]
    for before, sign in pairwise(marks):
        if sign.tag == before.tag == "mo" and sign.text in SIGNS and before.text in BEFORE_A_SIGN:
            sign.set("lspace", "0")
            sign.set("rspace", "0")


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


def setup(app):
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
    app.connect("doctree-resolved", keep_punctuation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
