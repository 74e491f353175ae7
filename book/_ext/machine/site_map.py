"""sitemap.xml at the root of the site. sphinx-sitemap lists only the pages that the last build
wrote, so after a small change it would forget the others."""

from pathlib import Path
from xml.sax.saxutils import escape

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def write(app, exception):
    """Write the file; nothing when the build failed or the site has no address."""
    if exception is not None or app.builder.name != "html" or not app.config.html_baseurl:
        return
    pages = sorted(app.builder.get_target_uri(name) for name in app.env.found_docs)
    lines = [f"<url><loc>{escape(app.config.html_baseurl + page)}</loc></url>" for page in pages]
    text = "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            f'<urlset xmlns="{NAMESPACE}">',
            *lines,
            "</urlset>",
        ]
    )
    (Path(app.outdir) / "sitemap.xml").write_text(text + "\n", encoding="utf-8", newline="\n")


def setup(app):
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
