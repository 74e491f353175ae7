"""What the course has: the pages that _toc.yml lists. Tools and tests ask here.

A chapter or an exercise whose line is deleted, or begins with #, is not in the course; its file may
stay.
"""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
NO_CHAPTERS = ("Practise", "Study aids", "Teaching with it", "Reference")


def parts(root: Path = ROOT) -> dict[str, list[str]]:
    """The pages of each part, by its caption."""
    contents = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    return {one["caption"]: files(one.get("chapters")) for one in contents["parts"]}


def listed(root: Path = ROOT) -> list[str]:
    """Every page, in the order of the contents, such as `book/softmax`."""
    return files(yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8")))


def files(part) -> list[str]:
    """The pages below a piece of the contents, at any depth."""
    if isinstance(part, list):
        return [name for item in part for name in files(item)]
    if isinstance(part, dict):
        own = [part["file"]] if "file" in part else []
        return own + files(list(part.values()))
    return []


def chapters(root: Path = ROOT) -> list[str]:
    """The pages that teach."""
    named = parts(root).items()
    return [page for caption, pages in named if caption not in NO_CHAPTERS for page in pages]


def left_out(root: Path = ROOT) -> list[str]:
    """The notebooks of book/ and exercises/ that the contents do not list."""
    there = [
        f"{f}/{path.stem}" for f in ("book", "exercises") for path in (root / f).glob("*.ipynb")
    ]
    return sorted(set(there) - set(listed(root)))


def faults(root: Path = ROOT) -> list[str]:
    """What is wrong with the contents, each in a sentence that says what to write."""
    try:
        contents = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
        names = listed(root)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"in line {mark.line + 1} " if mark else ""
        return [f"{where}it is no YAML: a page is `- file: book/softmax`, indented as the others."]
    if not isinstance(contents, dict):
        return ["it lists nothing: a page is `- file: book/softmax`, below `chapters:`."]
    found = [
        f"{name} is no file: write {name}.ipynb, or take out the line."
        for name in names
        if not any((root / f"{name}{end}").is_file() for end in (".md", ".ipynb"))
    ]
    found += [
        f"{name} stands twice: take out one line." for name in set(names) if names.count(name) > 1
    ]
    found += [
        f"{page} is an exercise without {piece}: write it (`attn new-exercise` writes all of an "
        "exercise), or take out the line."
        for page in names
        if page.startswith("exercises/")
        for piece in pieces(page.removeprefix("exercises/"), root)
        if not (root / piece).is_file()
    ]
    return found + [
        f"the part {part.get('caption')!r} lists no page: take out its lines, from `- caption:` to "
        "`chapters:`, or list one, such as `- file: book/softmax`."
        for part in contents.get("parts") or []
        if not files(part.get("chapters"))
    ]


def pieces(stem: str, root: Path = ROOT) -> list[str]:
    """The files that an exercise is made of, beside its page."""
    folder = f"course_lib/exercises/{re.sub(r'^(lab_)?[0-9]+_', '', stem)}"
    package = f"{folder}/__init__.py"
    code = (root / package).read_text("utf-8") if (root / package).is_file() else ""
    tasks = re.findall(rf"^from {folder.replace('/', '.')}\.(\w+) import", code, re.MULTILINE)
    return [
        f"solutions/{stem}.ipynb",
        package,
        f"solutions/alternatives/{Path(folder).name}.py",
        *(
            f"{folder}/{task}{'/__init__' if (root / folder / task).is_dir() else ''}.py"
            for task in tasks
        ),
    ]
