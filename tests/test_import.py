"""`import course_lib` brings the public names and nothing heavy."""

import subprocess
import sys

import pytest

import course_lib


def test_nothing_but_itself_and_the_standard_library_comes_with_it():
    script = (
        "import sys; before = set(sys.modules); import course_lib; "
        "print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert set(done.stdout.split()) - sys.stdlib_module_names == {"course_lib"}, done.stderr


def test_every_public_name_is_there():
    for name in course_lib.__all__:
        assert callable(getattr(course_lib, name)) and getattr(course_lib, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'attention_is_all'"):
        _ = course_lib.attention_is_all
