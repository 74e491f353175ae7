"""Dates as people write them, in 38 languages, and the same dates in ISO 8601."""

import datetime
import functools
import hashlib
import itertools
import random
import re

from course_lib.translation.corpus import SPLITS, Pair

LOCALES = (
    "en_US", "en_GB", "en_CA", "fr_FR", "de_DE", "es_ES", "it_IT", "pt_BR", "nl_NL", "sv_SE",
    "da_DK", "fi_FI", "pl_PL", "cs_CZ", "hu_HU", "ro_RO", "tr_TR", "el_GR", "ru_RU", "uk_UA",
    "lt_LT", "eu_ES", "id_ID", "vi_VN", "sw_KE", "he_IL", "ar_EG", "hi_IN", "bn_BD", "ne_NP",
    "ta_IN", "te_IN", "th_TH", "km_KH", "ka_GE", "hy_AM", "am_ET", "ko_KR", "ja_JP", "zh_CN",
)  # fmt: skip
STYLES = ("short", "medium", "long", "full")
FIRST, LAST = datetime.date(1950, 1, 1), datetime.date(2049, 12, 31)
# The zero of each numbering system that is the custom of one of the locales.
ZEROS = {"latn": "0", "arab": "\u0660", "beng": "\u09e6", "deva": "\u0966"}
FIELDS = {"y": "year", "M": "month", "L": "month", "d": "day"}
ISO = {"year": range(4), "month": range(5, 7), "day": range(8, 10)}  # places in 2026-11-22


class DateCorpus:
    """Written dates and what they mean: "22 नवंबर 2026" → "2026-11-22", letter by letter.

    The ways to write come from the Unicode CLDR (https://cldr.unicode.org) by way of Babel: 40
    locales, each with a short, a medium, a long and a full form, from "22/11/26" to "Sunday,
    November 22, 2026", in the digits that are the custom there. Sentences are lists of characters.
    Gold links join a character of a field (year, month, day) of the target with every character of
    that field in the source; weekdays and punctuation have none. All days are Gregorian, although
    some of these countries have a calendar of their own beside it.

        DateCorpus(seed=0).pairs(8000)        as `ParallelCorpus`

    A short form may be ambiguous: 03/04/26 is the 4th of March in one country and the 3rd of April
    in most. Both are in the corpus, each with its own target; `readings` finds them.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def pairs(self, n: int, split: str = "train") -> list[Pair]:
        """Draw `n` different pairs: a random day from 1950 to 2049, a locale, and a style.

        The splits share no day in any language, nor another reading of the same numbers, whatever
        the seed (80 % train). The same arguments give the same list, and a longer list begins with
        the shorter one. Raises ValueError for an unknown split.
        """
        if split not in SPLITS:
            raise ValueError(f"split must be one of {', '.join(SPLITS)}, got {split!r}.")
        rng = random.Random(f"{self.seed} {split}")
        found: dict[tuple[str, str], Pair] = {}
        while len(found) < n:
            day = FIRST + datetime.timedelta(rng.randrange((LAST - FIRST).days + 1))
            locale, style = rng.choice(LOCALES), rng.choice(STYLES)
            if _split_of(day) == split:
                pair = self.write(day, locale, style)
                found.setdefault(("".join(pair.source), "".join(pair.target)), pair)
        return list(found.values())

    @staticmethod
    def write(day: datetime.date, locale: str, style: str = "long") -> Pair:
        """The pair of one day: as `locale` writes it in this style, ISO 8601, and their links.

        locale: one of LOCALES.  style: one of STYLES.  Raises ValueError for another.
        """
        source: list[str] = []
        links: set[tuple[int, int]] = set()
        for field, text in _pieces(day, locale, style):
            if field is not None:
                places = range(len(source), len(source) + len(text))
                links |= set(itertools.product(ISO[field], places))
            source += text
        return Pair(source, list(day.isoformat()), links)

    @staticmethod
    def readings(text: str) -> dict[str, list[str]]:
        """What a written date can mean: ISO 8601 → the locales that would write that day so.

        More than one key: the text is ambiguous. None: no locale of the corpus writes so.
        """
        numbers = [int(digits) for digits in re.findall(r"\d+", text)]
        years = {y + 100 * (19 if y >= 50 else 20) if y < 100 else y for y in numbers}
        found: dict[str, list[str]] = {}
        for y, m, d in itertools.product(sorted(years), range(1, 13), sorted(set(numbers))):
            if not FIRST.year <= y <= LAST.year or not 1 <= d <= _days(y, m):
                continue
            day = datetime.date(y, m, d)
            for locale in LOCALES:
                written = ("".join(t for _, t in _pieces(day, locale, s)) for s in STYLES)
                if text in written:
                    found.setdefault(day.isoformat(), []).append(locale)
        return found


def _days(year: int, month: int) -> int:
    after = datetime.date(year + month // 12, month % 12 + 1, 1)
    return (after - datetime.timedelta(1)).day


def _split_of(day: datetime.date) -> str:
    """By the numbers without their order: 03/04/26 and 04/03/26 are in one split."""
    numbers = sorted((day.year % 100, day.month, day.day))
    tenth = hashlib.blake2b(repr(numbers).encode(), digest_size=8).digest()[0] % 10
    return {0: "test", 1: "valid"}.get(tenth, "train")


def _pieces(day: datetime.date, locale: str, style: str) -> list[tuple[str | None, str]]:
    """A written date in pieces: (its field, or None for what is between; the text)."""
    from babel.dates import DateTimeFormat

    tokens, digits = _pattern(locale, style)
    values = DateTimeFormat(day, locale)
    return [
        (field, values[text].translate(digits) if letters else text)
        for letters, field, text in tokens
    ]


@functools.cache
def _pattern(locale: str, style: str) -> tuple[list[tuple[bool, str | None, str]], dict]:
    """CLDR's pattern, "d MMMM y", in tokens, and the digits of the locale."""
    from babel import Locale
    from babel.dates import get_date_format, tokenize_pattern

    for name, given, known in (("locale", locale, LOCALES), ("style", style, STYLES)):
        if given not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, got {given!r}.")
    tokens: list[tuple[bool, str | None, str]] = []
    for kind, value in tokenize_pattern(get_date_format(style, locale).pattern):
        letters = kind == "field"
        text = value[0] * value[1] if letters else value
        tokens.append((letters, FIELDS.get(value[0]) if letters else None, text))
    zero = ord(ZEROS[Locale.parse(locale).default_numbering_system])
    return tokens, {ord("0") + i: chr(zero + i) for i in range(10)}
