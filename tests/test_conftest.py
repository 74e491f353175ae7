"""The shape checking that every other test relies on is really on."""

import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest
import torch
from jaxtyping import TypeCheckError

import course_lib


def test_annotations_are_enforced():
    with pytest.raises(TypeCheckError):
        course_lib.scaled_dot_product_attention(*torch.ones(3, 2, 3, dtype=torch.int64))


def test_annotations_are_silent_for_a_user(as_a_user):
    with pytest.raises(TypeError, match="floating-point"):
        course_lib.scaled_dot_product_attention(*torch.ones(3, 2, 3, dtype=torch.int64))


def test_tests_of_one_group_share_a_worker(tmp_path):
    """pytest and pytest-xdist must fit each other, or groups are silently ignored."""
    module = tmp_path / "test_group.py"
    module.write_text(
        "import os, pytest\n"
        "@pytest.mark.xdist_group('one')\n"
        "@pytest.mark.parametrize('number', range(8))\n"
        "def test_where(number, record_property):\n"
        "    record_property('worker', os.environ['PYTEST_XDIST_WORKER'])\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "-q"]
    command += ["-c", os.devnull, f"--rootdir={tmp_path}", "--junitxml=result.xml", str(module)]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    workers = {
        found.get("value") for found in ElementTree.parse(tmp_path / "result.xml").iter("property")
    }
    assert len(workers) == 1
