"""A table is read as spreadsheets write it, or refused with what to do."""

import pytest

from course_lib.checker.errors import InputError
from grader.submissions import table as table_module
from grader.submissions.table import read_table


def table(tmp_path, data):
    (tmp_path / "a.csv").write_bytes(data)
    return read_table(tmp_path / "a.csv", "The table")


@pytest.mark.parametrize("comma", [",", ";"])
def test_fields_of_every_line_that_is_not_empty(comma, tmp_path):
    text = '\ufeffName,Points\r\n\r\n Zoe\u0308 ,"two\nlines"\r\n,\r\nann\r\n'
    header, lines = table(tmp_path, text.replace(",", comma).encode())
    assert header == ["name", "points"]
    wanted = [(4, ["Zo\u00eb", "two\nlines"]), (6, ["ann", ""])]
    assert [(number, list(line.values())) for number, line in lines] == wanted


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"name\nzo\xeb\n", 'is not a UTF-8 CSV file: .* save it as "CSV UTF-8"'),
        ("name\nann\n".encode("utf-16"), 'is written in UTF-16; .* save it as "CSV UTF-8"'),
        ("name\nann\n".encode("utf-16-be"), "is written in UTF-16; UTF-8 is needed"),
        (b"name\tage\nann\t9\n", "is split at tabs; commas or semicolons are needed"),
        (b'name\n"ann', "is not a UTF-8 CSV file: unexpected end"),
        (b"name\n" * 5, "is larger than 0 MB"),
        (b"name,points\n\nann,1,5\n", "has 3 fields in line 3 and 2 columns"),
    ],
)
def test_what_is_no_table_is_refused(data, sentence, tmp_path, monkeypatch):
    monkeypatch.setattr(table_module, "MAX_BYTES", 24)
    with pytest.raises(InputError, match=f"The table .*{sentence}"):
        table(tmp_path, data)


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_table(tmp_path / "none.csv", "The table")
    assert table(tmp_path, b"") == ([], [])


def test_a_tab_beside_a_comma_or_at_the_end_is_a_space(tmp_path):
    assert table(tmp_path, b"name,\tage\t\n") == (["name", "age"], [])
    assert table(tmp_path, b"name\t\nann\n") == (["name"], [(2, {"name": "ann"})])
