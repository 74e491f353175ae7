"""GGUF, the file of quantized models: numbers of four and eight bits back to float32.

A block of 32 weights is kept as small integers q and one or two float16 numbers:

    Q8_0    w = d · q          q from −128 to 127 in a byte each: 34 bytes for 32 weights
    Q4_1    w = d · q + m      q from 0 to 15, two in a byte:     20 bytes for 32 weights

The header is read by the format's own library; these two formulas are its, in torch.

The format is described in docs/gguf.md of the project ggml.
"""

from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float32, UInt8
from torch import Tensor

BLOCK = 32


def q8_0(rows: UInt8[Tensor, "n bytes"]) -> Float32[Tensor, "n width"]:
    """Rows of blocks: d in float16, then 32 signed bytes."""
    blocks = rows.unflatten(1, (-1, 2 + BLOCK))  # (n, blocks, 34)
    d = blocks[..., :2].contiguous().view(torch.float16).float()
    return (blocks[..., 2:].view(torch.int8) * d).flatten(1)


def q4_1(rows: UInt8[Tensor, "n bytes"]) -> Float32[Tensor, "n width"]:
    """Rows of blocks: d and m in float16, then 16 bytes.

    The lower half of byte i is weight i, the upper half weight i + 16.
    """
    blocks = rows.unflatten(1, (-1, 4 + BLOCK // 2))  # (n, blocks, 20)
    d, m = blocks[..., :4].contiguous().view(torch.float16).float().chunk(2, dim=-1)
    packed = blocks[..., 4:]
    q = torch.cat([packed & 15, packed >> 4], dim=-1)  # (n, blocks, 32)
    return (q * d).add_(m).flatten(1)  # in place: no second array of this size


UNPACK = {"Q8_0": q8_0, "Q4_1": q4_1}


class GGUFFile:
    """A file in this format: what its header says, and its tensors.

    Args:
        path: the file. It stays mapped, so that only what is asked for is read.
    """

    def __init__(self, path: str | Path) -> None:
        from gguf import GGUFReader  # 0.1 s, and only whoever loads a model needs it

        self._reader = GGUFReader(str(path), "c")  # copy on write: torch asks for writable memory
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}

    def field(self, name: str) -> Any:
        """A setting of the header, as "llama.block_count" or "tokenizer.ggml.tokens".

        Raises:
            KeyError: when the header has no such field.
        """
        found = self._reader.get_field(name)
        if found is None:
            raise KeyError(f"the header has no field {name!r}; it has {sorted(self.fields())}.")
        return found.contents()

    def fields(self) -> list[str]:
        """The names of all settings."""
        return list(self._reader.fields)

    def names(self) -> list[str]:
        """The names of all tensors."""
        return list(self._tensors)

    def packed(self, name: str) -> tuple[Tensor, str]:
        """A tensor as it is stored, rows of bytes (or of float32), and the name of its format."""
        if name not in self._tensors:
            raise KeyError(
                f"the file has no tensor {name!r}; it has {sorted(self._tensors)[:8]}, …"
            )
        tensor = self._tensors[name]
        return torch.from_numpy(tensor.data), tensor.tensor_type.name

    def tensor(self, name: str) -> Float32[Tensor, "..."]:
        """A tensor in float32.

        Raises:
            ValueError: for a format other than Q8_0, Q4_1 and float32.
        """
        stored, kind = self.packed(name)
        if kind == "F32":
            return stored.clone()  # not a view of the file
        if kind not in UNPACK:
            raise ValueError(
                f"{name} is stored as {kind}; read here are F32, {', '.join(UNPACK)}. Quantize the "
                "model to one of these, or take gguf.dequantize."
            )
        return UNPACK[kind](stored)
