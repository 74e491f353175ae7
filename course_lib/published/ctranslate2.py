"""The file of models that CTranslate2 runs: a list of named arrays, in one file or in parts of it.

    format (4 bytes), name and revision of the architecture, number of arrays
    for each array: its name, number of dimensions, each of them, its kind of number, its bytes

The format is written by `ctranslate2/specs/model_spec.py` of the project OpenNMT/CTranslate2.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

FORMAT = 6
Read = Callable[[int], bytes]
KINDS = (np.float32, np.int8, np.int16, np.int32, np.float16)


def read_arrays(parts: Sequence[str | Path]) -> dict[str, Tensor]:
    """All arrays of the file that `parts` make when one is put behind the other, by name.

    Numbers with a fraction become float32, one array after the other: beside what is returned,
    memory holds one array as it is stored. Arrays that have two names are listed once.

    Raises:
        ValueError: for another format, and for a file that ends too early.
    """
    with _joined(parts) as read:
        (version,) = _numbers(read, "I")
        if version != FORMAT:
            raise ValueError(f"{parts[0]} is of format {version}; read here is format {FORMAT}.")
        _name(read)  # the architecture
        _, count = _numbers(read, "II")  # its revision, and how many arrays there are
        return dict(_array(read) for _ in range(count))


@contextmanager
def _joined(parts: Sequence[str | Path]) -> Iterator[Read]:
    """A function that reads on in the first part, and then in those after it."""
    with ExitStack() as stack:
        opened = [stack.enter_context(Path(part).open("rb")) for part in parts]

        def read(size: int) -> bytes:
            found = opened[0].read(size)
            while len(found) < size and len(opened) > 1:
                opened.pop(0)
                found += opened[0].read(size - len(found))
            if len(found) < size:
                missing = size - len(found)
                raise ValueError(f"{parts[-1]} ends too early: {missing} bytes are missing.")
            return found

        yield read


def _array(read: Read) -> tuple[str, Tensor]:
    name = _name(read)
    shape = _numbers(read, "I" * _numbers(read, "B")[0])
    kind, size = _numbers(read, "BI")
    stored = np.frombuffer(read(size), KINDS[kind]).reshape(shape)
    floats = np.issubdtype(stored.dtype, np.floating)
    return name, torch.from_numpy(stored.astype(np.float32) if floats else stored.copy())


def _numbers(read: Read, kinds: str) -> tuple[Any, ...]:
    layout = "<" + kinds
    return struct.unpack(layout, read(struct.calcsize(layout)))


def _name(read: Read) -> str:
    return read(*_numbers(read, "H"))[:-1].decode()
