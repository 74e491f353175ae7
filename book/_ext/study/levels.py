"""Reading levels: asides written for some readers, and the glossary's definitions in three voices.

:::{dropdown} Why the exponential?
:level: expert
A fold. Open for the reader it is written for; without JavaScript it is open for everybody.
:::

{level}`beginner` opens each of the three paragraphs of a glossary entry. A term that links there
carries them, and the scripts show one as a tooltip; the front matter of the glossary says up to
which level a term is marked. The texts of a page's terms travel in the page once, so they are there
without a network and from file://. Without JavaScript the link leads to the glossary.
"""

import json
from typing import ClassVar

from docutils import nodes
from sphinx.domains.std import StandardDomain
from sphinx.locale import _
from sphinx_design.dropdown import DropdownDirective
from study.element import element
from study.plain_text import as_line

GLOSSARY = "book/glossary"
LEVELS = ("beginner", "practitioner", "expert")


def levels(argument: str) -> list[str]:
    """One level or several, separated by spaces."""
    found = argument.split()
    if not found or set(found) - set(LEVELS):
        raise ValueError(f"level must be one or more of {', '.join(LEVELS)}, got {argument!r}.")
    return found


class Aside(DropdownDirective):
    """A fold with a title; with a level, for the readers of some levels."""

    option_spec: ClassVar = {**DropdownDirective.option_spec, "level": levels}

    def run(self):
        wanted = self.options.get("level")
        if not wanted:
            return super().run()
        title, messages = self.state.inline_text(self.arguments[0], self.lineno)
        whom = element("span", {"class": "attn-level"}, nodes.Text(_(" and ").join(map(_, wanted))))
        summary = element("summary", {}, *title, nodes.Text(" "), whom)
        fold = {"class": "attn-aside", "data-levels": " ".join(wanted), "open": "open"}
        fold = element("details", fold, summary)
        self.state.nested_parse(self.content, self.content_offset, fold)
        return [fold, *messages]


def level_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """A small label, which tells the paragraphs of a glossary entry apart."""
    if text not in LEVELS:
        message = inliner.reporter.error(f"{text!r} is none of {', '.join(LEVELS)}.", line=lineno)
        return [inliner.problematic(rawtext, rawtext, message)], [message]
    return [nodes.inline(rawtext, text, classes=["attn-level"])], []


def definitions(app) -> dict[str, dict[str, str]]:
    """By anchor: {"term-softmax": {"marked": …, "beginner": …, …}}; read once a build."""
    found = getattr(app.env, "glossary_texts", None)
    if found is None:
        found = {}
        if GLOSSARY in app.env.found_docs:
            marked = marked_up_to(app.env.metadata[GLOSSARY])
            for item in app.env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
                texts = {
                    label.astext(): as_line(label.parent)
                    for label in item.findall(nodes.inline)
                    if "attn-level" in label["classes"]
                }
                for term in item.findall(nodes.term):
                    level = marked.get(term.astext(), LEVELS[0])
                    found.update({anchor: {"marked": level, **texts} for anchor in term["ids"]})
        app.env.glossary_texts = found
    return found


def marked_up_to(metadata: dict) -> dict[str, str]:
    """From the front matter: {"head": "practitioner", …}. What it leaves out is for beginners."""
    lists = metadata.get("marked", {})
    lists = json.loads(lists) if isinstance(lists, str) else lists  # MyST hands it on as JSON
    return {term: level for level, terms in lists.items() for term in terms}


def forget(app, env, docnames):
    """A new build reads the glossary anew."""
    env.glossary_texts = None


def mark_terms(app, doctree, docname):
    """Name the term in each link to one, and put the texts of all of them behind the page."""
    if docname == GLOSSARY or app.builder.format != "html":
        return
    texts, used = definitions(app), {}
    for link in list(doctree.findall(nodes.reference)):
        anchor = link.get("refuri", "").partition("glossary.html#")[2]
        if anchor in texts:
            used[anchor] = texts[anchor]
            given = {"class": "attn-term", "href": link["refuri"], "data-term": anchor}
            link.replace_self(element("a", given, nodes.Text(link.astext())))
    if used:
        data = json.dumps(used, ensure_ascii=False).replace("</", "<\\/")
        script = f'<script type="application/json" id="attn-terms">{data}</script>'
        doctree += nodes.raw("", script, format="html")


def setup(app):
    # Sphinx leaves terms out of its search, where a reader looks for them first.
    StandardDomain.object_types["term"].attrs["searchprio"] = 0
    app.setup_extension("study.element")
    app.setup_extension("sphinx_design")
    app.add_directive("dropdown", Aside, override=True)
    app.add_role("level", level_role)
    app.connect("env-before-read-docs", forget)
    # After Sphinx has resolved the references (its own handlers run at the default priority).
    app.connect("doctree-resolved", mark_terms, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
