"""The built book as one zip, to read with the network off: _build/attention-book.zip.

    python -m tools.archive

The same pages give the same bytes: names in order, one date for all.
"""

import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "attention-book"
DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold


def archive(site: Path, target: Path) -> int:
    """Write every file of the site below one folder of the zip; how many there are."""
    files = sorted(path for path in site.rglob("*") if path.is_file())
    if site / "index.html" not in files:
        raise FileNotFoundError(f"{site.name}/ has no index.html: run `make book` first.")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as book:
        for path in files:
            entry = zipfile.ZipInfo(f"{NAME}/{path.relative_to(site).as_posix()}", DATE)
            entry.external_attr = 0o644 << 16
            book.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return len(files)


if __name__ == "__main__":
    target = ROOT / "_build" / f"{NAME}.zip"
    try:
        count = archive(ROOT / "_build" / "html", target)
    except FileNotFoundError as error:
        sys.exit(str(error))
    size = target.stat().st_size / 1e6
    print(f"{target.relative_to(ROOT)}: written, {count} files, {size:.1f} MB")
