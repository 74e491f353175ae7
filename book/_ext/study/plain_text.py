"""A piece of a page as one line of plain text: for tooltips, for llms.txt."""

import re

from docutils import nodes

# The glossary's formulas are small enough to be written without TeX.
PLAIN = {
    r"\operatorname{softmax}": "softmax", r"\tanh": "tanh", r"\top": "ᵀ", r"\sum": "Σ",
    r"\times": "×", r"\cdot": "·", r"\alpha": "α", r"\tau": "τ", r"\phi": "φ", r"\cap": "∩",
    r"\odot": "⊙", r"\le": "≤", r"\pm": "±", r"\sqrt": "√", r"\ln": "ln", r"\log": "log",
    r"\sigma": "σ",
}  # fmt: skip


def formula_as_text(formula: str) -> str:
    """A small formula in Unicode: x_i keeps its underscore, braces and spacing go."""
    for tex, sign in sorted(PLAIN.items(), key=lambda item: -len(item[0])):
        formula = formula.replace(tex, sign)
    formula = re.sub(r"\\[,;!: ]", " ", formula).replace("^ᵀ", "ᵀ")
    formula = re.sub(r"\{(\w+)\}", r"\1", formula)
    return formula.replace("{", "(").replace("}", ")")


def as_line(node, titles=None) -> str:
    """A node's text without labels and citations; links to pages say their title."""
    copy = node.deepcopy()
    for part in list(copy.findall(nodes.Inline)):
        if "attn-level" in part.get("classes", ()) or part.get("refdomain") == "cite":
            part.parent.remove(part)
        elif part.get("reftype") in ("doc", "any") and titles:
            page = next((name for name in titles if name.endswith(part["reftarget"])), None)
            if page and part.astext() == part["reftarget"]:
                part.replace_self(nodes.Text(titles[page].astext()))
    for formula in list(copy.findall(nodes.math)):
        formula.replace_self(nodes.Text(formula_as_text(formula.astext())))
    return re.sub(r" +([.,;:])", r"\1", " ".join(copy.astext().split()))
