"""What a cell may see: the two copied folders, all of them and nothing else of ours."""

import subprocess
import sys

import pytest

from grader.sandbox import filesystem
from grader.sandbox.seccomp import ALLOWED, OPEN_MODE, FilterError, compile_filter

FORBIDDEN = {"fork", "vfork", "clone", "clone3", "execve", "socket", "ptrace", "io_uring_setup"}
FORBIDDEN |= {"kill", "tgkill", "prlimit64", "flock", "keyctl", "memfd_create", "ioctl", "prctl"}


def test_a_cell_runs_in_its_tree_alone(tmp_path):
    filesystem.build_root(tmp_path)
    site = [str(place.parent) for place in filesystem.site_entries().values()]
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; sys.path += {sorted(set(site))!r}\n"
        "import grader.sandbox.inside.worker, grader.sandbox.inside.cell\n"
        "for name in 'course_lib.formulas', 'course_lib.checker.tasks', 'grader.gradebook':\n"
        "    try:\n        __import__(name)\n"
        "    except ModuleNotFoundError:\n        print('hidden')"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.stdout.strip().split() == ["hidden"] * 3, done.stderr


def test_nothing_with_solutions_is_among_the_packages():
    names = set(filesystem.site_entries())
    assert {"numpy", "torch"} <= names and not any("course" in name for name in names)


def test_the_filter_is_an_allow_list_without_the_dangerous_calls():
    assert not FORBIDDEN & set(ALLOWED)
    assert OPEN_MODE & 0o3 and OPEN_MODE & 0o100  # no writing, no creating
    try:
        program = compile_filter()
    except FilterError:
        pytest.skip("libseccomp is not installed")
    assert program and len(program) % 8 == 0


def test_a_closed_folder_is_left_out_of_what_is_opened_around_it(tmp_path):
    for name in (
        "lib/json",
        "lib/site-packages/course_lib",
        "lib/deep/dist-packages",
        "lib/deep/x",
    ):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "lib/os.py").touch()
    (tmp_path / "lib/link").symlink_to(tmp_path / "lib/site-packages")
    (tmp_path / "also").symlink_to(tmp_path / "lib")
    closed = [tmp_path / "lib/site-packages", tmp_path / "lib/deep/dist-packages"]
    places = [tmp_path / "lib", tmp_path / "also", closed[0] / "course_lib"]
    read, listed = filesystem.without(places, closed)
    names = [place.relative_to(tmp_path).as_posix() for place in read]
    assert names == ["lib/deep/x", "lib/json", "lib/os.py"]
    assert [place.relative_to(tmp_path).as_posix() for place in listed] == ["lib", "lib/deep"]
    assert filesystem.without([tmp_path / "lib/json"], closed) == ([tmp_path / "lib/json"], [])
