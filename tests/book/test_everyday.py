"""The everyday corpus: what it draws is spelled, linked and split as it says; and who reads it."""

from pathlib import Path

from book.helpers.everyday import LONGEST, EverydayCorpus
from book.helpers.everyday.pieces import BEFORE_VOWEL, VOWELS, aligned, piece, spelled
from book.helpers.everyday.reading import words_of
from book.helpers.everyday.verbs import BY_NAME

SENTENCES = Path(__file__).parents[2] / "benchmarks" / "first_sentences"
PAIRS = EverydayCorpus().pairs(3000)


def test_the_same_arguments_give_the_same_pairs_and_splits_share_none():
    again = EverydayCorpus().pairs(500)
    assert again == PAIRS[:500]
    assert EverydayCorpus(seed=1).pairs(1500) != PAIRS[:1500]
    held_out = [*EverydayCorpus().pairs(100, "test"), *EverydayCorpus().pairs(100, "valid")]
    texts = [" ".join(pair.source) for pair in [*PAIRS, *held_out]]
    assert len(set(texts)) == len(texts)


def test_every_french_word_renders_words_that_are_there():
    for pair in PAIRS:
        assert 1 <= len(pair.source) <= LONGEST
        linked = {t for t, _ in pair.links}
        assert linked == set(range(len(pair.target))), pair
        assert {s for _, s in pair.links} <= set(range(len(pair.source)))


def test_the_text_follows_french_spelling():
    for pair in PAIRS:
        for word, after in zip(pair.target, pair.target[1:], strict=False):
            if word in ("le", "la", "de", "ne", "je", "que", "me", "te"):
                assert after[0] not in VOWELS, pair
            assert (word, after) not in {("de", "le"), ("à", "le"), ("à", "les"), ("si", "il")} or (
                {"him", "it", "them"} & set(pair.source)
            ), pair
        for word, after in zip(pair.source, pair.source[1:], strict=False):
            assert word != "a" or after[0] not in "aeiou", pair


def test_it_says_what_people_say():
    known = {" ".join(pair.source): " ".join(pair.target) for pair in PAIRS}
    assert known["hello"] == "bonjour" and known["cat"] == "chat" and known["go"] == "aller"
    assert known["i love you too"] == "je t' aime aussi"
    assert known["how are you"] == "comment vas -tu"


def test_neighbours_change_the_spelling_and_the_links_stay():
    pair = spelled(piece("the", "le") + piece("old", "vieux") + piece("bird", "oiseau"))
    assert pair.target == ["le", "vieil", "oiseau"]
    pair = spelled(piece("to", "à") + piece("the", "le") + piece("park", "parc"))
    assert pair.target == ["au", "parc"] and pair.links == {(0, 0), (0, 1), (1, 2)}
    pair = spelled(aligned("I miss you = tu:2 me:0 manques:1"))
    assert pair.target == ["tu", "me", "manques"] and pair.links == {(0, 2), (1, 0), (2, 1)}
    assert BEFORE_VOWEL["ma"] == "mon"


def test_verbs_are_conjugated():
    eat, go, buy = (BY_NAME[name] for name in ("eat", "go", "buy"))
    assert (eat.third, eat.ing, eat.simple, eat.participle) == ("eats", "eating", "ate", "eaten")
    assert eat.present["nous"] == "mangeons" and buy.present["tu"] == "achètes"
    assert go.mover and go.present["ils"] == "vont" and BY_NAME["cry"].third == "cries"


def test_short_forms_are_read_in_full():
    assert words_of("It's Ann's cat, isn't it?") == [
        "it", "is", "ann", "'s", "cat", "is", "not", "it",
    ]  # fmt: skip
    assert words_of("I can’t, I'll, let's!") == ["i", "can", "not", "i", "will", "let", "us"]


def test_a_hundred_first_sentences_are_split_into_halves():
    files = (SENTENCES / "build.txt", SENTENCES / "kept.txt")
    halves = [file.read_text(encoding="utf-8").splitlines() for file in files]
    assert [len(half) for half in halves] == [50, 50]
    assert len({*halves[0], *halves[1]}) == 100
