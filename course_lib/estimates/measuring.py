"""What a released model weighs and keeps, from its maker's `config.json` and nothing else."""

from dataclasses import replace
from difflib import get_close_matches
from importlib.util import find_spec
from typing import Any

from course_lib.estimates.by_rule import by_rule
from course_lib.estimates.config_file import INNER, Source, read_fields
from course_lib.estimates.released import Released

ALONE = (
    "transformers is not installed: counted by rule, and nothing was built. A size that is "
    "misspelled or that the model's class never reads was not looked for."
)


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
        found = by_rule(path)
        return replace(found, notes=(ALONE, *found.notes), certain=False)
    from course_lib.estimates.by_construction import by_construction
    from course_lib.estimates.construction import ALIASES

    own = fields.get("model_type")
    kind, fields, notes = resolve(fields, as_type)
    found = by_construction(kind, fields, path, notes, tuple(accept))
    same = kind in (own, ALIASES.get(str(own)))
    return found if same else replace(found, certain=False)  # another class, or a part of it


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
