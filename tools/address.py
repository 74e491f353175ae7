"""Write the one address into everything that names it.

    make address URL=https://github.com/someone/fork [SITE=https://pages.example.edu/course/]

Without URL the clone's own `origin`; without SITE the repository's Pages, on GitHub or GitLab.
URL=none takes every address out again. _config.yml is written first, and all else from it, so twice
the same gives the same files.

    python tools/address.py --commit SHA    the notebooks install the library of that commit

Runs on a bare Python: standard library only.
"""

import argparse
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "book" / "_ext"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools.environment import too_old

if too_old("address"):
    sys.exit(too_old("address"))
from machine.address import GITHUB, GITLAB, Address, site_url

from tools.colab import snippet, where

ROOT = Path(__file__).resolve().parents[1]
WANTED = "It looks like https://github.com/someone/course, or the same on a GitLab"
SETTINGS = {
    "repository": re.compile(r"(?m)^(repository:\n  url: )(\S*)$"),
    "site": re.compile(r'(?m)^(  baseurl: )"(\S*)"$'),
}
# What the library says of its repository while there is none.
NOWHERE = 'REPOSITORY = ""  # empty until then: nothing is fetched from a stranger'
# A page of the book in the text of an exercise: beside it in a clone, or on the site.
PAGE = re.compile(r"\]\((?:\.\./|(?P<site>https://[^\s)]+/))book/(\w+)\.(?:ipynb|html)\)")
# What the rules of an exercise say last.
WHERE = re.compile(r"^\*\*Where it runs\.\*\*.*", re.DOTALL | re.MULTILINE)
BADGES = r"<!-- badges -->\n.*?<!-- /badges -->"
NOTEBOOKS = ("book", "solutions", "exercises")


def read(root: Path) -> Address:
    """The address that _config.yml gives."""
    text = (root / "_config.yml").read_text(encoding="utf-8")
    found = {name: pattern.search(text)[2] for name, pattern in SETTINGS.items()}
    branch = re.search(r"(?m)^  branch: (\S+)$", text)[1]
    return Address(found["repository"], found["site"], branch)


def normal(url: str) -> str:
    """A repository's address as the book gives it. Raises ValueError."""
    given = url.strip()
    url = re.sub(r"^(?:ssh://)?git@([\w.-]+)[:/]", r"https://\1/", given)
    url = re.sub(
        r"^(?:https?://)?([\w.-]+)(?=/)", lambda host: f"https://{host[1].lower()}", url, flags=re.I
    )
    url = url.rstrip("/").removesuffix(".git")
    if not GITHUB.fullmatch(url) and not GITLAB.fullmatch(url):
        raise ValueError(f"{given!r} is no address of a repository. {WANTED}.")
    return url


def origin(root: Path) -> str:
    """Where this clone came from. Raises ValueError."""
    # Only of this folder: a zip may lie inside another repository, whose address is not ours.
    command = ["git", "--git-dir=.git", "remote", "get-url", "origin"]
    try:
        told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ValueError("There is no git here, so give the address: make address URL=…") from None
    if told.returncode:
        raise ValueError("This copy has no `origin`, so give the address: make address URL=…")
    return told.stdout


def write(root: Path, new: Address, ref: str | None = None) -> list[Path]:
    """Put `new` wherever the present address stands; the files that changed."""
    old = read(root)
    changed = []

    def put(path: Path, text: str) -> None:
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8", newline="\n")
            changed.append(path)

    config = root / "_config.yml"
    text = SETTINGS["repository"].sub(rf"\g<1>{new.repository}", config.read_text("utf-8"))
    put(config, SETTINGS["site"].sub(rf'\g<1>"{new.site}"', text))
    library = root / "course_lib" / "address.py"
    # A line of its own for each: address and comment in one would be too long for `make lint`.
    line = f'REPOSITORY = "{new.repository}"' if new.is_real else NOWHERE
    put(library, re.sub(r"(?m)^REPOSITORY = .*$", line, library.read_text("utf-8")))
    for name in ("README.md", "CITATION.cff"):
        put(root / name, badges(renamed((root / name).read_text("utf-8"), old, new), new))
    for path in sorted(p for folder in NOTEBOOKS for p in (root / folder).glob("*.ipynb")):
        put(path, notebook(path.read_text("utf-8"), old, new, ref))
    return changed


