"""`mine.py`: a student's answers, kept beside the notebook, each below its task's name.

    # ==== rotate ==== 11_positions 3f2a9c1b
    import torch
    ...

It is a module that can be imported: where two answers give one name to two things, each of them is
wrapped in a function of its own. The eight digits are of the text as it was written here, so that
what a student has changed by hand is seen, and left alone.
"""

import hashlib
import os
import re
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from course_lib.checker.run.statements import read_statements

RIGHT, WRONG = "mine.py", "mine_wrong.py"
HEAD = {
    RIGHT: """\
# My answers, as `check` found them right. A newer right answer takes the place of an older
# one; what you change here by hand stays.
""",
    WRONG: """\
# My answers as they were when they were wrong, the last one of each task. `check` keeps them
# because I asked for it: check(…, keep_wrong=True).
""",
}
HEADING = re.compile(r"^# =+ ([^\W\d]\w*) =+ (\S+) ([0-9a-f]{8})$", re.M)
ALONE = """\
def _{0}_alone():  # it shares names with others
{1}
    return {0}


{0} = _{0}_alone()"""
TRIES = 3
NO_ANSWER = "Nothing was kept in `{0}`: the text of your answer could not be found in the cells."
NOT_OURS = (
    "Nothing was kept: `{0}` beside this notebook does not begin as the file that `check` writes. "
    "Give yours another name."
)
EDITED = (
    "`{0}` keeps the `{1}` that you changed there by hand; the one that was checked now is not in "
    "it. To have it kept, delete that part of the file and check again."
)
TWICE = "`{0}` has two parts with the heading `{1}`, so it was left as it is: delete one of them."
NO_FILE = "Nothing was kept: `{0}` cannot be written or read here ({1})."
NO_PYTHON = "Nothing was kept: with `{1}` added, `{0}` would not be Python ({2})."
KEPT = "Kept in `{0}`, beside this notebook."


@dataclass(frozen=True)
class Part:
    """One answer in the file: the exercise it is of, and its text as it stands there."""

    home: str
    text: str
    is_edited: bool = False

    @property
    def raw(self) -> str:
        """The text without the function around it."""
        wrapped = re.match(r"def _(\w+)_alone\(\):[^\n]*\n(.*)\n    return \1\n", self.text, re.S)
        if wrapped is None:
            return self.text
        lines = wrapped[2].split("\n")
        return "\n".join(line[4:] if line.strip() else line for line in lines)


def parts_in(text: str) -> dict[str, Part]:
    """The answers of a file's text by task, in their order; of two, the last."""
    found: dict[str, Part] = {}
    _, *pieces = HEADING.split(text)
    for name, home, digits, body in zip(*[iter(pieces)] * 4, strict=True):
        body = body.strip("\n")
        found[name] = Part(home, body, digits != digits_of(body))
    return found


def read_text(path: Path) -> str:
    """The text of a file; "" where there is none that can be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return ""


def arranged(parts: Mapping[str, Part]) -> str:
    """The parts as Python that can run in one space, each below its heading.

    A name that two parts bind otherwise, or that is another part's own, would be the last one's for
    both: such parts are wrapped. What a student changed by hand is not touched.
    """
    bound = {name: _bound(part.raw) for name, part in parts.items()}
    texts = {(one, text) for names in bound.values() for one, text in names.items()}
    meanings = Counter(one for one, _ in texts)
    lines = []
    for name, part in parts.items():
        shared = [n for n in bound[name] if n != name and (meanings[n] > 1 or n in parts)]
        raw, text = part.raw, part.text
        if not part.is_edited:
            wrap = shared and not re.search(r"^from .* import \*", raw, re.M)
            text = ALONE.format(name, _indented(raw)) if wrap else raw
        digits = "0" * 8 if part.is_edited else digits_of(text)
        lines.append(f"# {'=' * 4} {name} {'=' * 4} {part.home} {digits}\n{text}\n")
    return "\n\n".join(lines)


def keep(
    folder: Path, file: str, task: str, home: str, source: str, order: Mapping[str, int]
) -> str:
    """Write an answer's text into a file; the sentence to say, "" where it is there already.

    Written at once or not at all, and never over what came in between. `order` says which task
    stands above which.
    """
    if not source:
        return NO_ANSWER.format(file)
    path = (folder / file).resolve()  # where it is a link, the file that it leads to
    try:
        for _ in range(TRIES):
            before = path.read_text(encoding="utf-8") if path.exists() else None
            text, sentence = _with(before, file, task, Part(home, source), order)
            if text is None:
                return sentence
            if _written(path, before, text):
                return sentence
    except (OSError, UnicodeError) as error:
        return NO_FILE.format(file, getattr(error, "strerror", None) or "it is not UTF-8 text")
    return NO_FILE.format(file, "something else is writing it")


def _with(
    before: str | None, file: str, task: str, new: Part, order: Mapping[str, int]
) -> tuple[str | None, str]:
    """The file's text with a new part, None where it stays as it is; and what to say."""
    if before is not None and not before.startswith(HEAD[file].split("\n", 1)[0]):
        return None, NOT_OURS.format(file)
    head = HEAD[file] if before is None else HEADING.split(before, maxsplit=1)[0]
    parts = parts_in(before or "")
    names = [found[1] for found in HEADING.finditer(before or "")]
    if twice := next((name for name in names if names.count(name) > 1), None):
        return None, TWICE.format(file, twice)
    old = parts.get(task)
    if old and old.raw == new.text:
        return None, ""
    if old and old.is_edited:
        return None, EDITED.format(file, task)
    parts[task] = new
    known = len(order)
    ordered = dict(sorted(parts.items(), key=lambda item: order.get(item[0], known)))
    text = f"{head.rstrip()}\n\n\n{arranged(ordered)}"
    try:
        compile(text, file, "exec")
    except (SyntaxError, ValueError) as error:
        return None, NO_PYTHON.format(file, task, error)
    return text, KEPT.format(file)


def _written(path: Path, before: str | None, text: str) -> bool:
    """Put the text in the place of what was read; False where that has changed since."""
    made, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(made, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if before is None:
            os.chmod(name, 0o644)
        else:
            os.chmod(name, path.stat().st_mode & 0o777)
        now = path.read_text(encoding="utf-8") if path.exists() else None
        if now != before:
            return False
        os.replace(name, path)
        return True
    finally:
        Path(name).unlink(missing_ok=True)


def digits_of(text: str) -> str:
    return hashlib.sha256(text.strip("\n").encode()).hexdigest()[:8]


def _bound(source: str) -> dict[str, str]:
    """The names that a part gives a meaning, each with the text that does."""
    lines = source.split("\n")
    found: dict[str, str] = {}
    for one in read_statements(source) or ():
        text = "\n".join(lines[slice(*one.lines)])
        for name in one.binds:
            found[name] = found.get(name, "") + text
    return found


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line.strip() else line for line in text.split("\n"))
