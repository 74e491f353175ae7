"""What an answer returned, as plain data."""

from collections import namedtuple

import numpy as np
import pytest
import torch

from course_lib.checker.run.inputs import Array, Opaque
from course_lib.checker.run.values import (
    build_value,
    error_name,
    observe_value,
    same_data,
    type_name,
)
from course_lib.checker.tasks import Transposed


class Hostile:
    """Raises at whatever a careless checker would do with it."""

    __class__ = property(lambda self: 1 / 0)

    def __repr__(self):
        raise RuntimeError("repr")

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __array_function__(self, *args):
        return True

    def __eq__(self, other):
        return True

    __hash__ = None


@pytest.mark.parametrize("value", [None, True, 3, 2.5, "word", (1, "a"), [1.0, None], {1, 2}])
def test_plain_values_are_themselves(value):
    assert observe_value(value) == value
    assert type(observe_value(value)) is type(value)


@pytest.mark.parametrize(
    ("value", "seen", "kept"),
    [
        (np.ones(2, np.float32), ("numpy", "float32"), np.float32),
        (torch.ones(2), ("torch", "float32"), np.float32),
        (torch.nn.Parameter(torch.ones(2)), ("torch", "float32"), np.float32),
        (torch.ones(2, dtype=torch.bfloat16), ("torch", "bfloat16"), np.float32),
        (np.float64(1), ("numpy", "float64"), np.float64),
        (np.int8(1), ("numpy", "int8"), np.int8),
        (np.float16(1), ("numpy", "float16"), np.float16),
    ],
)
def test_arrays_keep_library_dtype_and_numbers(value, seen, kept):
    got = observe_value(value)
    assert (got.library, got.dtype) == seen and got.data.dtype == kept
    assert got.data.shape == tuple(value.shape) and (got.data == 1).all()


def test_an_observed_array_is_a_copy():
    value = np.zeros(3)
    seen = observe_value(value)
    value[0] = 1
    assert seen.data[0] == 0


def test_words_of_numpy_and_named_tuples():
    word = observe_value(np.array(["cat"])[0])
    assert (type(word), word) == (str, "cat")
    pair = namedtuple("Pair", "context weights")(1, 2)
    assert observe_value(pair) == (1, 2) and type(observe_value(pair)) is tuple


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (np.ma.masked_array([1.0]), "numpy.ma.MaskedArray"),
        (np.array([object()]), "NumPy array of dtype object"),
        (np.array([1j]), "NumPy array of dtype complex128"),
        (torch.ones(1) + 1j, "torch.Tensor"),
        ((i for i in range(3)), "generator"),
        (10**400, "int with too many digits"),
    ],
)
def test_what_is_no_data_is_known_by_its_type(value, name):
    seen = observe_value(value)
    assert isinstance(seen, Opaque)
    assert seen.type_name.endswith(name)


def test_a_hostile_object_runs_nothing():
    assert observe_value(Hostile()) == Opaque(type_name(Hostile()))


def test_endless_nesting_is_cut_off():
    loop = []
    loop.append(loop)
    observe_value(loop)
    assert observe_value([[0] * 30_000]) == [Opaque("list that is too long")]
    many = observe_value([[0] * 1_500] * 2)  # each is short enough, both together are not
    assert many[1][-1] == Opaque("value that is too deep or too long")


def test_a_type_cannot_lie_about_its_name():
    class Liar(type):
        def __getattribute__(cls, name):
            return "numpy.ndarray" if name == "__qualname__" else type.__getattribute__(cls, name)

    assert type_name(Liar("Real", (), {})()).endswith("Real")


def test_inputs_are_built_fresh():
    data = np.arange(6.0).reshape(2, 3)
    built = build_value((data, [data]), "numpy")
    built[0][0, 0] = 9
    assert data[0, 0] == 0 and built[1][0][0, 0] == 0
    assert build_value(data, "torch", requires_grad=True).requires_grad


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_a_transposed_input_is_the_same_array_stored_otherwise(library):
    data = np.arange(24.0).reshape(2, 3, 4)
    built = build_value(Transposed(data, (1, 2)), library)
    assert np.array_equal(np.asarray(built), data)
    contiguous = built.flags.c_contiguous if library == "numpy" else built.is_contiguous()
    assert not contiguous


def test_same_data_is_strict():
    a = Array("numpy", "float64", np.array([1.0, np.nan]))
    assert same_data(a, Array("numpy", "float64", np.array([1.0, np.nan])))
    assert not same_data(a, Array("torch", "float64", np.array([1.0, np.nan])))
    assert not same_data((a,), [a])
    assert not same_data(1, 1.0)


class TooShort(ValueError):
    """Stands in a file that is no notebook."""


class OfNothing(Exception):
    """Is made from nothing that says more."""


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (TooShort, "ValueError"),
        (type("Own", (TooShort,), {"__module__": "__main__"}), "ValueError"),
        (type("Own", (np.linalg.LinAlgError,), {"__module__": "mine"}), "numpy.linalg.LinAlgError"),
        (type("Own", (Exception,), {"__module__": "__main__"}), "Exception"),
        (OfNothing, f"{__name__}.OfNothing"),
        (KeyError, "KeyError"),
    ],
)
def test_an_error_of_one_s_own_is_what_it_is_made_from(error, name):
    assert error_name(error()) == name
