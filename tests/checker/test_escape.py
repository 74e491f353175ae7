"""A stranger's text in a table: no spreadsheet runs it, and it comes back as it was."""

import csv
import io
import itertools

import pytest

from course_lib.checker.escape import field, one_line, unguarded
from grader.submissions.table import as_csv

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
ALPHABET = "a; '\"=@\uff1d,"
NAMES = ("Gerard 't Hooft", "'t Hooft", "O'Brien", "''", "'ada", "ada;b", "a - b", "\u674e", "")


def test_every_text_comes_back_as_it_was():
    for length in range(6):
        for letters in itertools.product(ALPHABET, repeat=length):
            text = "".join(letters)
            assert unguarded(field(text)) == text


@pytest.mark.parametrize("name", NAMES)
def test_a_text_that_no_spreadsheet_runs_is_left_alone(name):
    assert field(name) == name and unguarded(name) == name


@pytest.mark.parametrize("comma", [",", ";", "\t"])
def test_no_field_begins_with_a_sign_whatever_it_is_split_at(comma):
    texts = [
        f"{before}{sign}1+1{behind}"
        for sign in SIGNS
        for before in ("", "'", "''", "ada;", "ada;'", 'ada;"', "ada; ", 'a";"', "a\t", "a\n", ";;")
        for behind in ("", ";", '"', ";=2", "\t@x")
    ]
    table = as_csv(("student", "exercise"), [(text, "x") for text in texts])
    for line in csv.reader(io.StringIO(table, newline=""), delimiter=comma):
        assert not [part for part in line if part.strip(' "').startswith(tuple(SIGNS))]
    found = [line[0] for line in csv.reader(io.StringIO(table, newline=""))][1:]
    assert [unguarded(text) for text in found] == [one_line(text) for text in texts]
