"""The frame of every page we write: one self-contained HTML file, readable in light and dark."""

from course_lib.grading.text import html

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0 1rem; }
th, td { border: 1px solid #8888; padding: 0.2rem 0.6rem; text-align: left; vertical-align: top; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.note { border-left: 4px solid #8888; padding: 0.2rem 0.8rem; }
svg text { fill: currentColor; font: 13px system-ui, sans-serif; }
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


def table(header: list[str], rows: list[list[str]]) -> str:
    """An HTML table. The header is escaped here; the cells are HTML already."""
    head = "".join(f'<th scope="col">{html(name)}</th>' for name in header)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
