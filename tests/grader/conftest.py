"""The sandbox and the locks of gradebooks need Linux: elsewhere these tests are not collected."""

import sys

import pytest

PIPELINE = ("collected", "killed", "labs_in_class", "marks", "run", "show")
LINUX = ["hostile", "term", "packages/test_hosted_nightly.py", "sandbox/test_sandbox.py"]
LINUX += [f"pipeline/test_{name}.py" for name in PIPELINE]
collect_ignore = [] if sys.platform.startswith("linux") else LINUX


@pytest.fixture(autouse=True)
def without_annotations(as_a_user):
    """A class is graded as a student sees the checker: its annotations are checked elsewhere."""
