"""What comes after a page, beside it and not only at its end: its exercise, and the next page.

The theme's own links to the next page stand below the last line.
"""

import re

EXERCISE = re.compile(r'href="((?:\.\./)?exercises/(\w+)\.html)"')


def find(app, pagename, templatename, context, doctree):
    """Give templates/next-up.html the first exercise that the page names."""
    found = EXERCISE.search(context.get("body") or "")
    if found and not pagename.startswith("exercises/") and pagename != app.config.root_doc:
        title = app.env.titles.get(f"exercises/{found[2]}")
        context["attn_exercise"] = (found[1], title.astext()) if title else None


def setup(app):
    app.connect("html-page-context", find)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
