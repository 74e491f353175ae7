"""Print the book: one PDF and one EPUB, in _build/print/.

    python -m tools.print [pdf] [epub]

Both come from the sources by plain Sphinx. The notebooks are not executed again: what `make book`
left in _build/.jupyter_cache serves. The PDF is the book as a single page, printed by an installed
Chromium, else by Playwright's own.
"""

import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from tools.environment import BROWSERS
from tools.epub import finish

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
PLACE = BUILD / "print"
NAME = "attention"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

CONF = '''\
"""Written by tools/print.py from _config.yml, without any help from Jupyter Book."""

import sys
from pathlib import Path

import yaml

root = Path(__file__).resolve().parents[2]
book = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
settings = book["sphinx"]["config"]
settings["extensions"] = [name for name in settings["extensions"] if name != "jupyter_book"]
for name in ("templates_path", "html_static_path"):
    settings[name] = [str(root / path) for path in settings[name]]
globals().update(settings)

sys.path.insert(0, str(root / "book" / "_ext"))
project = html_title = book["title"]
author, copyright = book["author"], book["copyright"]
html_theme = "sphinx_book_theme"
html_favicon = str(root / book["html"]["favicon"])
html_baseurl = book["html"]["baseurl"]
html_sourcelink_suffix = ""
html_theme_options |= {
    "repository_url": book["repository"]["url"],
    "repository_branch": book["repository"]["branch"],
    "launch_buttons": book["launch_buttons"],
    "home_page_in_toc": book["html"]["home_page_in_navbar"],
}
exclude_patterns = book["exclude_patterns"]
external_toc_path = str(root / "_toc.yml")
external_toc_exclude_missing = True
bibtex_bibfiles = [str(root / path) for path in book["bibtex_bibfiles"]]
myst_enable_extensions = book["parse"]["myst_enable_extensions"]
nb_execution_mode = book["execute"]["execute_notebooks"]
nb_execution_excludepatterns = book["execute"]["exclude_patterns"]
nb_execution_timeout = book["execute"]["timeout"]
nb_execution_show_tb = True
nb_output_stderr = book["execute"]["stderr_output"]
'''

# What paper has no use for: buttons, social previews, a map for search engines.
ON_SCREEN = ["sphinx_copybutton", "sphinxext.opengraph"]
ON_PAPER = """
extensions = [name for name in extensions if name not in {on_screen}] + ["print.paper"]
version = release = "{version}"
html_theme_options["launch_buttons"] = {{}}
html_js_files = []
epub_basename = "{name}"
epub_author = epub_publisher = epub_contributor = author
epub_copyright = copyright
epub_description = "Attention built up step by step, every number from a cell that runs."
epub_identifier = epub_uid = "{name}"
epub_tocscope = "includehidden"
epub_tocdup = False
epub_show_urls = "no"
epub_use_index = False
suppress_warnings += ["epub.unknown_project_files"]
"""

FOOTER = (
    '<div style="width: 100%; font: 8px sans-serif; text-align: center; color: #5a6272">'
    '<span class="pageNumber"></span></div>'
)


def settings() -> str:
    """The text of a conf.py: the book's own, and what paper changes."""
    return CONF + ON_PAPER.format(on_screen=ON_SCREEN, version=version("course-lib"), name=NAME)


def sphinx(builder: str) -> Path:
    """Build the whole book with one of Sphinx's builders; the folder of the result.

    The folder lies beside html/, so that page_key.py finds the same cache of executions.
    """
    PLACE.mkdir(parents=True, exist_ok=True)
    (PLACE / "conf.py").write_text(settings(), encoding="utf-8")
    out = BUILD / builder
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", builder]
    command += ["-c", PLACE, "-d", PLACE / "doctrees" / builder, ".", out]
    subprocess.run([str(word) for word in command], check=True, cwd=ROOT)
    return out


def write_pdf(page: Path, target: Path) -> None:
    """Print a page from disk. No script runs and nothing is fetched from the network."""
    from playwright.sync_api import sync_playwright

    installed = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed, args=FLAGS)
        context = browser.new_context(java_script_enabled=False, color_scheme="light", offline=True)
        sheet = context.new_page()
        sheet.goto(page.as_uri(), wait_until="load", timeout=120_000)
        sheet.pdf(
            path=target,
            format="A4",
            scale=0.8,  # so that a line of code fits
            margin={"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"},
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOTER,
            outline=True,
            tagged=True,
        )
        browser.close()


def main(kinds: list[str]) -> int:
    if unknown := set(kinds) - {"pdf", "epub"}:
        print(f"{', '.join(sorted(unknown))}: not a kind of print; there are pdf and epub.")
        return 2
    for kind in kinds or ["pdf", "epub"]:
        target = PLACE / f"{NAME}.{kind}"
        if kind == "pdf":
            write_pdf(sphinx("singlehtml") / "index.html", target)
        else:
            finish(sphinx("epub") / target.name, target)
        print(f"{target.relative_to(ROOT)}: written, {target.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
