"""Dates: what people write, what it means, and which letters carry it."""

import datetime
import itertools

import pytest

from book.helpers import dates
from book.helpers.dates import LOCALES, STYLES, DateCorpus

DAY = datetime.date(2026, 11, 22)


def text(pair):
    return "".join(pair.source)


@pytest.mark.parametrize(
    ("locale", "style", "written"),
    [
        ("en_US", "full", "Sunday, November 22, 2026"),
        ("en_US", "short", "11/22/26"),
        ("en_GB", "short", "22/11/2026"),
        ("fr_FR", "full", "dimanche 22 novembre 2026"),
        ("ja_JP", "long", "2026年11月22日"),
        ("hi_IN", "long", "22 नवंबर 2026"),
        ("bn_BD", "long", "২২ নভেম্বর, ২০২৬"),
        ("el_GR", "long", "22 Νοεμβρίου 2026"),
    ],
)
def test_a_day_as_people_write_it(locale, style, written):
    pair = DateCorpus.write(DAY, locale, style)
    assert text(pair) == written and "".join(pair.target) == "2026-11-22"


def test_links_join_a_field_with_itself():
    pair = DateCorpus.write(datetime.date(2031, 4, 9), "fr_FR", "full")  # mercredi 9 avril 2031
    linked = {
        t: "".join(pair.source[s] for s in sorted(s for u, s in pair.links if u == t))
        for t in range(10)
    }
    assert linked == {
        0: "2031", 1: "2031", 2: "2031", 3: "2031", 4: "", 5: "avril", 6: "avril", 7: "",
        8: "9", 9: "9",
    }  # fmt: skip


def test_at_least_thirty_locales_and_what_each_writes_reads_back(monkeypatch):
    """Each alone: a reading tries every locale in every style."""
    assert len(LOCALES) == len(set(LOCALES)) >= 30
    for locale, style in itertools.product(LOCALES, STYLES):
        monkeypatch.setattr(dates, "LOCALES", (locale,))
        written = text(DateCorpus.write(DAY, locale, style))
        assert DateCorpus.readings(written)["2026-11-22"] == [locale], style


def test_an_ambiguous_date_is_kept_with_both_meanings_and_found():
    found = DateCorpus.readings("3/4/26")
    assert found["2026-03-04"] == ["en_US"]
    assert {"es_ES", "hi_IN"} <= set(found["2026-04-03"]) and len(found) == 2
    assert list(DateCorpus.readings("22 novembre 2026")) == ["2026-11-22"]
    assert DateCorpus.readings("yesterday") == {}
    meanings = {}
    for pair in DateCorpus().pairs(4000):
        meanings.setdefault(text(pair), set()).add("".join(pair.target))
    twice = [t for t, found in meanings.items() if len(found) > 1]
    assert all(set(DateCorpus.readings(t)) >= meanings[t] for t in twice[:5])


def test_the_same_seed_gives_the_same_pairs_and_another_seed_others():
    first = DateCorpus().pairs(60)
    assert first == DateCorpus().pairs(100)[:60] != DateCorpus(seed=1).pairs(60)


def test_no_day_is_in_two_splits_in_whatever_order_its_numbers_stand():
    seen = {}
    for seed, split in enumerate(("train", "valid", "test")):
        for pair in DateCorpus(seed).pairs(800, split=split):
            year, month, day = "".join(pair.target).split("-")
            numbers = tuple(sorted((year[2:], month, day)))
            assert seen.setdefault(numbers, split) == split
    assert set(seen.values()) == {"train", "valid", "test"}
