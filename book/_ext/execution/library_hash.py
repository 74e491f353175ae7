"""The execution cache forgets when course_lib changes.

jupyter-cache keys an execution by the notebook's cells alone. A notebook prints what course_lib
computes, so the cache's path carries a hash of course_lib and of the pinned versions. Sphinx
re-reads every page when the path changes.
"""

import hashlib
import shutil
from pathlib import Path


def library_hash(root: Path) -> str:
    """Twelve hex digits over the Python of course_lib and constraints.txt, names and bytes. What
    the browser alone reads changes no output."""
    digest = hashlib.sha256()
    library = root / "course_lib"
    for path in [*sorted(library.rglob("*.py")), root / "constraints.txt"]:
        # Line ends differ between checkouts; what they mean does not.
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:12]


def prepare(build: Path, root: Path) -> Path:
    """The cache's folder for this library; those of earlier ones are dropped."""
    caches = build / ".jupyter_cache"
    mine = caches / library_hash(root)
    for old in caches.glob("*"):
        if old != mine:
            shutil.rmtree(old, ignore_errors=True)
    mine.parent.mkdir(parents=True, exist_ok=True)
    return mine


def place_cache(app, config):
    """Point Sphinx at the folder of this library."""
    config.nb_execution_cache_path = str(prepare(Path(app.outdir).parent, Path(app.srcdir)))


def setup(app):
    app.connect("config-inited", place_cache)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
