"""A figure that another page's cell shows, shown here too: the same models, trained once.

    ```{figure-of} book/a_translator_that_looks own-sentence
    ```

names the page and the figure. Where a course leaves that page out, or its cell failed, nothing
stands here.
"""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective


class figure_of(nodes.General, nodes.Element):
    """Takes the figure's place until every page is read."""


class FigureOf(SphinxDirective):
    required_arguments = 2

    def run(self):
        page, name = self.arguments
        borrowers = self.env.__dict__.setdefault("attn_borrowers", set())
        borrowers.add(self.env.docname)
        return [figure_of(page=page, name=name)]


def found(env, page: str, name: str) -> list[nodes.Node]:
    """The figure's HTML as the page's cell showed it, in a list; an empty one if it did not."""
    if page not in env.found_docs:
        return []
    for node in env.get_doctree(page).findall(nodes.raw):
        if node.get("format") == "html" and f"<attn-{name} " in node.astext():
            return [nodes.raw("", node.astext(), format="html")]
    return []


def resolve(app, doctree, docname):
    for node in list(doctree.findall(figure_of)):
        node.replace_self(found(app.env, node["page"], node["name"]))


def written_again(app, env):
    """Pages that show another's figure are written with each build: the other may be new."""
    return sorted(getattr(env, "attn_borrowers", set()) & env.found_docs)


def merge(app, env, docnames, other):
    mine = env.__dict__.setdefault("attn_borrowers", set())
    mine.update(getattr(other, "attn_borrowers", set()))


def setup(app):
    app.add_node(figure_of)
    app.add_directive("figure-of", FigureOf)
    app.connect("doctree-resolved", resolve)
    app.connect("env-updated", written_again)
    app.connect("env-merge-info", merge)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
