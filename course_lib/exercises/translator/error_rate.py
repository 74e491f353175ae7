"""Task `alignment_error_rate`: how far predicted links are from what people marked."""

from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task

SIDE = 6  # links are drawn out of a square of words


def alignment_error_rate(predicted, sure, possible):
    if not predicted and not sure:
        return 0.0
    found = len(predicted & sure) + len(predicted & possible)
    return 1 - found / (len(predicted) + len(sure))


def draw(s: Sampler, sure_hits: int, possible_hits: int, missed: int, wrong: int) -> Inputs:
    """The counts of predicted links that are sure, only possible, wrong; and of sure links that
    were missed. Two more links are possible, and nobody predicted them."""
    places = s.rng.permutation(SIDE * SIDE).tolist()
    counts = (sure_hits, possible_hits, missed, wrong, 2)
    hits, maybe, lost, off, spare = (
        {divmod(places.pop(), SIDE) for _ in range(count)} for count in counts
    )
    sure = hits | lost
    return Inputs((hits | maybe | off, sure, sure | maybe | spare))


def some(s: Sampler) -> Inputs:
    counts = 1 + s.rng.permutation(5)[:4]
    return draw(s, *(int(n) for n in counts))


def by_counts(s: Sampler) -> Inputs:
    """As many predicted as sure links, where many formulas agree; not this one."""
    return draw(s, s.size, 2, s.size + 3, s.size + 1)


def _counted(formula):
    """An answer out of |A|, |S|, |P|, |A∩S| and |A∩P|, right when predicted and sure are empty."""

    def answer(predicted, sure, possible):
        if not predicted and not sure:
            return 0.0
        sizes = len(predicted), len(sure), len(possible)
        return formula(*sizes, len(predicted & sure), len(predicted & possible))

    return answer


def _no_special_case(predicted, sure, possible):
    found = len(predicted & sure) + len(predicted & possible)
    return 1 - found / (len(predicted) + len(sure))


def _empty_is_one(predicted, sure, possible):
    return alignment_error_rate(predicted, sure, possible) if predicted or sure else 1.0


def _either_empty(predicted, sure, possible):
    return alignment_error_rate(predicted, sure, possible) if predicted and sure else 0.0


def _turned(predicted, sure, possible):
    return alignment_error_rate({(s, t) for t, s in predicted}, sure, possible)


def _in_place(predicted, sure, possible):
    rate = alignment_error_rate(predicted, sure, possible)
    predicted &= possible
    return rate


def _after(change):
    return lambda *args: change(alignment_error_rate(*args))


ONCE = {"dtypes": ("float64",)}

