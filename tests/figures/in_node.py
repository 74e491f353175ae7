"""The script of the reader's own sentence, run where there is no page."""

import json
import shutil
import subprocess

import pytest

from course_lib.figures.moving.figure import modules, script


def in_node(code: str, given: object) -> object:
    """What the figure's script, without its figure, returns as JSON; `given` is what it gets."""
    if shutil.which("node") is None:
        pytest.skip("no node on this machine")
    parts = "\n".join(script(name) for name in modules("own-sentence")[:-1])
    source = f"{parts}\nconst given = JSON.parse(require('fs').readFileSync(0));\n"
    source += f"console.log(JSON.stringify((() => {{ {code} }})()));"
    done = subprocess.run(
        ["node", "-e", source], input=json.dumps(given), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
