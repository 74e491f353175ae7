"""A linear layer that lets the faster of torch's two CPU libraries multiply."""

import torch
from torch import Tensor, nn

from course_lib.kernels.choose import choose_linear


class Linear(nn.Linear):
    """`nn.Linear`, whose inference in float32 on a CPU goes to oneDNN where that is faster.

        y = x Wᵀ + b

    x (..., in), W (out, in), b (out,) → (..., out), with the dtypes and errors of `nn.Linear`, its
    parameters and its `state_dict`; the numbers differ by rounding alone. Torch's own choice for
    float32 is MKL, which leaves half of each vector of an AMD processor with AVX-512 unused.
    `choose_linear` says which of the two runs.
    """

    def forward(self, input: Tensor) -> Tensor:
        if choose_linear(input, self.weight, self.bias).name == "onednn":
            return torch.ops.mkldnn._linear_pointwise(input, self.weight, self.bias, "none", [], "")
        return super().forward(input)
