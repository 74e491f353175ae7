"""404.html, which a server shows at any address that has no page: so its links begin at the root of
the site, and it brings all that it needs."""

from html import escape
from pathlib import Path
from urllib.parse import urlsplit

PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>No such page - {title}</title>
<style>
:root {{ color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }}
body {{ max-width: 34rem; margin: 15vh auto; padding: 0 1rem; }}
</style>
</head>
<body>
<main>
<h1>There is no such page</h1>
<p>It may have been renamed, or this copy of the course leaves it out.</p>
<p><a href="{root}index.html">{title}</a> · <a href="{root}search.html">Search</a></p>
</main>
</body>
</html>
"""


def write(app, exception) -> None:
    if exception is not None or app.builder.name != "html":
        return
    root = urlsplit(app.config.html_baseurl or "").path or "/"
    title = escape(app.config.html_title or app.config.project)
    text = PAGE.format(language=app.config.language or "en", title=title, root=escape(root))
    (Path(app.outdir) / "404.html").write_text(text, encoding="utf-8", newline="\n")


def setup(app):
    app.connect("build-finished", write, priority=900)  # after those who rewrite the book's pages
    return {"parallel_read_safe": True, "parallel_write_safe": True}
