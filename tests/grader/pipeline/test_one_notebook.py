"""`attn grade ONE.ipynb`: what a person runs who looks at one submission."""

import json

import pytest

from course_lib.cli import main
from tests.grader.pipeline.test_command import LINUX, SOLUTION

pytestmark = [LINUX, pytest.mark.slow, pytest.mark.xdist_group("graders")]


def test_one_notebook_is_graded_in_the_sandbox_and_its_report_printed(tmp_path, capsys):
    """Where `attn check` would run a stranger's code here, and says so."""
    mark = tmp_path / "written"
    harm = f"open({str(mark)!r}, 'w')\n"
    content = json.loads(SOLUTION.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        if cell["metadata"].get("task") == "softmax":
            cell["source"] = "def softmax(scores, axis=-1):\n    " + harm + "    return scores\n"
    (tmp_path / "any name.ipynb").write_text(json.dumps(content))
    assert main(["grade", str(tmp_path / "any name.ipynb"), "--memory", "400"]) == 0
    printed = capsys.readouterr()
    assert "01_softmax: " in printed.out and "softmax: 0 of 3 points" in printed.out
    assert not mark.exists() and [path.name for path in tmp_path.iterdir()] == ["any name.ipynb"]
    assert main(["grade", str(tmp_path)]) == 2
    assert "Say with --out where the gradebook is kept" in capsys.readouterr().err
    assert main(["check", str(SOLUTION)]) == 0
    assert "without a sandbox" in capsys.readouterr().err
