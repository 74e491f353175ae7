"""Gradescope: a zip with `setup.sh` and `run_autograder`, which grades with `attn` itself.

The course's source lies beside them and is installed from there. Each answer runs in a sandboxed
process inside Gradescope's container.
"""

import zipfile
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.tasks.task import Exercise

ROOT = Path(__file__).parents[2]
PACKAGES = ("course_lib", "grader")
BESIDE = ("pyproject.toml", "constraints.txt", "README.md", "LICENSE")

SETUP = """#!/usr/bin/env bash
# Runs once, when Gradescope builds the autograder's image.
set -euo pipefail
apt-get update
apt-get install -y --no-install-recommends python3-venv bubblewrap libseccomp2
# The image's own Python may be older than the course needs. uv brings one, to a folder that cells
# can read: root's home is closed to them.
python3 -m venv /opt/uv
/opt/uv/bin/pip install uv
UV_PYTHON_INSTALL_DIR=/opt/python /opt/uv/bin/uv venv --seed --python 3.11 /opt/course
cd "$(dirname "$0")"
# Editable: the solutions stay here, where cells cannot read them.
/opt/course/bin/pip install --constraint constraints.txt \\
  --extra-index-url https://download.pytorch.org/whl/cpu --editable . --editable ./grader
chmod -R go-rwx "$PWD"
"""

RUN = """#!/usr/bin/env bash
# Runs once for each submission.
set -uo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
attn="${ATTN:-/opt/course/bin/attn}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/in" "$root/results"
# Everything, at any depth: which of it is EXERCISE, its cells say, as for a whole class.
cp -rP "$root/submission" "$work/in/submission"
"$attn" grade "$work/in" --from folders --out "$work/out" --exercise EXERCISE >"$work/log" 2>&1 &&
"$attn" export "$work/out" --to gradescope --output "$work/export" >>"$work/log" 2>&1
results="$work/export/submission/EXERCISE.results.json"
none='Nothing was handed in for|holds no work for an exercise'
if [ -f "$results" ]; then
  cp "$results" "$root/results/results.json"
elif [ -z "$(find -P "$root/submission" -name '*.ipynb*' | sed -n 1p)" ]; then
  echo '{"score": 0, "output": "Nothing that you handed in is a notebook: hand in' \\
    'EXERCISE.ipynb.", "stdout_visibility": "hidden"}' >"$root/results/results.json"
elif grep -qE "$none" "$work/log"; then  # no score, which Gradescope shows as an error
  echo '{"output": "No notebook that you handed in holds an answer of EXERCISE: hand in the one' \\
    'that does. It is not a grade.", "stdout_visibility": "hidden"}' >"$root/results/results.json"
else  # a fault of ours
  cat "$work/log" >&2
  echo '{"output": "The grader failed on this submission. It is not a grade; please tell your' \\
    'instructor.", "stdout_visibility": "hidden"}' >"$root/results/results.json"
fi
"""


def write(exercise: Exercise, output: Path) -> list[Path]:
    """`<exercise>-gradescope.zip`: upload it as the assignment's autograder."""
    files = course_files()
    path = output / f"{exercise.stem}-gradescope.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "setup.sh", SETUP)
        _add(archive, "run_autograder", RUN.replace("EXERCISE", exercise.stem))
        for name, content in files:
            _add(archive, name, content)
    return [path]


def course_files() -> list[tuple[str, bytes]]:
    """The course as pip can install it: its source tree, and the list of exact versions.

    Raises InputError where the library was installed without the repository around it.
    """
    missing = [name for name in BESIDE if not (ROOT / name).is_file()]
    if missing:
        raise InputError(
            f"The zip for Gradescope holds the course's source, and {', '.join(missing)} "
            "do not lie beside this library. Run attn in a clone of the repository."
        )
    packages = [path for name in PACKAGES for path in (ROOT / name).rglob("*")]
    names = [path for path in packages if path.suffix in KEPT]
    extra = [ROOT / name for name in BESIDE]
    files = sorted(p for p in (*names, *extra) if p.is_file() and "__pycache__" not in p.parts)
    return [(path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in files]


KEPT = {".py", ".js", ".css", ".svg", ".html", ".j2", ".toml", ".md"}


def _add(archive: zipfile.ZipFile, name: str, content: str | bytes) -> None:
    entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same bytes at every build
    entry.external_attr = (0o755 if name in ("setup.sh", "run_autograder") else 0o644) << 16
    archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
