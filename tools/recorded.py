"""For nbval: a notebook that the book's build has just run need not run again to be compared."""

from collections.abc import Iterator
from pathlib import Path

import nbformat
from jupyter_cache import get_cache
from nbformat import NotebookNode

from tools.execute import anywhere, cache_folder, is_cached, keyed


def recorded(path: Path, root: Path) -> NotebookNode | None:
    """The notebook as the build ran it, with this code and these versions; None if it did not."""
    folder = cache_folder(root / "_build")
    if not (folder.exists() and path.is_relative_to(root)):
        return None
    cache = get_cache(str(folder))
    if not is_cached(cache, root, str(path.relative_to(root).with_suffix(""))):
        return None
    record = cache.match_cache_notebook(keyed(root, nbformat.read(path, as_version=4)))
    return cache.get_cache_bundle(record.pk).nb


class Recorded:
    """What nbval asks of a kernel, answered from the outputs of a notebook that was run."""

    def __init__(self, notebook: NotebookNode) -> None:
        self._cells = iter([cell for cell in notebook.cells if cell.cell_type == "code"])
        self._messages: Iterator[dict] = iter(())

    def execute_cell_input(self, source: str, allow_stdin: bool = False) -> str:
        source = anywhere(source)
        cell = next(cell for cell in self._cells if cell.source == source)  # some are skipped
        messages = [(output.output_type, output) for output in cell.outputs]
        messages.append(("status", {"execution_state": "idle"}))
        self._messages = iter(
            [
                {"msg_type": kind, "content": content, "parent_header": {"msg_id": "recorded"}}
                for kind, content in messages
            ]
        )
        return "recorded"

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        return next(self._messages)

    def is_alive(self) -> bool:
        return True

    def await_reply(self, *_, **__) -> None: ...

    await_idle = interrupt = stop = await_reply