ALIGNMENT_ERROR_RATE = Task(
    name="alignment_error_rate",
    points=3,
    reference=alignment_error_rate,
    idea=(
        "Sure links have to be found and possible ones may be: recall asks about S, precision "
        "about P, and the rate joins the two. |A∩S| counts what had to be found, |A∩P| what "
        "was not wrong, and |A| + |S| is the largest that their sum can be. With nothing "
        "predicted and nothing sure there is nothing to get wrong, and 0/0 has to be caught."
    ),
    cost="One look-up in a set for each link, O(|A|).",
    cases=(
        Case("some links right, some wrong", some, **ONCE),
        Case("all links right: 0", lambda s: draw(s, s.size, 0, 0, 0), **ONCE),
        Case("no link right: 1", lambda s: draw(s, 0, 0, s.size, s.size + 1), **ONCE),
        Case("nothing predicted and nothing sure: 0", lambda s: draw(s, 0, 0, 0, 0), **ONCE),
        Case("nothing predicted: 1", lambda s: draw(s, 0, 0, s.size, 0), hidden=True, **ONCE),
        Case("no sure links", lambda s: draw(s, 0, s.size + 1, 0, 1), hidden=True, **ONCE),
        Case("as many predicted as sure links", by_counts, hidden=True, **ONCE),
        Case("only possible links hit", lambda s: draw(s, 0, s.size, 1, 0), hidden=True, **ONCE),
    ),
    mistakes=(
        Mistake(
            "agreement",
            "You return the agreement. The error rate is one minus it.",
            _counted(lambda a, s, p, a_s, a_p: (a_s + a_p) / (a + s)),
        ),
        Mistake(
            "sure-only",
            "You count the sure links twice and leave the possible ones out: add |A∩S| and |A∩P|.",
            _counted(lambda a, s, p, a_s, a_p: 1 - 2 * a_s / (a + s)),
        ),
        Mistake(
            "possible-only",
            "You count |A∩P| twice. Add |A∩S| and |A∩P|, so that a missed sure link costs more.",
            _counted(lambda a, s, p, a_s, a_p: 1 - 2 * a_p / (a + s)),
        ),
        Mistake(
            "possible-missing",
            "You leave out |A∩P|: the numerator is |A∩S| + |A∩P|.",
            _counted(lambda a, s, p, a_s, a_p: 1 - a_s / (a + s)),
        ),
        Mistake(
            "sure-missing",
            "You leave out |A∩S|: the numerator is |A∩S| + |A∩P|.",
            _counted(lambda a, s, p, a_s, a_p: 1 - a_p / (a + s)),
        ),
        Mistake(
            "divided-by-possible",
            "You divide by |A| + |P|. Divide by |A| + |S|: possible links need not be found.",
            _counted(lambda a, s, p, a_s, a_p: 1 - (a_s + a_p) / (a + p)),
        ),
        Mistake(
            "divided-by-union",
            "You divide by the size of the union. Add the sizes: |A| + |S|.",
            _counted(lambda a, s, p, a_s, a_p: 1 - (a_s + a_p) / (a + s - a_s)),
        ),
        Mistake(
            "precision",
            "This is one minus the precision, |A∩P| / |A|. The error rate looks at missed sure "
            "links too.",
            _counted(lambda a, s, p, a_s, a_p: 1 - a_p / a if a else 1.0),
        ),
        Mistake(
            "recall",
            "This is one minus the recall, |A∩S| / |S|. The error rate looks at wrong predicted "
            "links too.",
            _counted(lambda a, s, p, a_s, a_p: 1 - a_s / s if s else 1.0),
        ),
        Mistake(
            "f-measure",
            "You average precision and recall. The formula adds the counts first: "
            "1 − (|A∩S| + |A∩P|) / (|A| + |S|).",
            _counted(
                lambda a, s, p, a_s, a_p: 1 - (a_p / a if a else 0) / 2 - (a_s / s if s else 0) / 2
            ),
        ),
        Mistake(
            "no-special-case",
            "When predicted and sure are both empty you divide by zero. Return 0.0 then.",
            _no_special_case,
        ),
        Mistake(
            "empty-is-one",
            "Nothing predicted and nothing sure is no error: return 0.0.",
            _empty_is_one,
        ),
        Mistake(
            "either-empty",
            "You return 0.0 when one of the sets is empty. Only when both are empty: predicting "
            "nothing where links are sure is an error of 1.",
            _either_empty,
        ),
        Mistake(
            "turned",
            "You turn the pairs round. All sets hold (target, source): compare them as they are.",
            _turned,
        ),
        Mistake(
            "percent",
            "You return a percentage. Return a fraction between 0 and 1.",
            _after(lambda rate: 100 * rate),
        ),
        Mistake(
            "rounded", "You round the result. Return it as it is.", _after(lambda r: round(r, 2))
        ),
        Mistake(
            "changes-predicted",
            "You write into `predicted` (`&=` works in place). Use `predicted & sure`, which makes "
            "a new set.",
            _in_place,
        ),
    ),
    hints=(
        "Work one example on paper: predicted {(0, 0), (1, 1)}, sure {(0, 0)}, possible {(0, "
        "0), (1, 1)}. Four counts are needed, and the rate is 0: which counts are they?",
        "AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|). `&` of two sets is what they share.",
        "Return 0.0 when predicted and sure are both empty; then len(predicted & sure), "
        "len(predicted & possible) and two more lengths are all you need.",
    ),
)
