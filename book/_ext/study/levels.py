"""Reading levels: asides written for some readers, and definitions in three voices.

:::{dropdown} Why the exponential?
:level: expert
A fold. Open for the reader it is written for; without JavaScript it is open for everybody.
:::

{level}`beginner` opens each of the three paragraphs of a glossary entry.
"""

from typing import ClassVar

from docutils import nodes
from languages.words import _
from sphinx_design.dropdown import DropdownDirective
from study.element import element

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
    """A small label; glossary_tips.py tells the paragraphs of an entry apart by it."""
    if text not in LEVELS:
        message = inliner.reporter.error(f"{text!r} is none of {', '.join(LEVELS)}.", line=lineno)
        return [inliner.problematic(rawtext, rawtext, message)], [message]
    return [nodes.inline(rawtext, text, classes=["attn-level"])], []


def setup(app):
    app.setup_extension("study.element")
    app.setup_extension("sphinx_design")
    app.add_directive("dropdown", Aside, override=True)
    app.add_role("level", level_role)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
