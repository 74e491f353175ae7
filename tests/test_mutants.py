"""`python -m tools.mutants` draws faults, tries each and names the one that no test finds."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutants import changes

ROOT = Path(__file__).parents[1]
CODE = '''
def clipped(x, most: int = 3):
    """At most 3 > 2."""
    if x < 0:
        raise ValueError(f"{x + 1}" + "!")
    return most if x >= most else x


def unseen(x):
    return x * 2
'''
TESTS = """
import pytest
from code_room.clip import clipped

def test_clipped():
    assert [clipped(x) for x in (0, 1, 2, 3, 4)] == [0, 1, 2, 3, 3]
    with pytest.raises(ValueError):
        clipped(-1)
"""
RUN = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tools import mutants
mutants.ROOT, mutants.TESTS = Path.cwd(), {{"code_room": ("tests",)}}
mutants.main(["99", "--limit", "20"])
"""


def test_what_is_computed_is_changed_and_what_an_error_says_is_not():
    tree = ast.parse(CODE)
    found = []
    for number in range(len(list(changes(tree)))):
        tree = ast.parse(CODE)
        node, field, new = list(changes(tree))[number]
        setattr(node, field, new)
        found.append(ast.unparse(ast.fix_missing_locations(node)).partition("\n")[0])
    assert sorted(found) == sorted(
        ["if not x < 0:", "x <= 0", "1", "most if not x >= most else x", "x > most", "x / 2", "3"]
    )


@pytest.mark.skipif(sys.platform == "win32", reason="it forks")
def test_each_room_has_its_count_and_the_survivors_are_named(tmp_path):
    for place, text in {"code_room/clip.py": CODE, "tests/test_clip.py": TESTS}.items():
        (tmp_path / place).parent.mkdir()
        (tmp_path / place).write_text(text, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers =\n    nightly\n    slow\npythonpath = ."
    )
    words = [sys.executable, "-c", RUN.format(root=str(ROOT))]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    _, head, row, *survivors = done.stdout[done.stdout.index("\nroom") :].splitlines()
    assert head.split() == ["room", "drawn", "killed", "over", "the", "limit", "survived"]
    name, drawn, killed, over, survived = row.split()
    assert (name, int(drawn), int(over)) == ("code_room", 7, 0)
    assert int(killed) + int(survived) == 7 and int(survived) == len(survivors)
    assert any("x * 2  ->  x / 2" in line for line in survivors)
    assert not any("x < 0" in line and "not" in line for line in survivors)
