"""An answer that trains does not wait for torch's compiler, and one that asks for it gets it."""

import subprocess
import sys

HEAD = """
import sys, torch
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Inputs
import numpy as np
add_group = torch.optim.Optimizer.add_param_group.__wrapped__
inputs = Inputs((np.ones(3),))
"""
TRAINS = """
def answer(x, optimizer=torch.optim.SGD):
    weight = x.clone().requires_grad_()
    optimizer = optimizer([weight], lr=0.5)
    optimizer.zero_grad()
    (2 * weight).sum().backward()
    optimizer.step()
    return weight.detach()
"""


def run(text: str) -> str:
    command = [sys.executable, "-c", HEAD + text]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_optimizers_do_not_import_the_compiler():
    text = """
for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
    seen = execute(lambda x: answer(x, kind), inputs, "torch")
    assert not seen.error, seen
print(execute(answer, inputs, "torch").value.data, "torch._dynamo" in sys.modules,
      "__dynamo_disable" in vars(add_group))
"""
    assert run(TRAINS + text) == "[0. 0. 0.] False False"


def test_gradients_of_functions_do_not_import_the_compiler():
    text = """
def answer(x):
    square = lambda x: (x * x).sum()
    grad, (_, vjp) = torch.func.grad(square)(x), torch.func.vjp(square, x)
    rows = torch.func.jacrev(lambda x: x * x)(x).diag()
    return torch.stack([grad, *vjp(torch.ones(())), rows, torch.func.hessian(square)(x).diag()])
seen = execute(answer, inputs, "torch")
print(seen.error, seen.message, seen.value.data.tolist(), "torch._dynamo" in sys.modules)
"""
    assert run(text) == f"None  {[[2.0] * 3] * 4} False"


def test_an_answer_that_compiles_has_the_compiler():
    text = """
def answer(x):
    optimizer = torch.optim.SGD([x.clone().requires_grad_()])
    return torch.compile(lambda x: x + 1, backend="eager")(x)
seen = execute(answer, inputs, "torch")
print(seen.error, seen.value.data, type(sys.modules["torch._dynamo"]).__name__,
      "__dynamo_disable" in vars(add_group))
"""
    assert run(text) == "None [2. 2. 2.] module False"
