"""Reading pairs from files, good and broken."""

from pathlib import Path

import pytest

from book.helpers.tatoeba import load_tatoeba, load_tsv, tokenize


def write(tmp_path, data):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def test_tokenize_keeps_the_apostrophe_with_the_word_before_it():
    assert tokenize("L’homme n'est-il pas là ?") == [
        "l'",
        "homme",
        "n'",
        "est-il",
        "pas",
        "là",
        "?",
    ]


def test_pairs_with_attribution_byte_order_mark_and_empty_lines(tmp_path):
    path = write(tmp_path, "\ufeffGo.\tVa !\tCC-BY 2.0 #1\r\n\nHi.\tSalut.\n")
    pairs = load_tsv(path)
    assert [(p.source, p.target) for p in pairs] == [
        (["go", "."], ["va", "!"]),
        (["hi", "."], ["salut", "."]),
    ]
    assert all(p.links is None for p in pairs)
    assert load_tsv(path, limit=1) == pairs[:1]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("Go.\tVa !\nHi.\n", "line 2: found one column"),
        ("Go.\t \n", "line 1: the target column is empty"),
        ("\tVa !\n", "line 1: the source column is empty"),
        (b"Go.\tVa !\nSee.\tVoil\xe0.\n", "line 2: byte 10 is not UTF-8"),
    ],
)
def test_a_broken_file_names_the_line(tmp_path, data, message):
    with pytest.raises(ValueError, match=message):
        load_tsv(write(tmp_path, data))


def test_no_such_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_tsv(tmp_path / "absent.tsv")


def test_offline_the_download_says_what_to_do(tmp_path, monkeypatch):
    import requests

    def refuse(*args, **kwargs):
        raise requests.ConnectionError("no network")

    monkeypatch.setattr("requests.get", refuse)
    with pytest.raises(ConnectionError, match=r"could not download .*load_tsv"):
        load_tatoeba(cache=tmp_path)


def test_a_download_that_is_not_the_pinned_file_is_refused(tmp_path, monkeypatch):
    import pooch

    def wrong_file(self, url, output_file, downloader):
        Path(output_file.name if hasattr(output_file, "name") else output_file).write_bytes(b"no")

    monkeypatch.setattr(pooch.HTTPDownloader, "__call__", wrong_file)
    with pytest.raises(ValueError, match="hash"):
        load_tatoeba(cache=tmp_path)
