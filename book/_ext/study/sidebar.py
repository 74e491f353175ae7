"""The sidebar, folded: of all parts the one that the page belongs to is open.

With 80 lines in sight a reader saw the first parts and not the line of the page. Folds of HTML work
without JavaScript; book.js brings the line into view where a part is long.
"""

from bs4 import BeautifulSoup

FIRST = 2  # parts that are open on a page which belongs to none: where one begins


def folded(html: str) -> str:
    """The theme's list of pages, each caption with its pages as a fold."""
    soup = BeautifulSoup(html, "html.parser")
    captions = soup.select("p.caption")
    current = [p.find_next_sibling("ul").select_one("li.current") is not None for p in captions]
    for number, (caption, here) in enumerate(zip(captions, current, strict=True)):
        pages = caption.find_next_sibling("ul")
        fold = soup.new_tag("details", attrs={"class": "attn-part"})
        if here or (not any(current) and number < FIRST):
            fold["open"] = ""
        title = soup.new_tag("summary")
        title.append(caption.find("span", class_="caption-text").extract())
        caption.replace_with(fold)
        fold.extend([title, pages.extract()])
    return str(soup)


def fold(app, pagename, templatename, context, doctree):
    """Have the theme's sidebar folded; the theme's other lists stay as they are."""
    made = context.get("generate_toctree_html")
    if made is None:
        return

    def generate(kind, **options):
        found = made(kind=kind, **options)
        return folded(str(found)) if kind == "sidebar" and found else found

    context["generate_toctree_html"] = generate


def setup(app):
    # After the theme, which puts its function into the context at 500.
    app.connect("html-page-context", fold, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
