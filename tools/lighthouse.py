"""Audit the built book with Lighthouse: python tools/lighthouse.py [--runs 3] [PAGE]...

Served with gzip, Lighthouse's mobile profile, the median of the runs; fails below 95 in any of the
four categories. Needs Node; Lighthouse itself comes from npm, at the version below, into .venv.
"""

import argparse
import contextlib
import gzip
import http.server
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "_build" / "html"
VERSION = "12.8.2"  # the newest that runs on Node 20
HOME = ROOT / ".venv" / "lighthouse"
PAGES = ("index.html", "book/softmax.html", "book/worked_translation.html")
PAGES += ("book/many_heads.html",)
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
LEAST = 95
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
COMPRESSED = (".html", ".css", ".js", ".json", ".svg", ".txt", ".xml")


class Gzipped(http.server.SimpleHTTPRequestHandler):
    """What every real host does with text, and how long it may be kept."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.suffix not in COMPRESSED or not path.is_file():
            super().do_GET()
            return
        data = gzip.compress(path.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=31536000")
        super().end_headers()

    def log_message(self, *arguments) -> None:
        pass


@contextlib.contextmanager
def served(folder: Path):
    """The folder's address while the block runs."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Gzipped, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def audit(url: str) -> dict[str, float]:
    """One run: the four scores out of 100, and the layout shift."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    words = [str(HOME / "node_modules" / ".bin" / "lighthouse"), url, "--output=json", "--quiet"]
    words += [f"--only-categories={','.join(CATEGORIES)}"]
    words += ["--chrome-flags=--headless=new --no-sandbox --disable-gpu"]
    environment = os.environ | ({"CHROME_PATH": browser} if browser else {})
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"Lighthouse failed on {url}:\n{done.stderr[-2000:]}")
    report = json.loads(done.stdout)
    scores = {name: 100 * (report["categories"][name]["score"] or 0) for name in CATEGORIES}
    for reference in report["categories"].values():
        for item in reference["auditRefs"]:
            found = report["audits"][item["id"]]
            if item["weight"] and found["score"] is not None and found["score"] < 0.9:
                print(f"    {item['id']}: {found['score']} {found.get('displayValue', '')}")
    return scores | {"shift": report["audits"]["cumulative-layout-shift"]["numericValue"]}


def install() -> None:
    """Fetch Lighthouse once."""
    if not shutil.which("npm"):
        sys.exit("Lighthouse needs Node 18 or later with npm: install it, then run this again.")
    if not (HOME / "node_modules" / "lighthouse").exists():
        words = ["npm", "install", "--silent", "--prefix", str(HOME), f"lighthouse@{VERSION}"]
        subprocess.run(words, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", default=PAGES)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    if not (BOOK / "index.html").exists():
        sys.exit("The book is not built: run `make book` first.")
    install()
    low = []
    with served(BOOK) as site:
        for page in arguments.pages:
            runs = [audit(site + page) for _ in range(arguments.runs)]
            medians = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
            print(page, {name: round(value, 3) for name, value in medians.items()}, flush=True)
            low += [f"{page}: {name}" for name in CATEGORIES if medians[name] < LEAST]
            low += [f"{page}: layout shift"] if medians["shift"] > 0.05 else []
    sys.exit("Below the mark: " + ", ".join(low) if low else 0)


if __name__ == "__main__":
    main()