def renamed(text: str, old: Address, new: Address) -> str:
    """A text with one repository in the other's place, and the folder that git makes of it."""
    name, folder = (one.repository.rpartition("/")[2] for one in (old, new))
    text = re.sub(rf"{re.escape(old.repository)}(?![\w-])", new.repository, text)
    clone = rf"(git clone {re.escape(new.repository)}(?: &&|\n) *cd ){re.escape(name)}\b"
    return re.sub(clone, rf"\g<1>{folder}", text)


def badges(text: str, new: Address) -> str:
    """The README's line of badges: none until there is something behind them."""
    if not new.on_github:
        block = f"[Read the book]({new.site})\n" if new.is_real and new.site else ""
        return re.sub(BADGES, f"<!-- badges -->\n{block}<!-- /badges -->", text, flags=re.S)
    tests = f"{new.repository}/actions/workflows/tests.yml"
    line = f"[![tests]({tests}/badge.svg)]({tests}) [Read the book]({new.site})\n"
    return re.sub(BADGES, f"<!-- badges -->\n{line}<!-- /badges -->", text, flags=re.S)


def notebook(text: str, old: Address, new: Address, ref: str | None = None) -> str:
    """A notebook's file with the new address in its first code cell and in its text."""
    content = json.loads(text)
    for cell in content["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and 'find_spec("course_lib")' in source:
            source = snippet(new.archive(ref))
        elif cell["cell_type"] == "markdown":
            source = PAGE.sub(lambda found: page(found, old, new), renamed(source, old, new))
            source = WHERE.sub(where(new.repository if new.is_real else ""), source)
        cell["source"] = source.splitlines(keepends=True)
    form = {"ensure_ascii": False, "indent": 1, "separators": (",", ": "), "sort_keys": True}
    return json.dumps(content, **form) + "\n"


def page(found: re.Match, old: Address, new: Address) -> str:
    """A link to a page: on the site where there is one, else to the notebook beside."""
    if found["site"] not in (None, old.site):
        return found[0]
    if new.site:
        return f"]({new.site}book/{found[2]}.html)"
    return f"](../book/{found[2]}.ipynb)"


def answers(url: str) -> str:
    """Why nobody answers there, in a few words; "" when somebody does."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=10):
            return ""
    except urllib.error.HTTPError as error:
        return str(error.code)
    except (OSError, ValueError) as error:
        return str(getattr(error, "reason", error))


def silence(new: Address) -> str:
    """Who does not answer, and what to do about it; "" when both do."""
    why = answers(new.repository)
    if why:
        what = "until it does, its links lead nowhere"
        return f"{new.repository} does not answer ({why}): {what}.\n"
    why = answers(new.site) if new.site else ""
    what = "on GitHub choose Settings, Pages, Source: GitHub Actions, and push to the branch main"
    return f"{new.site} does not answer ({why}): {what}.\n" if why else ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", nargs="?", help="the repository, or none; this clone's origin")
    parser.add_argument("--site", help="where the pages are; its Pages if left out")
    parser.add_argument("--commit", help="only the notebooks: install the library of this commit")
    given = parser.parse_args(arguments)
    try:
        if given.commit:
            new = read(ROOT)
        elif given.url == "none":
            new = Address(branch=read(ROOT).branch)
        else:
            repository = normal(given.url or origin(ROOT))
            site = given.site or site_url(repository)
            if not site:
                raise ValueError(f"Where are the pages of {repository}? Add SITE=https://…")
            if not re.fullmatch(r"https?://[^\s\"<>]+", site):
                raise ValueError(f"{site!r} is no address of a site: it begins with https://.")
            new = Address(repository, site.rstrip("/") + "/", read(ROOT).branch)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    changed = write(ROOT, new, given.commit)
    where = f"{new.repository}, pages at {new.site}" if new.is_real else "No address"
    print(f"{where}: {len(changed)} files written.")
    if new.is_real and not given.commit:
        print(silence(new), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
