"""The corpus: splits, determinism, links, and French that a French reader would write."""

import pytest

from course_lib.translation import ParallelCorpus
from course_lib.translation.lexicon import (
    ADJECTIVES,
    BEFORE_VOWEL,
    LIVING,
    PLACES,
    THINGS,
    VOWELS,
)

NOUNS = {n.french: n for n in LIVING + THINGS + PLACES}
FORMS = {
    form: gender
    for a in ADJECTIVES
    for form, gender in ((a.masculine, "m"), (a.feminine, "f"))
    if a.masculine != a.feminine
}
FORMS |= {"vieil": "m", "bel": "m", "assis": "m", "assise": "f"}
DETERMINERS = {
    "le": "m",
    "la": "f",
    "un": "m",
    "une": "f",
    "ce": "m",
    "cet": "m",
    "cette": "f",
    "ma": "f",
    "du": "m",
}


@pytest.fixture(scope="module")
def pairs():
    return ParallelCorpus().pairs(1200, clauses=(1, 4))


def words_of(pair, target_index):
    return {pair.source[s] for t, s in pair.links if t == target_index}


def test_the_example_of_the_book_is_the_first_pair():
    first = ParallelCorpus().pairs(1)[0]
    assert first.source == ["the", "cat", "sat"]
    assert first.target == ["le", "chat", "était", "assis"]
    assert first.links == {(0, 0), (1, 1), (2, 2), (3, 2)}


def test_the_same_seed_gives_the_same_pairs_and_another_seed_others():
    again = ParallelCorpus(seed=3).pairs(50)
    assert ParallelCorpus(seed=3).pairs(50) == again
    assert ParallelCorpus(seed=3).pairs(80)[:50] == again
    assert ParallelCorpus(seed=4).pairs(50) != again


def test_no_sentence_is_in_two_splits_whatever_the_seed():
    seen = {}
    for seed, split in enumerate(("train", "valid", "test")):
        for pair in ParallelCorpus(seed).pairs(500, clauses=(1, 2), split=split):
            for text in (" ".join(pair.source), " ".join(pair.target)):
                assert seen.setdefault(text, split) == split, text


def test_no_sentence_twice(pairs):
    assert len({" ".join(p.source) for p in pairs}) == len(pairs) == 1200


def test_clauses_count_verbs():
    verbs = {"assis", "debout", "dormait", "attendait", "vu", "voyait", "regardé", "regardait",
             "aimé", "aimait", "suivi", "suivait", "porté", "portait", "fatigué", "heureux",
             "fatiguée", "heureuse"}  # fmt: skip
    for pair in ParallelCorpus().pairs(200, clauses=(3, 3)):
        finite = [
            t
            for t, w in enumerate(pair.target)
            if w in {"était", "a"} or (w in verbs and w.endswith("ait"))
        ]
        assert len(finite) == 3, pair.target


def test_about_sixty_source_words(pairs):
    assert 55 <= len({w for p in pairs for w in p.source}) <= 70


def test_every_target_word_has_a_link_and_indices_are_inside(pairs):
    for pair in pairs:
        assert {t for t, _ in pair.links} == set(range(len(pair.target)))
        assert all(0 <= s < len(pair.source) for _, s in pair.links)


def test_links_join_nouns_with_their_translation(pairs):
    for pair in pairs:
        for t, word in enumerate(pair.target):
            if word in NOUNS:
                assert words_of(pair, t) == {NOUNS[word].english}


def test_links_come_in_all_kinds(pairs):
    crossing = one_to_many = many_to_one = False
    for pair in pairs:
        links = sorted(pair.links)
        crossing |= any(a[0] < b[0] and a[1] > b[1] for a in links for b in links)
        one_to_many |= len(links) > len({s for _, s in links})
        many_to_one |= len(links) > len({t for t, _ in links})
    assert crossing and one_to_many and many_to_one


def test_determiners_and_adjectives_agree_with_their_noun(pairs):
    checked = 0
    for pair in pairs:
        for t, word in enumerate(pair.target):
            if word not in NOUNS:
                continue
            gender = NOUNS[word].gender
            around = [pair.target[i] for i in (t - 2, t - 1, t + 1) if 0 <= i < len(pair.target)]
            if t and pair.target[t - 1] in DETERMINERS:
                checked += 1
                assert DETERMINERS[pair.target[t - 1]] == gender, pair.target
            for near in around[1:]:
                if near in FORMS:
                    checked += 1
                    assert FORMS[near] == gender, pair.target
    assert checked > 500


def test_a_predicate_agrees_with_its_subject():
    checked = 0
    for pair in ParallelCorpus().pairs(600, clauses=(1, 1)):
        subject = next(NOUNS[w] for w in pair.target if w in NOUNS)
        start = pair.target.index("était") if "était" in pair.target else len(pair.target)
        for word in pair.target[start : start + 3]:
            if word in FORMS and word not in ("vieil", "bel"):
                checked += 1
                assert FORMS[word] == subject.gender, pair.target
    assert checked > 40


def test_nothing_is_left_unelided_or_uncontracted(pairs):
    for pair in pairs:
        for word, after in zip(pair.target, [*pair.target[1:], "."], strict=True):
            vowel = after[0] in VOWELS
            if word == "de":
                assert after not in ("le", "les")
            assert not (vowel and word in BEFORE_VOWEL), pair.target
            assert vowel or word not in BEFORE_VOWEL.values() or word == "mon", pair.target


def test_negation_stands_on_both_sides_of_the_verb(pairs):
    for pair in pairs:
        opened = [t for t, w in enumerate(pair.target) if w in ("ne", "n'")]
        for t in opened:
            assert pair.target[t + 2] in ("pas", "jamais"), pair.target
            english = {"pas": "not", "jamais": "never"}[pair.target[t + 2]]
            assert words_of(pair, t) == words_of(pair, t + 2) == {english}
        assert len(opened) == sum(w in ("pas", "jamais") for w in pair.target)


def test_an_indefinite_object_of_a_negated_verb_takes_de(pairs):
    for pair in pairs:
        for before, word in zip(pair.target, pair.target[1:], strict=False):
            assert not (before in ("pas", "jamais") and word in ("un", "une")), pair.target


def test_idioms_that_mean_something_else_do_not_occur(pairs):
    text = " | ".join(" ".join(p.target) for p in pairs)
    for idiom in ("vieille fille", "vieux garçon", "grand homme", "ma femme", "grande femme"):
        assert idiom not in text


def test_english_article(pairs):
    for pair in pairs:
        for word, after in zip(pair.source, pair.source[1:], strict=False):
            assert not (word == "a" and after[0] in "aeiou")
            assert not (word == "an" and after[0] not in "aeiou")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"clauses": (0, 2)}, "clauses must be"),
        ({"clauses": (3, 2)}, "clauses must be"),
        ({"split": "dev"}, "'dev'"),
    ],
)
def test_bad_requests(asked, words):
    with pytest.raises(ValueError, match=words):
        ParallelCorpus().pairs(1, **asked)


def test_more_pairs_than_there_are(monkeypatch):
    from course_lib.translation import corpus

    few = corpus.ParallelCorpus().pairs(3, clauses=(2, 2))
    monkeypatch.setattr(corpus, "_sentence", lambda rng, clauses: rng.choice(few))
    monkeypatch.setattr(corpus, "_finish", lambda pair: pair)
    with pytest.raises(ValueError, match="ran out of new sentences after 3 of 4"):
        corpus.ParallelCorpus().pairs(4, clauses=(2, 2))
