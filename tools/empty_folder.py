"""Run notebooks as Colab does: the wheel is installed, the notebook stands in an empty folder.

    python -m tools.empty_folder            every notebook that a page offers for Colab
    python -m tools.empty_folder NAME …     book/softmax, exercises/01_softmax, …

The wheel is built from the files as they stand and installed into a virtual environment, which sees
the packages of this one and none of the course's own. Nothing is taken from the network: models
are read where `python -m course_lib.published` left them. A line for each notebook; the exit status
is 1 where one failed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

import yaml

from tools.contents import listed

ROOT = Path(__file__).parents[1]
NOWHERE = "http://127.0.0.1:9"  # a port where nobody answers
OFFLINE = {name: NOWHERE for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")}
ALONE = {**OFFLINE, "HF_HUB_OFFLINE": "1", "MPLBACKEND": "agg"}
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
path = sys.argv[1]
notebook = nbformat.read(path, as_version=4)
notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
NotebookClient(notebook, timeout=1200, kernel_name="python3").execute()
"""


def offered() -> list[str]:
    """The notebooks that have a button for Colab, by their names below the root."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    in_a_copy = settings["sphinx"]["config"]["attn_in_a_copy"]
    return [
        name for name in listed() if (ROOT / f"{name}.ipynb").exists() and name not in in_a_copy
    ]


def files() -> list[Path]:
    """What the wheel is made of: what pyproject.toml names, below the root."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    beside = [
        name for some in project["tool"]["setuptools"]["data-files"].values() for name in some
    ]
    names = ["pyproject.toml", "README.md", "LICENSE", *beside]
    rooms = [*(ROOT / "course_lib").rglob("*"), *(ROOT / "book" / "helpers").rglob("*")]
    found = [path for path in rooms if path.is_file() and "__pycache__" not in path.parts]
    return [*(path for name in names for path in ROOT.glob(name)), *found]


def install(place: Path) -> Path:
    """An environment in `place` that has the wheel; its Python."""
    source = place / "source"
    for path in files():
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    pip = [sys.executable, "-m", "pip", "--quiet"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", place, source]
    subprocess.run(build, check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / "env"], check=True)
    python = place / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    wheels = place.glob("*.whl")
    subprocess.run([*pip, "--python", python, "install", "--no-deps", *wheels], check=True)
    words = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = Path(subprocess.check_output(words, text=True).strip())
    # A line of a .pth file is a folder to look into; the editable course of this one is not in it.
    (own / "others.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    kernel = own.parents[2] / "share" / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(
        f'{{"argv": ["{python}", "-m", "ipykernel_launcher", "-f", "{{connection_file}}"], '
        '"display_name": "Python 3", "language": "python"}',
        encoding="utf-8",
    )
    shutil.rmtree(source)
    return python


def run(python: Path, name: str, place: Path) -> str:
    """Run one notebook alone in a new folder; "" or the end of what it said."""
    folder = Path(tempfile.mkdtemp(dir=place))
    shutil.copy(ROOT / f"{name}.ipynb", folder)
    settings = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | ALONE
    settings["JUPYTER_PATH"] = str(python.parents[1] / "share" / "jupyter")
    command = [python, "-W", "ignore", "-c", EXECUTE, f"{Path(name).name}.ipynb"]
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True)
    return "" if done.returncode == 0 else str(done.stderr)[-2500:] or "It said nothing."


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="notebooks by their names below the root")
    names = parser.parse_args(arguments).names or offered()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        python = install(place)
        for name in names:
            said = run(python, name, place)
            print("FAILED" if said else "ran   ", name, said, flush=True)
            failed += [name] if said else []
    print(f"{len(names) - len(failed)} of {len(names)} notebooks ran in an empty folder.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
