"""Where an error arose: in the answer's own code, with the arrays that meet there and their shapes,
or in an examiner's, after the answer had returned."""

import dis
import linecache
import sys
import types
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import AFTERWARDS, INSIDE
from course_lib.checker.run.operands import operands

# What no student writes: ours, and what lies in a library.
HERE = str(Path(__file__).parents[2])
LIBRARIES = ("site-packages", "dist-packages", "<__array_function__")
EXAMINER = "<an examiner>"  # the file that an examiner's text is compiled as
OURS = (HERE, EXAMINER, *LIBRARIES)
MAX_NAMES = 6
LONGEST = 100  # letters of a line


def not_the_answer_s(error: BaseException, said: str) -> str:
    """What to put before the words of an error that arose in an examiner's code: in what it does
    with an answer's result, or in a model of its that an answer calls; "" for any other. That a
    call has the wrong arguments, or is one too many, is the answer's fault."""
    if (type(error) is TypeError and "argument" in said) or "called more than" in said:
        return ""
    files, place = [], error.__traceback__
    while place is not None:
        files.append(place.tb_frame.f_code.co_filename)
        place = place.tb_next
    own = [file for file in files if not any(part in file for part in LIBRARIES)]
    if EXAMINER not in own or own[-1] != EXAMINER:
        return ""
    return AFTERWARDS if {*own[own.index(EXAMINER) :]} == {EXAMINER} else INSIDE


def shapes_there(error: BaseException) -> str:
    """ "`state` (3, 4), `W_a` (5, 4)": the arrays in the expression that raised, "" without any.
    Where they are the two sides of an operator, that stands between: "`x` (3, 4) @ `y` (3, 5)"."""
    try:
        frame = last_of_the_answer(error.__traceback__)
        return "" if frame is None else _shapes(frame.tb_frame, frame.tb_lasti)
    except Exception:  # a stranger's objects: nothing is said
        return ""


def line_there(error: BaseException) -> str:
    """The line of the answer that raised, as it is written; "" where it cannot be told."""
    try:
        place = last_of_the_answer(error.__traceback__)
        file = place.tb_frame.f_code.co_filename if place else ""
        line = linecache.getline(file, place.tb_lineno) if place else ""
    except Exception:  # a stranger's objects: nothing is said
        return ""
    return " ".join(line.replace("`", "'").split())[:LONGEST]


def last_of_the_answer(place: types.TracebackType | None) -> types.TracebackType | None:
    last = None
    while place is not None:
        if not any(part in place.tb_frame.f_code.co_filename for part in OURS):
            last = place
        place = place.tb_next
    return last


def _shapes(frame: types.FrameType, at: int) -> str:
    there = islice(frame.f_code.co_positions(), at // 2, None)  # two bytes an instruction
    span = dis.Positions(*next(there, (None,) * 4))
    if None in span:
        return ""
    if sides := _sides(frame, span):
        return " ".join(sides)
    begin, end = (span.lineno, span.col_offset), (span.end_lineno, span.end_col_offset)
    names: dict[str, str] = {}
    for one in dis.get_instructions(frame.f_code):
        where = one.positions
        if where is None or None in where or not one.opname.startswith("LOAD_"):
            continue
        inside = begin <= (where.lineno, where.col_offset)
        if inside and (where.end_lineno, where.end_col_offset) <= end:
            loaded = one.argval if isinstance(one.argval, tuple) else (one.argval,)
            for name in filter(lambda name: type(name) is str, loaded):
                shape = _shape(frame.f_locals.get(name))
                if shape:
                    names[name] = shape
    return ", ".join(f"`{name}` {shape}" for name, shape in list(names.items())[:MAX_NAMES])


def _sides(frame: types.FrameType, span: Any) -> tuple[str, str, str] | None:
    try:
        return operands(frame, span)
    except Exception:  # it cannot be told, or is not plain: the names alone are said
        return None


def _shape(value: Any) -> str:
    torch = sys.modules.get("torch")
    kinds = (np.ndarray,) if torch is None else (np.ndarray, torch.Tensor, torch.nn.Parameter)
    return str(tuple(value.shape)) if type(value) in kinds else ""
