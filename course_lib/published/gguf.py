"""GGUF, the file of quantized models: numbers of four, eight and sixteen bits back to float32.

A block of 32 weights is kept as small integers q and one or two float16 numbers:

    Q8_0    w = d · q          q from −128 to 127 in a byte each: 34 bytes for 32 weights
    Q4_0    w = d · (q − 8)    q from 0 to 15, two in a byte:     18 bytes for 32 weights
    Q4_1    w = d · q + m      q from 0 to 15, two in a byte:     20 bytes for 32 weights

F32, F16 and BF16 keep each weight as it is. The header is read by the format's own library; these
formulas are its, in torch.

The format is described in docs/gguf.md of the project ggml.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float32, UInt8
from torch import Tensor

BLOCK = 32
MAGIC = b"GGUF"
# How a file begins that is often saved in a model's place, and what it is.
OTHER_FILES = {
    b"<": "It is a web page: the download met a login or the page of the file. Save the raw file.",
    b"version https://git-lfs": "It is a Git LFS pointer, not the file: run git lfs pull.",
    b"PK": "It is a zip archive: unpack it.",
}


def q8_0(rows: UInt8[Tensor, "... bytes"]) -> Float32[Tensor, "... width"]:
    """Rows of blocks: d in float16, then 32 signed bytes."""
    d, q = _blocks(rows, 2, BLOCK)
    return (q.view(torch.int8) * d).flatten(-2)


def q4_0(rows: UInt8[Tensor, "... bytes"]) -> Float32[Tensor, "... width"]:
    """Rows of blocks: d in float16, then 16 bytes of halves."""
    d, packed = _blocks(rows, 2, BLOCK // 2)
    return ((_halves(packed).view(torch.int8) - 8) * d).flatten(-2)


def q4_1(rows: UInt8[Tensor, "... bytes"]) -> Float32[Tensor, "... width"]:
    """Rows of blocks: d and m in float16, then 16 bytes of halves."""
    numbers, packed = _blocks(rows, 4, BLOCK // 2)
    d, m = numbers.chunk(2, dim=-1)
    return (_halves(packed) * d).add_(m).flatten(-2)  # in place: no second array of this size


def bf16(rows: UInt8[Tensor, "... bytes"]) -> Float32[Tensor, "... width"]:
    """Two bytes for a weight: the upper half of a float32."""
    return rows.contiguous().view(torch.bfloat16).float()


def _blocks(rows: Tensor, numbers: int, integers: int) -> tuple[Tensor, Tensor]:
    """The float16 numbers of each block in float32, and the bytes that follow: (..., blocks, ·)."""
    blocks = rows.unflatten(-1, (-1, numbers + integers))
    first = blocks[..., :numbers].contiguous().view(torch.float16).float()
    return first, blocks[..., numbers:].contiguous()


def _halves(packed: Tensor) -> Tensor:
    """Two integers of each byte: the lower half of byte i is weight i, the upper weight i + 16."""
    return torch.cat([packed & 15, packed >> 4], dim=-1)  # (..., blocks, 32)


UNPACK = {"BF16": bf16, "Q8_0": q8_0, "Q4_0": q4_0, "Q4_1": q4_1}
PLAIN = ("F32", "F16")  # NumPy knows them, too


class GGUFFile:
    """A file in this format: what its header says, and its tensors.

    Args:
        path: the file. It stays mapped, so that only what is asked for is read.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for another file, and one that was cut off; the sentence names it.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with self.path.open("rb") as opened:
            _check_beginning(self.path, opened.read(32))
        try:
            self._reader = _reader(str(path))
        # What the library raises depends on where the bytes end, or are not what they should be.
        except (ValueError, LookupError, ArithmeticError, TypeError) as error:
            raise ValueError(
                f"{self.path} is not whole: it begins as a GGUF file and cannot be read to its end "
                f"({error}). It was cut off or changed: fetch it again."
            ) from error
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}

    def field(self, name: str) -> Any:
        """A setting of the header, as "llama.block_count" or "tokenizer.ggml.tokens".

        Raises:
            KeyError: when the header has no such field.
        """
        found = self._reader.get_field(name)
        if found is None:
            raise KeyError(
                f"the header of {self.path} has no field {name!r}; it has {sorted(self.fields())}."
            )
        return found.contents()

    def fields(self) -> list[str]:
        """The names of all settings."""
        return list(self._reader.fields)

    def names(self) -> list[str]:
        """The names of all tensors."""
        return list(self._tensors)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape that a tensor has when it is read, as PyTorch writes it."""
        return tuple(int(n) for n in reversed(self._tensor(name).shape))

    def packed(self, name: str) -> tuple[Tensor, str]:
        """A tensor as it is stored, rows of bytes (or of floats), and the name of its format."""
        tensor = self._tensor(name)
        return torch.from_numpy(tensor.data), tensor.tensor_type.name

    def tensor(self, name: str) -> Float32[Tensor, "..."]:
        """A tensor in float32.

        Raises:
            KeyError: when the file has no such tensor.
            ValueError: for a format other than F32, F16, BF16, Q8_0, Q4_0 and Q4_1.
        """
        stored, kind = self.packed(name)
        if kind in PLAIN:
            return stored.to(torch.float32, copy=True)  # not a view of the file
        if kind not in UNPACK:
            raise ValueError(
                f"{name} of {self.path} is stored as {kind}; read here are "
                f"{', '.join([*PLAIN, *UNPACK])}. Quantize the model to one of these, or take "
                "gguf.dequantize."
            )
        return UNPACK[kind](stored)

    def _tensor(self, name: str) -> Any:
        if name not in self._tensors:
            raise KeyError(
                f"{self.path} has no tensor {name!r}; it has {sorted(self._tensors)[:8]}, …"
            )
        return self._tensors[name]


def _reader(path: str) -> Any:
    """The library's reader, over a plain array.

    It cuts a header with a vocabulary into 250,000 slices. Those of a mapped array are objects with
    a history, which takes five seconds; those of a plain one over the same bytes take one.
    """
    from gguf import GGUFReader  # 0.1 s, and only whoever loads a model needs it

    class PlainReader(GGUFReader):
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, np.asarray(value) if name == "data" else value)

    return PlainReader(path, "c")  # copy on write: torch asks for it


def _check_beginning(path: Path, first: bytes) -> None:
    """Refuse what does not begin as a GGUF file, with what it is instead, if that is known."""
    if first.startswith(MAGIC):
        return
    if not first:
        raise ValueError(f"{path} is empty: the download did not arrive.")
    known = (said for start, said in OTHER_FILES.items() if first.lstrip().startswith(start))
    said = next(known, f"It begins with {first[:4]!r} in place of {MAGIC!r}.")
    raise ValueError(f"{path} is no GGUF file. {said}")
