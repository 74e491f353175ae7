"""The table of names and defaults in `course_lib` is what the signatures say."""

import inspect
import re

import course_lib

FIRST = "    called "


def rows():
    lines = course_lib.__doc__.partition(FIRST)[2].splitlines()[1:]
    return [re.split(r"  +", line.strip()) for line in lines if line.strip()]


def described(name):
    found = getattr(course_lib, name)
    called = found.forward if inspect.isclass(found) else found
    parameters = [p for p in inspect.signature(called).parameters.values() if p.name != "self"]
    named = {p.name: p for p in parameters}
    weights, mask = named.get("need_weights"), named.get("mask")
    by_name = mask is not None and mask.kind is mask.KEYWORD_ONLY
    return [
        name,
        ", ".join(p.name for p in parameters[:3]),
        "no weights" if weights is None else str(weights.default),
        "no mask" if mask is None else "by name" if by_name else "fourth",
    ]


def test_the_table_is_what_the_signatures_say():
    assert len(rows()) == 8
    assert [described(row[0]) for row in rows()] == rows()
    assert all(
        list(inspect.signature(getattr(course_lib, name)).parameters)[3] == "mask"
        for name, *_, mask in rows()
        if mask == "fourth" and not inspect.isclass(getattr(course_lib, name))
    )


def test_every_option_of_an_attention_is_in_its_signature():
    """`help(attention.forward)` names it, and a name that is none is refused by Python."""
    found = {
        name: inspect.signature(kind.forward).parameters
        for name in course_lib.__all__
        if inspect.isclass(kind := getattr(course_lib, name)) and hasattr(kind, "forward")
    }
    assert "key_proj" in found["AdditiveAttention"] and "key_proj" in found["HardAttention"]
    assert "first_position" in found["LuongAttention"]
    for parameters in found.values():
        assert not any(p.kind is p.VAR_KEYWORD for p in parameters.values())
