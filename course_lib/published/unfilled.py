"""A model made without its random numbers, where the numbers of a file will replace them."""

from typing import Any

from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

# What a module calls to fill a parameter: the functions of nn.init that announce themselves, and
# what the others call.
DRAWS = (Tensor.normal_, Tensor.uniform_, nn.init.normal_, nn.init.uniform_)
DRAWS += (nn.init.kaiming_uniform_,)


class Unfilled(TorchFunctionMode):
    """Inside it, drawing random numbers into a tensor leaves the tensor as it is.

        with Unfilled():
            model = LanguageModel(...)
        model.load_state_dict(state, assign=True)

    Drawing 134 million numbers takes longer than reading them, and memory that is not written is
    not taken. Modules on the meta device would do it too, at the price of importing PyTorch's
    compiler.
    """

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in DRAWS:
            return args[0] if args else kwargs["tensor"]
        return func(*args, **kwargs)
