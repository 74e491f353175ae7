"""One bounded frame of plain data and arrays: what travels into a sandboxed process and back out.

    frame = magic (4) · header length (4) · arrays length (4) · header (JSON) · arrays (raw bytes)

There is no pickle and no code in it. A value is a JSON tree of tagged nodes; an array node holds
its dtype, its shape and nothing else: the numbers follow in order, one after the other. Sizes are
checked before anything is read, and every fault is a `FrameError`: what comes out of a cell was
written by a stranger.
"""

import json
import math
import struct
from dataclasses import fields
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import (
    MAX_KEYS,
    Array,
    Candidate,
    Inputs,
    LookupStep,
    Observation,
    Opaque,
    Transposed,
    Verdict,
    is_key,
)
from course_lib.checker.run.values import MAX_DEPTH

MAGIC = b"CELL"
PREFIX = struct.Struct("<4sII")
MAX_HEADER = 4 << 20
MAX_ARRAYS = 32 << 20
MAX_FRAME = PREFIX.size + MAX_HEADER + MAX_ARRAYS
MAX_NODES = 100_000
MAX_ALL_KEYS = 20_000  # of all sets and dictionaries of a frame
MAX_RANK = 16
MAX_INT_TEXT = 40
DTYPES = frozenset(
    ["bool", "float16", "float32", "float64"]
    + [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
)
DTYPE_NAMES = {np.dtype(name): name for name in DTYPES}
RECORDS: dict[str, Any] = {kind.__name__: kind for kind in (Array, Opaque, Transposed, LookupStep)}
RECORDS |= {kind.__name__: kind for kind in (Inputs, Observation, Candidate, Verdict)}
TAGS = {tuple: "t", list: "l", set: "s"}
KINDS = {tag: kind for kind, tag in TAGS.items()}


class FrameError(ValueError):
    """These bytes are not one valid frame."""


def encode(value: Any) -> bytes:
    """The frame of a value. Raises FrameError when it is too large or not plain data."""
    arrays: list[bytes] = []
    header = json.dumps(_pack(value, arrays)).encode("ascii")
    body = b"".join(arrays)
    if len(header) > MAX_HEADER or len(body) > MAX_ARRAYS:
        raise FrameError("the value is too large for one frame")
    return PREFIX.pack(MAGIC, len(header), len(body)) + header + body


def frame_length(prefix: bytes) -> int:
    """The whole frame's length, from its first `PREFIX.size` bytes."""
    if len(prefix) != PREFIX.size:
        raise FrameError("the frame ends before its prefix does")
    magic, header, body = PREFIX.unpack(prefix)
    if magic != MAGIC or header > MAX_HEADER or body > MAX_ARRAYS:
        raise FrameError("the frame's prefix is not one of ours")
    return PREFIX.size + header + body


def decode(frame: bytes) -> Any:
    """The value of a frame. Raises FrameError, and nothing else, for any other bytes."""
    if len(frame) != frame_length(frame[: PREFIX.size]):
        raise FrameError("the frame is cut short or has trailing bytes")
    header_end = PREFIX.size + PREFIX.unpack(frame[: PREFIX.size])[1]
    try:
        tree = json.loads(frame[PREFIX.size : header_end].decode("ascii"))
        reader = _Reader(frame, header_end)
        value = reader.unpack(tree, 3 * MAX_DEPTH)
    except FrameError:
        raise
    except Exception as error:  # RecursionError, ValueError, OverflowError, …: all the same to us
        raise FrameError(f"the frame cannot be read ({type(error).__name__})") from None
    if reader.at != len(frame):
        raise FrameError("the frame holds more bytes than its arrays need")
    return value


def _pack(value: Any, arrays: list[bytes]) -> Any:
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        return ["x", value]
    if kind is int:
        if value.bit_length() > 128:
            raise FrameError("an integer has too many digits")
        return ["i", hex(value)] if value.bit_length() > 62 else value
    if kind is float:
        return ["f", value.hex()]
    if kind in TAGS:
        return [TAGS[kind], *(_pack(item, arrays) for item in value)]
    if kind is dict:
        return ["d", *([_pack(k, arrays), _pack(v, arrays)] for k, v in value.items())]
    if kind is np.ndarray:
        native = value.dtype.newbyteorder("=")
        if name := DTYPE_NAMES.get(native):  # looked up: numpy spells a name out at every request
            arrays.append(np.ascontiguousarray(value, native).tobytes())
            return ["a", name, list(value.shape)]
    record = RECORDS.get(kind.__name__)
    if record is not None and record is kind:
        sent = [f.name for f in fields(record) if f.name != "kept"]
        return ["r", kind.__name__, *(_pack(getattr(value, name), arrays) for name in sent)]
    raise FrameError(f"a {kind.__name__} is not plain data")


class _Reader:
    """Walks the header's tree and takes the arrays' bytes in order."""

    def __init__(self, frame: bytes, at: int) -> None:
        self.frame = frame
        self.at = at
        self.nodes = 0
        self.keys = 0

    def unpack(self, node: Any, depth: int) -> Any:
        self.nodes += 1
        if depth < 0 or self.nodes > MAX_NODES:
            raise FrameError("the value is too deep or too long")
        if type(node) is not list:
            if node is None or type(node) is bool or (type(node) is int and abs(node) < 2**63):
                return node
            raise FrameError("a bare text or fraction where a tagged node is needed")
        tag, *rest = node
        match tag:
            case "x" | "i" | "f":
                return self._scalar(tag, *rest)
            case "t" | "l":
                return KINDS[tag](self.unpack(item, depth - 1) for item in rest)
            case "s":
                return set(self._keys(rest, depth))
            case "d":
                keys = self._keys([key for key, _ in rest], depth)
                if not all(type(key) is str for key in keys):
                    raise FrameError("a key is no text")
                return dict(zip(keys, (self.unpack(v, depth - 1) for _, v in rest), strict=True))
            case "a":
                return self._array(*rest)
            case "r":
                name, *parts = rest
                return RECORDS[name](*(self.unpack(part, depth - 1) for part in parts))
        raise FrameError("an unknown tag")

    def _keys(self, nodes: list, depth: int) -> list:
        """What a set or a dictionary hashes: few and short, or it would take minutes to build."""
        self.keys += len(nodes)
        if len(nodes) > MAX_KEYS or self.keys > MAX_ALL_KEYS:
            raise FrameError("a set or a dictionary is too long")
        keys = [self.unpack(node, depth - 1) for node in nodes]
        if not all(map(is_key, keys)):
            raise FrameError("a member of a set is no scalar")
        return keys

    def _scalar(self, tag: str, text: str) -> Any:
        if type(text) is not str or (tag != "x" and len(text) > MAX_INT_TEXT):
            raise FrameError("a scalar's text is not one")
        if tag == "x":
            return text
        return int(text, 16) if tag == "i" else float.fromhex(text)

    def _array(self, dtype: str, shape: list) -> np.ndarray:
        if dtype not in DTYPES or type(shape) is not list or len(shape) > MAX_RANK:
            raise FrameError("not an array's dtype or shape")
        if not all(type(n) is int and 0 <= n <= MAX_ARRAYS for n in shape):
            raise FrameError("an axis is not a length")
        kind = np.dtype(dtype)
        end = self.at + math.prod(shape) * kind.itemsize
        if end > len(self.frame):
            raise FrameError("an array is longer than the frame")
        data = np.frombuffer(self.frame, kind, math.prod(shape), self.at).reshape(shape)
        self.at = end
        if dtype == "bool":
            return np.asarray(data.view(np.uint8) != 0)  # a stranger's bool may hold any byte
        return data.copy()  # its own memory, writable, and the frame can go
