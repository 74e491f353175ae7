"""The frame of every page we write: one self-contained HTML file, readable in light and dark."""

import re

from course_lib.grading.text import html

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; }
.wide { overflow-x: auto; margin: 0.5rem 0 1rem; }
table { border-collapse: collapse; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { border: 1px solid #8888; padding: 0.2rem 0.6rem; text-align: left; vertical-align: top; }
.number { text-align: right; white-space: nowrap; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
small { overflow-wrap: anywhere; }
.note { border-left: 4px solid #3b7dd8; padding: 0.2rem 0.8rem; }
.bars { width: 100%; max-width: 44rem; margin: 0.5rem 0 1rem; }
.bars th, .bars td { border: 0; padding: 0.1rem 0.5rem; vertical-align: middle; }
.bars th { font-weight: normal; text-align: right; }
.bars svg { display: block; width: 100%; height: 1rem; fill: #3b7dd8; }
.bars .bar { width: 50%; }
@media (max-width: 30rem) { body { margin: 1rem auto; } th, td { padding: 0.2rem 0.4rem; } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # nothing on the page can run or load


def page(title: str, body: str) -> str:
    """A whole page. `title` is escaped here; `body` is HTML already."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><main><h1>{html(title)}</h1>\n{body}\n</main></body></html>\n"
    )


def prose(text: str) -> str:
    """A sentence as HTML: escaped, and what stands between backticks as code."""
    return re.sub("`([^`\n]+)`", r"<code>\1</code>", html(text))


def name(text: str) -> str:
    """A function's name as HTML; a narrow page may break it after an underscore."""
    return html(text).replace("_", "_<wbr>")


def table(header: list[str], rows: list[list[str]]) -> str:
    """An HTML table. The header is escaped here; the cells are HTML already."""
    head = "".join(f'<th scope="col">{html(name)}</th>' for name in header)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    inner = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide" tabindex="0"><table>{inner}</table></div>'
