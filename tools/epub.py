"""What Sphinx's EPUB lacks, and what it should not carry.

An EPUB's manifest must say which pages hold formulas and drawings. Scripts, and style sheets and
pictures that no page of the EPUB names, are left out.
"""

import re
import zipfile
from pathlib import Path, PurePosixPath

MANIFEST = "content.opf"
SCRIPT = re.compile(r"<script\b.*?</script>\s*", re.S)
ITEM = re.compile(r'\s*<item\b[^>]*\bhref="([^"]+)"[^>]*/>')
PROPERTIES = re.compile(r'\s+properties="([^"]*)"')
TAGS = {"mathml": "<math", "svg": "<svg"}


def declared(item: str, page: str) -> str:
    """An item of the manifest with the properties that its page needs."""
    found = PROPERTIES.search(item)
    properties = found[1].split() if found else []
    properties += [name for name, tag in TAGS.items() if tag in page and name not in properties]
    if not properties:
        return item
    plain = PROPERTIES.sub("", item).rstrip().removesuffix("/>").rstrip()
    return f'{plain} properties="{" ".join(properties)}" />'


def unused(files: dict[str, bytes], pages: dict[str, str]) -> set[str]:
    """The files of _static/ that neither a page names nor a style sheet that a page names."""
    statics = {name: PurePosixPath(name).name for name in files if name.startswith("_static/")}
    text = "".join(pages.values())
    sheets = [name for name, last in statics.items() if last in text and name.endswith(".css")]
    text += "".join(files[name].decode("utf-8") for name in sheets)
    return {name for name, last in statics.items() if last not in text}


def finish(source: Path, target: Path) -> None:
    """Copy an EPUB with its manifest completed. The entry `mimetype` stays first, uncompressed."""
    with zipfile.ZipFile(source) as book:
        files = {name: book.read(name) for name in book.namelist()}
    pages = {name: files[name].decode("utf-8") for name in files if name.endswith(".xhtml")}
    pages = {name: SCRIPT.sub("", page) for name, page in pages.items()}
    files |= {name: page.encode("utf-8") for name, page in pages.items()}
    left_out = unused(files, pages)

    def item(match: re.Match) -> str:
        return "" if match[1] in left_out else declared(match[0], pages.get(match[1], ""))

    files[MANIFEST] = ITEM.sub(item, files[MANIFEST].decode("utf-8")).encode("utf-8")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in files.items():
            if name not in left_out:
                stored = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
                book.writestr(name, content, compress_type=stored)
