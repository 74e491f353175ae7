"""Record the field of the landing page and the tour, from the built book: `make preview`.

    python -m tools.preview [FOLDER]

Writes field.webp, which moves, preview.png, its last picture, and the pictures of the tour in
*Adopting the course*, into FOLDER, _build/preview/ unless given.
"""

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Error, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
INDEX = ROOT / "_build" / "html" / "index.html"
SENTENCE = "the queen loved the black cat"
HEIGHT = 440  # pixels of the page, from the field to the end of the map
BEAT = 170  # milliseconds a word, as in js/own-sentence.js
LAST = 2500  # milliseconds that the finished picture stays
# A page, and what stands at the top of its picture.
TOUR = {
    "tour-chapter": ("book/softmax.html", "div.attn-predict"),
    "tour-figure": ("book/what_the_division_repairs.html", "attn-scaling"),
    "tour-quiz": ("book/softmax.html", "form.attn-question"),
    "tour-exercise": ("exercises/01_softmax.html", "div.cell.tag_answer"),
}
BROWSERS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")


def picture(page: Page, box: dict) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot(clip=box))).convert("RGB")


def frames(page: Page) -> list[tuple[Image.Image, int]]:
    """Pictures and how long each is shown: the sentence is typed, the translation written."""
    page.goto(INDEX.as_uri())
    figure = page.locator("attn-own-sentence")
    field = figure.locator("input")
    field.wait_for()
    page.wait_for_timeout(3000)
    field.scroll_into_view_if_needed()
    place = figure.bounding_box()
    box = {"x": 0, "y": place["y"] - 12, "width": 640, "height": HEIGHT}
    made = [(picture(page, box), 900)]
    field.fill("")
    for end in range(0, len(SENTENCE) + 1, 3):
        field.fill(SENTENCE[:end])
        made.append((picture(page, box), 120))
    field.fill(SENTENCE)
    for _ in range(2 * len(SENTENCE.split())):
        page.wait_for_timeout(BEAT // 2)
        made.append((picture(page, box), BEAT // 2))
    page.wait_for_timeout(1500)
    figure.locator("[data-row='1']").first.click()
    made.append((picture(page, box), LAST))
    return made


def tour(page: Page, folder: Path) -> list[str]:
    """Take each picture of the tour; the names of the files."""
    page.set_viewport_size({"width": 900, "height": 560})
    for name, (place, top) in TOUR.items():
        page.goto((INDEX.parent / place).as_uri())
        page.locator(top).first.evaluate("node => node.scrollIntoView({block: 'start'})")
        page.evaluate("scrollBy(0, -90)")
        page.add_style_tag(content="#pst-back-to-top { display: none !important }")
        page.wait_for_timeout(1500)
        image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        image.quantize(64).save(folder / f"{name}.png", optimize=True)
    return [f"{name}.png" for name in TOUR]


def main(arguments: list[str]) -> int:
    if not INDEX.exists():
        print("The book is not built: make book, then make preview.")
        return 1
    folder = Path(arguments[0]) if arguments else ROOT / "_build" / "preview"
    folder.mkdir(parents=True, exist_ok=True)
    installed = next((path for path in BROWSERS if Path(path).exists()), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=installed, args=["--no-sandbox"])
        except Error:
            print("There is no browser to record with: make env says how to get one.")
            return 1
        page = browser.new_page(viewport={"width": 640, "height": 900}, color_scheme="light")
        shown = frames(page)
        names = tour(page, folder)
        browser.close()
    (first, _), *rest = shown
    first.save(
        folder / "field.webp",
        save_all=True,
        append_images=[image for image, _ in rest],
        duration=[milliseconds for _, milliseconds in shown],
        loop=0,
        quality=60,
        method=6,
    )
    shown[-1][0].save(folder / "preview.png", optimize=True)
    for name in ("field.webp", "preview.png", *names):
        print(f"{folder / name}: {(folder / name).stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
