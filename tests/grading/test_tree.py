"""What a cell may see: the modules it runs on, all of them and no others."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.grading import tree
from course_lib.grading.syscalls import ALLOWED, OPEN_MODE, FilterError, compile_filter

HERE = Path(tree.__file__).parent
FORBIDDEN = {"fork", "vfork", "clone", "clone3", "execve", "socket", "ptrace", "io_uring_setup"}
FORBIDDEN |= {"kill", "tgkill", "prlimit64", "flock", "keyctl", "memfd_create", "ioctl", "prctl"}


def imported(name):
    """The modules of `course_lib` that one of the tree's modules imports."""
    nodes = ast.walk(ast.parse((HERE / f"{name}.py").read_text(encoding="utf-8")))
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    found = {n.module for n in froms if n.module and n.module.startswith("course_lib.grading.")}
    found |= {
        f"{n.module}.{a.name}" for n in froms if n.module == "course_lib.grading" for a in n.names
    }
    return {name.removeprefix("course_lib.grading.") for name in found}


@pytest.mark.parametrize("name", tree.MODULES)
def test_every_module_of_a_cell_finds_what_it_imports(name):
    assert imported(name) <= set(tree.MODULES)


def test_a_cell_runs_in_its_tree_alone(tmp_path):
    tree.build_tree(tmp_path)
    site = [str(place.parent) for place in tree.site_entries().values()]
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; sys.path += {sorted(set(site))!r}\n"
        "import course_lib.grading.worker, course_lib.grading.cell\n"
        "try:\n    import course_lib.softmax\n"
        "except ModuleNotFoundError:\n    print('hidden')"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "hidden", done.stderr


def test_nothing_with_solutions_is_among_the_packages():
    names = set(tree.site_entries())
    assert {"numpy", "torch"} <= names and not any("course" in name for name in names)


def test_the_filter_is_an_allow_list_without_the_dangerous_calls():
    assert not FORBIDDEN & set(ALLOWED)
    assert OPEN_MODE & 0o3 and OPEN_MODE & 0o100  # no writing, no creating
    try:
        program = compile_filter()
    except FilterError:
        pytest.skip("libseccomp is not installed")
    assert program and len(program) % 8 == 0
