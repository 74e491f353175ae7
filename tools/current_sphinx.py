"""Build the same sources with plain, current Sphinx: our way out of Jupyter Book 1.

    python tools/current_sphinx.py [--no-execute]

Makes its own environment below _build/, with the newest version of everything, turns _config.yml
into a conf.py without any help from Jupyter Book, and builds with warnings as errors.
"""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "_build" / "current-sphinx"
NEEDED = [
    "sphinx",
    "myst-nb",
    "sphinx-book-theme",
    "sphinx-external-toc",
    "sphinx-multitoc-numbering",
    "sphinx-design",
    "sphinx-copybutton",
    "sphinxcontrib-bibtex",
    "sphinxext-opengraph",
    "latex2mathml",
    "ziamath",
    "fonttools",
    "tinycss2",
]

CONF = '''\
"""Written by tools/current_sphinx.py from _config.yml."""

import sys
from pathlib import Path

import yaml

root = Path(__file__).resolve().parents[2]
book = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
settings = book["sphinx"]["config"]
settings["extensions"] = [name for name in settings["extensions"] if name != "jupyter_book"]
for name in ("templates_path", "html_static_path"):
    settings[name] = [str(root / path) for path in settings[name]]
globals().update(settings)

sys.path.insert(0, str(root / "book" / "_ext"))
project = html_title = book["title"]
author, copyright = book["author"], book["copyright"]
html_theme = "sphinx_book_theme"
html_favicon = str(root / book["html"]["favicon"])
html_baseurl = book["html"]["baseurl"]
html_sourcelink_suffix = ""
html_theme_options |= {
    "repository_url": book["repository"]["url"],
    "repository_branch": book["repository"]["branch"],
    "launch_buttons": book["launch_buttons"],
    "home_page_in_toc": book["html"]["home_page_in_navbar"],
}
exclude_patterns = book["exclude_patterns"]
external_toc_path = str(root / "_toc.yml")
external_toc_exclude_missing = True
bibtex_bibfiles = [str(root / path) for path in book["bibtex_bibfiles"]]
myst_enable_extensions = book["parse"]["myst_enable_extensions"]
nb_execution_mode = book["execute"]["execute_notebooks"]
nb_execution_excludepatterns = book["execute"]["exclude_patterns"]
nb_execution_timeout = book["execute"]["timeout"]
nb_execution_show_tb = True
nb_output_stderr = book["execute"]["stderr_output"]
'''


def run(*command: object) -> None:
    words = [str(word) for word in command]
    print("+", " ".join(words), flush=True)
    subprocess.run(words, check=True, cwd=ROOT)


def main(arguments: list[str]) -> int:
    scripts = PLACE / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    if not scripts.exists():
        venv.create(PLACE / "venv", with_pip=True)
        # What pages run beyond the library: a class that is graded, a model of transformers.
        course = ".[pretrained]"
        run(
            scripts / "python",
            "-m",
            "pip",
            "install",
            "-q",
            "-e",
            course,
            "-e",
            "./grader",
            *NEEDED,
        )
    (PLACE / "conf.py").write_text(CONF, encoding="utf-8")
    settings = ["-D", "nb_execution_mode=off"] if arguments == ["--no-execute"] else []
    build = [scripts / "python", "-m", "sphinx", "-W", "-n", "--keep-going", "-c", PLACE]
    run(*build, *settings, ".", PLACE / "html")
    print(f"{PLACE.relative_to(ROOT)}/html/index.html: written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
