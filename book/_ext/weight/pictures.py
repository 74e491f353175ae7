"""Images that say how large they are, so that the page stands still while they come.

myst-nb writes the size of a plot as a style, whose height would hold on a phone too, where the
width does not: the plot would be squeezed. As attributes the two are a ratio. The style sheet reads
the width as `--own`, to leave a small plot whole on a phone.
"""

import re

SIZED = re.compile(r'(<img\b[^>]*?) style="width: (\d+)px; height: (\d+)px;"')
ATTRIBUTES = r'\1 width="\2" height="\3" style="--own: \2px; max-width: 100%; height: auto"'


def sized(body: str) -> str:
    """The body of a page whose images give their size as attributes."""
    return SIZED.sub(ATTRIBUTES, body)


def mend(app, pagename, templatename, context, doctree):
    """Rewrite the body of one page."""
    if context.get("body"):
        context["body"] = sized(context["body"])


def setup(app):
    app.connect("html-page-context", mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
