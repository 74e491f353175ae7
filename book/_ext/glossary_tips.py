"""A term that links to the glossary carries its definition, which book.js shows as a tooltip.

The text travels in the page, so it is there without a network and from file://. Without
JavaScript the link still leads to the glossary.
"""

from html import escape

from docutils import nodes

LONGEST = 400  # characters; a tooltip is a reminder, the glossary has the rest


def definitions(app) -> dict[str, str]:
    """The glossary's text by anchor: {"term-softmax": "…"}; read once a build."""
    found = getattr(app.env, "glossary_texts", None)
    if found is None:
        found = {}
        if "book/glossary" in app.env.found_docs:
            tree = app.env.get_doctree("book/glossary")
            for item in tree.findall(nodes.definition_list_item):
                text = next(item.findall(nodes.definition)).astext().replace("\n", " ")
                if len(text) > LONGEST:
                    text = text[: text.rfind(" ", 0, LONGEST)] + " …"
                for term in item.findall(nodes.term):
                    found.update({anchor: text for anchor in term["ids"]})
        app.env.glossary_texts = found
    return found


def forget(app, env, docnames):
    """A new build reads the glossary anew."""
    env.glossary_texts = None


def mark_terms(app, doctree, docname):
    """Give each link to a term the text of its definition."""
    if docname == "book/glossary" or app.builder.format != "html":
        return
    texts = definitions(app)
    for link in doctree.findall(nodes.reference):
        anchor = link.get("refuri", "").partition("glossary.html#")[2]
        if anchor in texts and not link.get("tip"):
            link["tip"] = texts[anchor]
            shown = link.astext()
            markup = f'<a class="attn-term" href="{escape(link["refuri"])}" '
            markup += f'data-tip="{escape(texts[anchor])}">{escape(shown)}</a>'
            link.replace_self(nodes.raw("", markup, format="html"))


def setup(app):
    app.connect("env-before-read-docs", forget)
    # After Sphinx has resolved the references (its own handlers run at the default priority).
    app.connect("doctree-resolved", mark_terms, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
