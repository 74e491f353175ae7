"""Print the book: one PDF and one EPUB, in _build/print/.

    python -m tools.print [pdf] [epub]

Both come from the sources by plain Sphinx, which reads them once for both. The notebooks are not
executed again: what `make book` left in _build/.jupyter_cache serves. The PDF is the book as a
single page, printed by an installed Chromium, else by Playwright's own, while the EPUB is written.
"""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

from course_lib.checker.escape import render
from tools.environment import BROWSERS
from tools.epub import finish

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
PLACE = BUILD / "print"
NAME = "attention"
TEMPLATE = Path(__file__).with_name("print_conf.py.j2")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


FOOTER = (
    '<div style="width: 100%; font: 8px sans-serif; text-align: center; color: #5a6272">'
    '<span class="pageNumber"></span></div>'
)


def settings() -> str:
    """The text of a conf.py: the book's own, and what paper changes."""
    return render(TEMPLATE, version=version("course-lib"), name=NAME)


def sphinx(builder: str) -> Path:
    """Build the whole book with one of Sphinx's builders; the folder of the result.

    The folder lies beside html/, so that page_key.py finds the same cache of executions.
    """
    PLACE.mkdir(parents=True, exist_ok=True)
    (PLACE / "conf.py").write_text(settings(), encoding="utf-8")
    out = BUILD / builder
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", builder]
    command += ["-c", PLACE, "-d", PLACE / "doctrees", ".", out]
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
    kinds = [kind for kind in ("pdf", "epub") if kind in (kinds or ["pdf", "epub"])]
    pdf, epub = PLACE / f"{NAME}.pdf", PLACE / f"{NAME}.epub"
    with ThreadPoolExecutor(1) as beside:
        printing = None
        if "pdf" in kinds:
            printing = beside.submit(write_pdf, sphinx("singlehtml") / "index.html", pdf)
        if "epub" in kinds:
            finish(sphinx("epub") / epub.name, epub)
        if printing:
            printing.result()
    for target in (PLACE / f"{NAME}.{kind}" for kind in kinds):
        print(f"{target.relative_to(ROOT)}: written, {target.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
