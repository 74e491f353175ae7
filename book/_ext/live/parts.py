"""What Python in the page loads on a click: the runtime, NumPy, and the course's own files.

`python tools/live.py` brings the first two; without them nothing is written, and no page has a
button. A page from a server fetches each part packed; a page from disk may fetch nothing, and
loads the same parts out of one script.
"""

import base64
import gzip
import io
import json
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
FETCHED = ROOT / ".venv" / "live"
RUNTIME = ("pyodide.asm.js", "pyodide.js", "pyodide.asm.wasm", "python_stdlib.zip", "numpy.zip")
HERE = Path(__file__).parent
EXERCISES = ("softmax", "context_vectors", "worked_translation")
# Of the library: the checker, three exercises, and what they import. None of it needs torch.
COURSE = (
    "course_lib/__init__.py",
    "course_lib/address.py",
    "course_lib/moved.py",
    "course_lib/validation/__init__.py",
    "course_lib/validation/arguments.py",
    "course_lib/checker/**/*.py",
    "course_lib/exercises/*.py",
    "course_lib/exercises/stranger_forms/*.py",
    *(f"course_lib/exercises/{name}/**/*.py" for name in EXERCISES),
    "book/helpers/__init__.py",
    "book/helpers/claims.py",
    "book/helpers/tables.py",
    "course_lib/translation/corpus.py",
    "course_lib/translation/lexicon.py",
    "course_lib/figures/numbers.py",
    "course_lib/figures/moving/encoder_decoder*.py",
    "course_lib/figures/moving/online.py",
)


def there() -> bool:
    """Whether the parts were fetched."""
    return (FETCHED / "LICENCES.txt").exists()


def has_editor() -> bool:
    """Whether the editor was fetched, too; without it a cell is the browser's own text field."""
    return (FETCHED / "codemirror.txt").exists()


def write_editor(folder: Path) -> None:
    """CodeMirror and what makes it a cell's field, in one script."""
    script = folder / "codemirror.js"
    script.unlink(missing_ok=True)
    if has_editor():
        made, ours = FETCHED / "codemirror.js", HERE / "js" / "colours.js"
        script.write_bytes(b"\n".join([made.read_bytes(), ours.read_bytes()]))


def course() -> bytes:
    """The course's files as a zip. What python/ holds takes the place of the library's own."""
    files = {}
    for root, patterns in ((ROOT, COURSE), (HERE / "python", ("**/*.py",))):
        for path in sorted(p for pattern in patterns for p in root.glob(pattern)):
            files[path.relative_to(root).as_posix()] = path.read_bytes()
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return target.getvalue()


def write(folder: Path) -> None:
    """Write every part, packed, and the script that carries all of them to a page on disk."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = {name: (FETCHED / name).read_bytes() for name in RUNTIME}
    parts["course.zip"] = course()
    parts["worker.js"] = (HERE / "js" / "worker.js").read_bytes()
    packed = {name: gzip.compress(content, mtime=0) for name, content in parts.items()}
    for name, content in packed.items():
        (folder / f"{name}.gz").write_bytes(content)
    coded = {name: base64.b64encode(content).decode() for name, content in packed.items()}
    script = f"window.attn.live.parts = {json.dumps(coded)};\n"
    (folder / "parts.js").write_text(script, encoding="utf-8", newline="\n")
    sizes = {name: len(content) for name, content in packed.items()}
    session = (HERE / "js" / "session.js").read_text(encoding="utf-8")
    session = f'"use strict";\nwindow.attn.live.sizes = {json.dumps(sizes)};\n{session}'
    (folder / "session.js").write_text(session, encoding="utf-8", newline="\n")
    licences = ("LICENCES.txt", *(["codemirror.txt"] if has_editor() else []))
    texts = [(FETCHED / name).read_bytes() for name in licences]
    (folder / "LICENCES.txt").write_bytes(b"\n".join(texts))
    write_editor(folder)


def weight(folder: Path) -> int:
    """Bytes that a page's first click loads from a server."""
    names = [*RUNTIME, "course.zip", "worker.js"]
    return sum((folder / f"{name}.gz").stat().st_size for name in names)
