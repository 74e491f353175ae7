"""The sidebar, folded: of all parts the one that the page belongs to is open.

With 80 lines in sight a reader saw the first parts and not the line of the page. Folds of HTML work
without JavaScript; book.js brings the line into view where a part is long. The pages of the route
that the landing page lists in a container `attn-route` have their number on it before their names.
"""

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx import addnodes
from sphinx.locale import _

FIRST = 2  # parts that are open on a page which belongs to none: where one begins
ROUTE = "attn-route"


def note_route(app, doctree):
    """Remember the pages of the route, in its order, when the landing page is read."""
    if app.env.docname == app.config.root_doc:
        boxes = (box for box in doctree.findall(nodes.container) if ROUTE in box["classes"])
        links = (link for box in boxes for link in box.findall(addnodes.pending_xref))
        app.env.attn_route = [link["reftarget"].lstrip("/") for link in links]


def merge(app, env, docnames, other):
    """A process that read the landing page knows the route."""
    if hasattr(other, "attn_route"):
        env.attn_route = other.attn_route


def folded(html: str, stops: dict[str, int] | None = None) -> str:
    """The theme's list of pages, each caption with its pages as a fold.

    stops: the number on the route of each page that is on it, by its address in the list.
    """
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
    for link in soup.select("li > a"):
        if number := (stops or {}).get(link["href"]):
            link.insert(0, marked(soup, number, len(stops)))
    return str(soup)


def marked(soup, number: int, count: int):
    """The number in a circle; who hears the page hears what it is the number of."""
    said = _("Page {n} of {all} on the short route").format(n=number, all=count)
    mark = soup.new_tag("span", attrs={"class": "attn-stop", "title": said})
    hidden = soup.new_tag("span", attrs={"class": "visually-hidden"})
    hidden.string = f"{said}: "
    shown = soup.new_tag("span", attrs={"aria-hidden": "true"})
    shown.string = str(number)
    mark.extend([hidden, shown])
    return mark


def fold(app, pagename, templatename, context, doctree):
    """Have the theme's sidebar folded; the theme's other lists stay as they are."""
    made = context.get("generate_toctree_html")
    if made is None:
        return
    route = getattr(app.env, "attn_route", [])
    stops = {
        "#" if page == pagename else app.builder.get_relative_uri(pagename, page): number
        for number, page in enumerate(route, 1)
    }

    def generate(kind, **options):
        found = made(kind=kind, **options)
        return folded(str(found), stops) if kind == "sidebar" and found else found

    context["generate_toctree_html"] = generate


def setup(app):
    app.connect("doctree-read", note_route)
    app.connect("env-merge-info", merge)
    # After the theme, which puts its function into the context at 500.
    app.connect("html-page-context", fold, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
