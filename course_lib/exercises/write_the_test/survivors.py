"""What the cases of a test say together, where no known mistake is the reason."""

from collections.abc import Callable, Collection, Mapping

from course_lib.exercises.write_the_test.candidates import ACCEPTS, REFUSES

MOST = 4  # mutants in one sentence
Groups = Mapping[tuple[str, ...], str]  # mutants that survive together, and why they may
ONLY_WRONG = (
    "Your test refuses what is right and accepts {0}. Perhaps what you compare with makes that "
    "very mistake, or one of them."
)
ROUNDING = (
    "Your test refuses some right implementations and accepts others. They differ in the order of "
    "their sums, so perhaps you compare exactly: give a tolerance, as in "
    "`torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)`."
)
NO_NUMBER = (
    "No mutant with other scores is refused. Perhaps you look at shapes, zeros and sums alone: "
    "write the formula once more in your test, and compare every number. Or the comparison cannot "
    'fail, as `assert (a == b, "words")`, whose brackets hold two things, which is always true.'
)
ATTENTION: Groups = {
    (
        "the scores are not scaled",
        "the scores are multiplied by √d",
        "the scores are divided by d",
    ): NO_NUMBER,
    ("the mask is ignored", "the mask is inverted", "the mask comes after the softmax"): (
        "The mutants of the mask survive: perhaps none is ever handed in. Give one, with a row "
        "that is False throughout, and compare what comes."
    ),
}
CAUSAL: Groups = {
    ("the scores are not scaled", "the first key is never seen"): NO_NUMBER,
    ("the first query stands beside the first key", "queries are moved the wrong way"): (
        "What differs only where T ≠ S survives: give few queries and many keys, as a model "
        "writes, and more queries than keys, too."
    ),
}
CACHE: Groups = {
    ("the scores are not scaled", "new values stand before old ones"): NO_NUMBER,
    ("the cache is ignored", "new positions stand before old ones"): (
        "What uses the cache wrongly survives: perhaps none is ever handed in. Call it again with "
        "the next positions and the cache that it returned."
    ),
    ("the scores are not scaled", "later pieces are not masked"): (
        "Perhaps you compare the function with itself, and let positions come one by one. Compare "
        "with the formula, and let several new positions come at once."
    ),
}


def of_survivors(groups: Groups, n_right: int) -> Callable[[Collection[str]], str | None]:
    """What is said of the names of the cases that fail, of which `n_right` could be right ones."""

    def sentence(failing: Collection[str]) -> str | None:
        refused = [name for name in failing if name.startswith(ACCEPTS)]
        accepted = {name.removeprefix(REFUSES) for name in failing} - {*refused}
        if len(refused) == n_right and accepted:
            listed = ", ".join(f"“{name}”" for name in sorted(accepted)[:MOST])
            return ONLY_WRONG.format(f"the mutant{'s' * (len(accepted) > 1)} {listed}")
        if refused:
            return ROUNDING if len(refused) < n_right else None
        return next((says for names, says in groups.items() if accepted >= {*names}), None)

    return sentence
