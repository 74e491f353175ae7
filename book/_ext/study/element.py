"""One docutils node for any HTML element: its tag, its attributes, its children.

Writers of other formats see the children alone, so what is built from it stays readable there.
"""

from copy import deepcopy
from html import escape

from docutils import nodes


class element(nodes.General, nodes.Element):
    """element("label", {"for": "q1"}, *children); an attribute that is None is left out."""

    def __init__(self, tag: str = "div", attributes: dict | None = None, *children) -> None:
        super().__init__("", *children, tag=tag, html=dict(attributes or {}))

    def copy(self):
        made = self.__class__(self["tag"], self["html"])
        kept = {name: value for name, value in self.attributes.items() if name != "html"}
        made.attributes.update(deepcopy(kept))
        return made


EMPTY = ("input",)  # elements without an end tag


def visit(writer, node) -> None:
    given = "".join(f' {k}="{escape(v)}"' for k, v in node["html"].items() if v is not None)
    writer.body.append(f"<{node['tag']}{given}{' /' * (node['tag'] in EMPTY)}>")


def depart(writer, node) -> None:
    if node["tag"] not in EMPTY:
        writer.body.append(f"</{node['tag']}>")


def nothing(writer, node) -> None:
    """Other formats have the children."""


def setup(app):
    plain = (nothing, nothing)
    app.add_node(element, html=(visit, depart), latex=plain, text=plain, man=plain, texinfo=plain)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
