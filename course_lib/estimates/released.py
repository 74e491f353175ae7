"""What is known of a released model: what it weighs, and what its layers keep."""

from dataclasses import dataclass

from course_lib.validation.arguments import integer


@dataclass(frozen=True)
class Released:
    """A released model, measured.

    Attributes:
        kind: the `model_type` of the class that was built.
        parameters: of the language model; what sees and hears stands in `by_part`.
        active: weights that one token is multiplied with.
        by_part: parameters of "text" and of "pictures" (and sound); of the text those of "tables"
            and "experts".
        weight_bytes: of all weights, as they are stored; `stored` has them by format.
        read_bytes, expert_bytes: of the language model's weights those that every token reads,
            and those of experts, of which it reads a few.
        layers: what the layers keep (`Layer`), or None where the class does not run.
        experts: (experts of a layer, how many of them a token uses), or None.
        notes: sentences on what was assumed, and on what is not counted.
        unread: names of sizes that are stated and change nothing.
        certain: False where a note puts the numbers in doubt, or says that a part is not counted.
    """

    kind: str
    parameters: int
    active: int
    by_part: dict[str, int]
    weight_bytes: int
    stored: dict[str, int]
    read_bytes: int
    expert_bytes: int
    layers: tuple | None
    experts: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    certain: bool = True

    def cache_bytes(self, length: int, batch: int = 1) -> int:
        """Bytes of the keys and values of `batch` texts of `length` tokens, at 16 bits.

        Σ over layers of growing · L + in_window · min(L, w), as each kind of layer keeps them.
        """
        length, batch = integer("length", length, 0), integer("batch", batch, 0)
        return round(batch * sum(x.number * x.bytes_at(length) for x in self._measured()))

    @property
    def state_bytes(self) -> int:
        """Bytes of the states of one text, the same at every length, in the library's precision."""
        return sum(x.number * x.fixed for x in self._measured())

    @property
    def kinds(self) -> dict[str, int]:
        """Layers that see everything, a window, and that carry a state; a layer may be two."""
        found = {"full": 0, "window": 0, "state": 0}
        for x in self._measured():
            found["full"] += x.number * bool(x.growing)
            found["window"] += x.number * bool(x.in_window)
            found["state"] += x.number * bool(x.fixed)
        return found

    def _measured(self) -> tuple:
        if self.layers is None:
            raise ValueError(f"The cache of {self.kind} was not measured: {' '.join(self.notes)}")
        return self.layers
