"""What nbval is given for a notebook that the build has run."""

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tools.execute import cache_folder, keyed
from tools.recorded import Recorded, recorded

METADATA = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}


def build(root, source):
    """A folder whose build has run one notebook of two cells; the notebook as it was run."""
    (root / "constraints.txt").write_text("")
    path = root / "page.ipynb"
    notebook = new_notebook(
        cells=[new_code_cell("skipped()"), new_code_cell(source)], metadata=METADATA
    )
    nbformat.write(notebook, path)
    notebook.cells[1].outputs = [new_output("stream", name="stdout", text="2\n")]
    cache = get_cache(str(cache_folder(root / "_build")))
    bundle = CacheBundleIn(keyed(root, notebook), str(path), data={"failure": ""})
    cache.cache_notebook_bundle(bundle, check_validity=False)
    return path


def test_a_run_is_told_message_by_message(tmp_path):
    kernel = Recorded(recorded(build(tmp_path, "print(1 + 1)"), tmp_path))
    kernel.execute_cell_input("print(1 + 1)")
    printed, idle = kernel.get_message("iopub"), kernel.get_message("iopub")
    assert printed["msg_type"] == "stream" and printed["content"]["text"] == "2\n"
    assert idle["content"]["execution_state"] == "idle"


def test_other_cells_and_other_folders_have_no_run(tmp_path):
    path = build(tmp_path, "print(1 + 1)")
    assert recorded(path, tmp_path / "elsewhere") is None
    nbformat.write(new_notebook(cells=[new_code_cell("print(1 + 2)")], metadata=METADATA), path)
    assert recorded(path, tmp_path) is None


def test_a_run_holds_for_every_address(tmp_path):
    source = 'COURSE_ZIP = ""\nprint(1 + 1)'
    path = build(tmp_path, source)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].source = source.replace('""', '"https://example.org/main.zip"')
    nbformat.write(notebook, path)
    kernel = Recorded(recorded(path, tmp_path))
    kernel.execute_cell_input(notebook.cells[1].source)
    assert kernel.get_message("iopub")["content"]["text"] == "2\n"
