"""Write or renew the catalogues of a translation: what there is to translate, for one page.

    make messages LANG=fr PAGE=softmax

A sentence whose English has changed keeps its old translation marked `fuzzy`: the page shows the
English one until a translator has looked at it and taken the mark away.
"""

import argparse
import sys
from pathlib import Path

import nbformat
from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "book" / "_ext"))
from languages.messages import catalogue, catalogues, messages, table  # noqa: E402

from tools.contents import listed  # noqa: E402

HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""
# Where our code puts words into pages: each stands in `_("…")`.
CODE = {
    "book/_ext": [
        ("**.py", "python"),
        ("**.js", "javascript"),
        ("**.j2", "jinja2.ext:babel_extract"),
    ],
    "book/assets": [("**.js", "javascript")],
    "book/templates": [("*.html", "jinja2.ext:babel_extract")],
    "course_lib/figures/js": [("**.js", "javascript")],
}


def of_code(root: Path = ROOT) -> list[str]:
    """The words of our scripts, templates and extensions."""
    found: dict[str, None] = {}
    for folder, methods in CODE.items():
        for _, _, message, _, _ in extract_from_dir(root / folder, methods):
            found.setdefault(message)
    return list(found)


def of_page(name: str, root: Path = ROOT) -> list[str]:
    path = root / "book" / f"{name}.ipynb"
    if not path.exists():
        raise SystemExit(f"There is no page {path.relative_to(root)}. Write PAGE=softmax, say.")
    return messages(nbformat.read(path, as_version=4))


def renew(path: Path, language: str, found: list[str]) -> str:
    """Write a catalogue of these messages; what it translated of them stays."""
    made = Catalog(locale=language, charset="utf-8", header_comment="", fuzzy=False)
    if path.exists():
        with path.open("rb") as file:
            made = read_po(file, locale=language)
    template = Catalog()
    for message in found:
        template.add(message)
    made.update(template, update_header_comment=False, update_creation_date=False)
    write(path, made)
    done = len(table(path).keys() & {*found})
    return f"{path}: {done} of {len(found)} messages are translated."


def write(path: Path, made: Catalog) -> None:
    """Without a date and babel's guesses at formats, which would change when nothing has."""
    for message in made:
        message.flags -= {"python-format", "python-brace-format"}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(HEADER.format(language=made.locale).encode())
        write_po(file, made, width=100, omit_header=True, ignore_obsolete=True)


def english(root: Path = ROOT) -> list[str]:
    """A line for each translated page that has English messages left, for the end of a build."""
    found = {}
    for language, names in catalogues(root).items():
        for name in names:
            if f"book/{name}" in listed(root):
                found[language, name] = of_page(name, root)
        found[language, "course"] = of_code(root)
    lines = []
    for (language, name), there in found.items():
        left = set(there) - table(catalogue(root, language, name)).keys()
        if left:
            lines.append(f"{language}: {len(left)} of {len(there)} messages of {name} are English.")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", help="such as fr")
    parser.add_argument("page", help="a chapter's name, such as softmax")
    given = parser.parse_args()
    try:
        Locale.parse(given.language)
    except (ValueError, UnknownLocaleError):
        print(f"{given.language!r} is no language's code: LANG=fr for French, LANG=de for German.")
        return 2
    for name, found in ((given.page, of_page(given.page)), ("course", of_code())):
        print(renew(catalogue(Path(), given.language, name), given.language, found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
