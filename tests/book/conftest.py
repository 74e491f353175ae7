"""The book's own Sphinx extensions can be imported, and speak English, as in a build."""

import sys
from pathlib import Path

from sphinx.locale import init

sys.path.append(str(Path(__file__).parents[2] / "book" / "_ext"))
init([], "en")
