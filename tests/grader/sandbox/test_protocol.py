"""The frame carries plain data there and back, and no other bytes make it do anything else."""

import contextlib
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.checker.run.inputs import Array, Observation, Opaque, Verdict
from course_lib.checker.run.values import same_data
from course_lib.checker.tasks import Candidate, Inputs, LookupStep, Transposed
from grader.sandbox.inside import protocol
from grader.sandbox.inside.protocol import PREFIX, FrameError, decode, encode
from grader.sandbox.results import read_observations

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**127), 2**127), st.floats(allow_nan=False), st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(st.text(), inner, max_size=3),
    ),
    max_leaves=20,
)

SEEDS = st.integers(0, 2**64 - 1)


@given(VALUES)
def test_plain_values_come_back_as_they_went(value):
    assert decode(encode(value)) == value


@pytest.mark.parametrize("dtype", sorted(protocol.DTYPES))
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3)])
def test_arrays_come_back_bit_for_bit(dtype, shape):
    array = np.random.default_rng(0).integers(0, 2, shape).astype(dtype)
    swapped = array.astype(array.dtype.newbyteorder("S"))
    for back in decode(encode([array, swapped])):
        assert back.dtype == array.dtype and back.shape == array.shape
        assert back.tobytes() == array.tobytes() and back.flags.writeable


def test_inputs_and_observations_come_back():
    x = np.arange(6.0).reshape(2, 3)
    inputs = Inputs(
        (x, Transposed(x, (0, 1)), LookupStep(np.zeros((1, 2, 2)), 4), {1, 2}),
        {"mask": x > 2},
        (3, "general"),
        {"W.weight": x},
        (x,),
    )
    back = decode(encode(inputs))
    assert back.args[3] == {1, 2} and back.init == (3, "general")
    assert np.array_equal(back.args[1].data, x) and back.args[2].limit == 4
    seen = Observation((Array("numpy", "float64", x), None), gradients={"0": Opaque("a thing")})
    calls = ((("mask", "bool", (2, 3), 0.0, "rows differ"), ("cache", "NoneType", (), 0.0, "")),)
    judged = Observation(Verdict(True, "AssertionError: no", "`assert a`", calls, (("x", 0, 1.0),)))
    again, verdict = read_observations(encode([seen, judged]), 2)
    assert same_data(again.value, seen.value) and again.gradients["0"].type_name == "a thing"
    assert repr(verdict.value) == repr(judged.value)
    candidates = Inputs((Candidate("f", "def f(): ..."),), examiner=Candidate("g", "def g(f): ..."))
    assert decode(encode(candidates)) == candidates


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("refused", 1),
        ("words", 7),
        ("words", "a" * 1000),
        ("line", None),
        ("line", "a" * 1000),
        ("calls", [()]),
        ("calls", ((("mask", "bool", ("x",), 0.0, ""),),)),
        ("calls", ((("mask", "bool", (2,), 0.0),),)),
        ("calls", ((),) * 100),
        ("passes", (("it raises", 0, "much"),)),
        ("passes", ((),)),
    ],
)
def test_a_verdict_that_is_none_is_refused(field, value):
    forged = Verdict(True)
    object.__setattr__(forged, field, value)
    for value in (forged, Candidate("f", "def f(): ...")):
        with pytest.raises(FrameError):
            read_observations(encode([Observation(value)]), 1)


@pytest.mark.parametrize("value", [object(), 10**100, np.array([None]), {1: {2: set}}, b"bytes"])
def test_what_is_not_plain_data_is_refused(value):
    with pytest.raises(FrameError):
        encode(value)


