"""The reference, the cases and the hints of `bytes_per_step`."""

from course_lib.checker.tasks import Cases, Sampler


def bytes_per_step(layers, kv_heads, head_dim, length, parameters, bytes_per_number):
    """A step reads every weight once, and of each layer the keys and values of all tokens so far.
    The first part is the same at every step; the second grows with the text. Which of them is
    larger says what would make the step faster.

    Cost: A product and a sum; the result is what the memory has to deliver."""
    cache = 2 * layers * kv_heads * head_dim * length
    return (parameters + cache) * bytes_per_number


def draw(s: Sampler, parameters: int = 100, width: int = 4) -> tuple:
    layers, kv_heads, head_dim, length = s.dims(4, low=3)
    return layers, kv_heads, head_dim, length, parameters * (7 + s.size) + 1, width


case = Cases(dtypes=("float32",))
case.example((2, 1, 3, 5, 100, 4))
case("a small model", draw)
case("a large model and a short text", lambda s: draw(s, 10**8))
case.hidden("two bytes a number", lambda s: draw(s, width=2))
case.hidden("more than a float can hold", lambda s: draw(s, 10**16 + 1, 3))
