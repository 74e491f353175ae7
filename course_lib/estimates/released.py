"""What a released model weighs and keeps, from its maker's `config.json` and nothing else."""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib.util import find_spec
from typing import Any

from course_lib.arguments import integer
from course_lib.estimates.config_file import INNER, Source, read_fields

ALONE = (
    "transformers is not installed: counted by rule, and nothing was built. A size that is "
    "misspelled or that the model's class never reads was not looked for."
)


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
        certain: False where a note puts the numbers in doubt.
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


def measure(path: Source, *, as_type: str | None = None, accept: tuple[str, ...] = ()) -> Released:
    """Measures a released model by building its class, without weights, at full size.

    Nothing is downloaded, no code of the maker is run, and nothing is asked on the terminal.

    Args:
        path: a maker's `config.json`, or its folder, or its fields.
        as_type: the `model_type` of the class that the model follows, if its own is unknown.
        accept: names of stated sizes that you know to change nothing.

    Raises:
        ValueError: a sentence with the field: another file, an unknown type, a size that is
            missing, misspelled, no number, that does not divide, or that the class never reads.
    """
    fields = read_fields(path)
    named = isinstance(accept, tuple | list) and all(isinstance(name, str) for name in accept)
    if not named:
        raise TypeError(f"accept must be a list of fields' names, got {accept!r}.")
    if find_spec("transformers") is None:
        from course_lib.estimates.by_rule import by_rule

        found = by_rule(path)
        return replace(found, notes=(ALONE, *found.notes), certain=False)
    from course_lib.estimates.by_construction import by_construction

    kind, fields, notes = resolve(fields, as_type)
    return by_construction(kind, fields, path, notes, tuple(accept))


def resolve(fields: dict, as_type: str | None) -> tuple[str, dict, list[str]]:
    """The type to build, the fields to build it from, and what was decided."""
    from course_lib.estimates.construction import ALIASES, known_types

    known, own = known_types(), fields.get("model_type")
    if not (as_type is None or isinstance(as_type, str)):
        raise TypeError(f"as_type must be the name of a type, got {as_type!r}.")
    if as_type is not None and as_type not in known:
        raise ValueError(f"as_type {as_type!r} is no type of the library.{_near(as_type, known)}")
    kind = as_type or ALIASES.get(str(own), own)
    if kind in known:
        notes = [] if kind == own else [f"{own} is built as {kind}, whose fields it has."]
        return kind, fields, notes
    for name in INNER:
        inner: Any = fields.get(name)
        if not isinstance(inner, dict):
            continue
        theirs = ALIASES.get(str(inner.get("model_type")), inner.get("model_type"))
        if theirs in known:
            tied = {"tie_word_embeddings": fields["tie_word_embeddings"]}
            outer = tied if "tie_word_embeddings" in fields else {}
            note = f"{own} is not a class of the library: its {name} alone was built, as {theirs}."
            return theirs, {**outer, **inner}, [note]
    import transformers

    raise ValueError(
        f"model_type {own!r} is not a class of transformers {transformers.__version__}: the "
        f"model brings its own code, or is newer.{_near(str(own), known)} Give a ModelConfig, or "
        "as_type= with the class that it follows."
    )


def _near(name: str, known: set[str]) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.8)
    return f" The nearest name is {near[0]!r}." if near else ""
