"""Compile kernels for cards that need not be here: rows of what is asked on stdin, JSON out.

A process of its own: the tests' shape checking and interpreter must be off.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from course_lib.kernels import additive_triton, flash_triton

TYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32"}
KERNELS = {
    "forward": flash_triton._forward,
    "backward_queries": flash_triton._backward_queries,
    "backward_keys": flash_triton._backward_keys,
    "additive_forward": additive_triton._forward,
    "additive_backward": additive_triton._backward,
}
TENSORS = ["q", "k", "v", "v_a", "values", "d_out"]
NUMBERS = ["T", "S", "H", "G", "a", "d_v", "span", "mask_n", "mask_t", "mask_s"]


def compiled(kernel: str, dtype: str, card: int, constants: dict[str, object]) -> dict[str, int]:
    """Bytes of shared memory, registers of a thread, and bytes of its stack, which are spills."""
    function = KERNELS[kernel]
    options = {name: constants.pop(name) for name in ("num_warps", "num_stages")}
    half = [*TENSORS, *(["out", "dq", "dk", "dv"] if "additive" not in kernel else [])]
    signature, attributes = {}, {}
    for i, name in enumerate(function.arg_names):
        if name in constants:
            signature[name] = "constexpr"
        elif name.endswith("strides"):
            signature[name] = ("i32",) * 3
            attributes |= {(i, j): [["tt.divisibility", 16]] for j in range(3)}
        elif name in NUMBERS:
            signature[name] = "i32"
        elif name == "scale":
            signature[name] = "fp32"
        else:
            signature[name] = "*u8" if name == "mask" else "*" + (dtype if name in half else "fp32")
            attributes[(i,)] = [["tt.divisibility", 16]]  # what torch allocates is aligned
    places = {(function.arg_names.index(name),): value for name, value in constants.items()}
    source = ASTSource(function, signature, places, attributes)
    result = triton.compile(source, target=GPUTarget("cuda", card, 32), options=options)
    tool = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(result.asm["cubin"])
        file.flush()
        command = [tool, "-res-usage", file.name]
        usage = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    registers, stack = re.search(r"REG:(\d+) STACK:(\d+)", usage).groups()
    return {"shared": result.metadata.shared, "registers": int(registers), "stack": int(stack)}


for kernel, dtype, card, constants in json.load(sys.stdin):
    row = compiled(kernel, TYPES[dtype], card, constants)
    print(json.dumps([kernel, dtype, card, row]), flush=True)
