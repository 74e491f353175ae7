"""Notebooks whose file, and not whose answer, is hostile: `name → write(folder)`."""

import json
import os
import socket

from tests.grader.hostile.exercise import GOOD_TARGET, STEM, code, notebook

FILE = f"{STEM}.ipynb"


def raw(data):
    return lambda folder: (folder / FILE).write_bytes(data)


def _socket(folder):
    here = os.getcwd()
    os.chdir(folder)  # a socket's path may have 107 characters only
    try:
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(FILE)
    finally:
        os.chdir(here)


def _cells(*cells):
    return raw(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode())


UNREADABLE = {
    "empty": raw(b""),
    "not JSON": raw(b"{"),
    "another JSON": raw(b"[1, 2]"),
    "a null": raw(b"null"),
    "no cells": raw(b"{}"),
    "cells are text": raw(b'{"cells": "x"}'),
    "deep": raw(b"[" * 100_000),
    "deep objects": raw(b'{"a":' * 100_000),
    "many lists": raw(b"[" + b"[]," * 400_000 + b"[]]"),
    "a long number": raw(b'{"cells": [' + b"1" * 10_000 + b"]}"),
    "sixty megabytes": raw(b'{"cells": [], "x": "' + b"x" * 60_000_000 + b'"}'),
    "UTF-16": raw(notebook(GOOD_TARGET).decode().encode("utf-16")),
    "not text": raw(bytes(range(256)) * 99),
    "a link": lambda folder: (folder / FILE).symlink_to(f"../good/{FILE}"),
    "a link to nothing": lambda folder: (folder / FILE).symlink_to("/nowhere"),
    "a link to a device": lambda folder: (folder / FILE).symlink_to("/dev/zero"),
    "a pipe": lambda folder: os.mkfifo(folder / FILE),
    "a folder": lambda folder: (folder / FILE).mkdir(),
    "a socket": _socket,
}
MISSING = {
    "no answers": _cells(),
    "cells are numbers": _cells(1, None, []),
    "sources are numbers": _cells(code(5, "target"), code([1], "target")),
    "metadata is text": _cells(code("x = 1", "target") | {"metadata": "answer"}),
    "tasks are lists": _cells(code("x = 1") | {"metadata": {"task": ["target"]}}),
    "a huge source": _cells(code("#" * 300_000 + GOOD_TARGET, "target")),
}
