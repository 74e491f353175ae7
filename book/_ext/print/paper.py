"""Pages for print: every fold open, no scripts, and a figure that moves as its still picture.

tools/print.py adds this extension for the PDF and the EPUB; the book on the web does without it.
"""

import re

SCRIPT = re.compile(r"<script\b.*?</script>", re.S)
ELEMENT = re.compile(r"</?attn-[^>]*>")
FOLD = re.compile(r"<details(?![^>]* open\b)")
# What stands behind "Show code": the code that draws a figure, which the page shows.
SOURCE = re.compile(
    r'<details class="(?![^"]*\bbelow-input\b)[^"]*\bhide\b[^"]*".*?</details>', re.S
)
# A result that a reader was asked to predict, up to the line that opens it; and any fold's ends.
RESULT = re.compile(r'<details class="[^"]*\bbelow-input\b[^>]*>\s*<summary.*?</summary>', re.S)
END = re.compile(r"<details\b|</details>")
BARE_SVG = re.compile(r"<svg(?![^>]*\bxmlns=)")
STYLES = ("pygments.css", "epub.css")
# For the PDF: a chapter begins on a new page, long lines of code go on below, figures stay whole.
STYLE = """<style>
span[id^="document-"] + section { break-before: page; }
pre { white-space: pre-wrap !important; overflow-wrap: anywhere; }
figure, img, svg, table, fieldset { break-inside: avoid; }
h1, h2, h3, h4 { break-after: avoid; }
figcaption, figcaption * { color: #1f2430 !important; }
a.headerlink { display: none; }
</style>"""


def unfolded(body: str) -> str:
    """Every folded result as plain content: a fold may not stand without the line that opens it."""
    while result := RESULT.search(body):
        depth = 1
        for end in END.finditer(body, result.end()):
            depth += -1 if end[0] == "</details>" else 1
            if depth == 0:
                break
        else:
            raise ValueError(f"A folded result is never closed: {result[0]}")
        inside = body[result.end() : end.start()]
        body = f"{body[: result.start()]}<div>{inside}</div>{body[end.end() :]}"
    return body


def on_paper(body: str) -> str:
    """The body of a page for readers who cannot click."""
    body = ELEMENT.sub("", SCRIPT.sub("", SOURCE.sub("", body)))
    return FOLD.sub("<details open", unfolded(body))


def as_xhtml(body: str) -> str:
    """What HTML lets a page leave out and XHTML, which an EPUB is made of, does not."""
    body = body.replace("<details open", '<details open="open"')
    return BARE_SVG.sub('<svg xmlns="http://www.w3.org/2000/svg"', body)


def mend(app, pagename, templatename, context, doctree):
    """Rewrite one page of a print."""
    body = on_paper(context.get("body") or "")
    context["script_files"] = []
    if app.builder.name == "epub":
        body = as_xhtml(body)
        named = [(sheet, str(getattr(sheet, "filename", sheet))) for sheet in context["css_files"]]
        context["css_files"] = [sheet for sheet, name in named if name.endswith(STYLES)]
    else:
        context["metatags"] = context.get("metatags", "") + STYLE
    context["body"] = body


def setup(app):
    # After every other extension has had its say on the page.
    app.connect("html-page-context", mend, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
