"""Reading Multi30k from a folder, and what is said where it is not there."""

import pytest

from book.helpers.multi30k import load_multi30k


def write(folder, english, french):
    (folder / "val.lc.norm.tok.en").write_text(english, encoding="utf-8")
    (folder / "val.lc.norm.tok.fr").write_text(french, encoding="utf-8")


def test_words_are_those_of_the_files_with_their_apostrophes(tmp_path):
    write(tmp_path, "a group of men\na dog .\n", "un groupe d&apos; hommes\nun chien .\n")
    pairs = load_multi30k("valid", tmp_path)
    assert [p.target for p in pairs] == [["un", "groupe", "d'", "hommes"], ["un", "chien", "."]]
    assert pairs[1].source == ["a", "dog", "."]


@pytest.mark.parametrize(
    ("french", "message"),
    [("un\n", "2 English and 1 French lines"), ("un\n\n", "line 2: a sentence is empty")],
)
def test_files_that_do_not_match_are_refused(tmp_path, french, message):
    write(tmp_path, "one\ntwo\n", french)
    with pytest.raises(ValueError, match=message):
        load_multi30k("valid", tmp_path)


def test_offline_the_download_says_what_to_do(monkeypatch):
    import pooch
    import requests

    def offline(*_, **__):
        raise requests.ConnectionError

    monkeypatch.setattr(pooch, "retrieve", offline)
    with pytest.raises(ConnectionError, match="or name a folder that has the files"):
        load_multi30k("test")