def test_a_frame_is_bounded():
    with pytest.raises(FrameError, match="too large"):
        encode(np.zeros(protocol.MAX_ARRAYS // 8 + 1))
    with pytest.raises(FrameError, match="prefix"):
        protocol.frame_length(PREFIX.pack(protocol.MAGIC, 1, protocol.MAX_ARRAYS + 1))


@pytest.mark.parametrize(
    "change", [lambda f: f[:-1], lambda f: f + b"x", lambda f: b"", lambda f: b"R"]
)
def test_cut_and_trailing_bytes_are_refused(change):
    with pytest.raises(FrameError):
        decode(change(encode([np.ones(3)])))


def frame(header: bytes, body: bytes = b"") -> bytes:
    return PREFIX.pack(protocol.MAGIC, len(header), len(body)) + header + body


@pytest.mark.parametrize(
    "header",
    [
        b'"text"',
        b"1.5",
        b"{}",
        b"[]",
        b'["q"]',
        b'["x", 5]',
        b'["i", "' + b"f" * 99 + b'"]',
        b'["f", "0x1p99999"]',
        b'["a", "object", [1]]',
        b'["a", "float64", [1]]',
        b'["a", "float64", [-1]]',
        b'["a", "float64", [true]]',
        b'["a", "float64", [99999999999, 99999999999]]',
        b'["r", "Popen"]',
        b'["r", "Array", null]',
        b'["s", ["l"]]',
        b'["d", [["l"], null]]',
        b"[" * 100_000,
        b"1" * 100_000,
        b"NaN",
        b"\xff\xfe",
    ],
)
def test_forged_headers_are_refused(header):
    with pytest.raises(FrameError):
        decode(frame(header))


def test_a_forged_bool_holds_only_true_and_false():
    data = decode(frame(b'["a", "bool", [2]]', b"\x02\x00"))
    assert data.tobytes() == b"\x01\x00"


def forged(kind, **fields):
    """A record whose fields hold anything: what a stranger's process can send."""
    record = object.__new__(kind)
    for name in kind.__dataclass_fields__:
        object.__setattr__(record, name, fields.get(name))
    return record


def forged_observation(**fields):
    return forged(Observation, **{"message": "", "changed": (), "printed": False} | fields)


def forged_array(library="numpy", dtype="float64", data=None):
    return forged_observation(value=forged(Array, library=library, dtype=dtype, data=data))


FORGED = [
    forged_observation(error=5),
    forged_observation(message=None),
    forged_observation(changed="abc"),
    forged_observation(changed=(-1,)),
    forged_observation(printed=1),
    forged_observation(gradients=[1]),
    forged_array(),
    forged_array(data=np.zeros(2, np.float32)),
    forged_array(library="jax", data=np.zeros(2)),
    forged_array(library=None, data=np.zeros(2)),
    forged_observation(value=forged(Opaque, type_name=7)),
    forged_observation(value=Inputs()),
    forged_observation(value={1: 2}),
    forged_observation(value=[Observation()]),
    Inputs(),
    None,
]


@pytest.mark.parametrize("items", [*([one] for one in FORGED), [Observation(), Observation()]])
def test_forged_observations_are_refused(items):
    with pytest.raises(FrameError):
        read_observations(encode(items), 1)


VALID = encode(
    [
        Observation((Array("numpy", "float64", np.ones((2, 3))), {"a": [1, 2.5, "x", None]})),
        Observation(error="ValueError", message="no", gradients={"0": Opaque("x")}, changed=(0,)),
    ]
)


def mutate(seed):
    """A valid frame with some bytes changed, removed or put in; often with honest lengths. Drawn
    from a seed: drawing each byte by hypothesis takes a hundred times as long as reading them."""
    chance = Random(seed)
    raw = bytearray(VALID)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(raw))
        raw[at : at + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
    if chance.random() < 0.5 and len(raw) > PREFIX.size:
        header = len(raw) - PREFIX.size - 48
        raw[: PREFIX.size] = PREFIX.pack(
            protocol.MAGIC, max(0, header), len(raw) - PREFIX.size - header
        )
    return bytes(raw)


def read(data):
    with contextlib.suppress(FrameError):
        read_observations(data, 2)


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.nightly)])
def test_any_mutation_is_read_or_refused(count):
    given(SEEDS)(settings(max_examples=count, deadline=None)(lambda seed: read(mutate(seed))))()


@given(st.binary(max_size=200))
def test_any_header_is_read_or_refused(header):
    read(frame(header))
