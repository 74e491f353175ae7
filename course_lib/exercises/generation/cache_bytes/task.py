"""The reference, the cases and the hints of `kv_cache_bytes`."""

from collections.abc import Callable

from course_lib.checker.tasks import Cases, Inputs, Sampler


def kv_cache_bytes(layers, kv_heads, head_dim, length, batch, bytes_per_number):
    """Count what one word leaves behind: in each layer a key and a value, head_dim numbers each,
    for every head of keys. Then multiply by all that there is of it: layers, positions, texts, and
    bytes for a number. The number of *query* heads does not occur, which is why sharing keys helps.

    Cost: Seven factors; the result is what a server has to find room for."""
    return 2 * layers * kv_heads * head_dim * length * batch * bytes_per_number


def with_one(place: int) -> Callable[[Sampler], Inputs]:
    """`ragged` with a 1 at one place."""

    def draw(s: Sampler) -> Inputs:
        numbers = list(s.dims(6, low=3))
        numbers[place] = 1
        return Inputs(tuple(numbers))

    return draw


case = Cases(dtypes=("float32",))
case.example((2, 3, 4, 5, 1, 2))
# Six different numbers, none of them 1: a factor left out or squared always shows.
case("a small model", lambda s: s.dims(6, low=3))
case("a batch of one", with_one(4))
case.hidden("one head of keys", with_one(1))
case.hidden("one byte a number", with_one(5))
# Above 2^53 and odd but for one factor 2: a float on the way cannot hold it.
case.hidden(
    "a number that no float can hold",
    lambda s: tuple(1001 + 2 * s.size + step for step in range(0, 12, 2)),
)

HINTS = (
    "How many numbers does *one* position of *one* text leave behind in *one* layer?",
    "A key of `head_dim` numbers for each of the `kv_heads` heads, and a value as large. Then as "
    "often as there are layers, positions and texts.",
    "A product of seven factors: a 2 (for what?) and the six arguments. Ints multiplied give an "
    "int.",
)
