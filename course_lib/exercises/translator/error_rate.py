"""Task `alignment_error_rate`: how far predicted links are from what people marked."""

from course_lib.grading.tasks import Cases, Inputs, Sampler, task

SIDE = 6  # links are drawn out of a square of words


def alignment_error_rate(predicted, sure, possible):
    """Sure links have to be found and possible ones may be: recall asks about S, precision about P,
    and the rate joins the two. |A∩S| counts what had to be found, |A∩P| what was not wrong, and |A|
    + |S| is the largest that their sum can be. With nothing predicted and nothing sure there is
    nothing to get wrong, and 0/0 has to be caught.

    Cost: One look-up in a set for each link, O(|A|)."""
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


case = Cases(dtypes=("float64",))
case("some links right, some wrong", lambda s: draw(s, *(1 + s.rng.permutation(5)[:4]).tolist()))
case("all links right: 0", lambda s: draw(s, s.size, 0, 0, 0))
case("no link right: 1", lambda s: draw(s, 0, 0, s.size, s.size + 1))
case("nothing predicted and nothing sure: 0", lambda s: draw(s, 0, 0, 0, 0))
case.hidden("nothing predicted: 1", lambda s: draw(s, 0, 0, s.size, 0))
case.hidden("no sure links", lambda s: draw(s, 0, s.size + 1, 0, 1))
# As many predicted as sure links, where many formulas agree; not this one.
case.hidden("as many predicted as sure links", lambda s: draw(s, s.size, 2, s.size + 3, s.size + 1))
case.hidden("only possible links hit", lambda s: draw(s, 0, s.size, 1, 0))


def _counted(formula, predicted, sure, possible):
    """An answer out of |A|, |S|, |P|, |A∩S| and |A∩P|, right when predicted and sure are empty."""
    if not predicted and not sure:
        return 0.0
    sizes = len(predicted), len(sure), len(possible)
    return formula(*sizes, len(predicted & sure), len(predicted & possible))


class Mistakes:
    def agreement(*args):
        """You return the agreement. The error rate is one minus it."""
        return _counted(lambda a, s, p, a_s, a_p: (a_s + a_p) / (a + s), *args)

    def sure_only(*args):
        """You count the sure links twice and leave the possible ones out: add |A∩S| and |A∩P|."""
        return _counted(lambda a, s, p, a_s, a_p: 1 - 2 * a_s / (a + s), *args)

    def possible_only(*args):
        """You count |A∩P| twice. Add |A∩S| and |A∩P|, so that a missed sure link costs more."""
        return _counted(lambda a, s, p, a_s, a_p: 1 - 2 * a_p / (a + s), *args)

    def possible_missing(*args):
        """You leave out |A∩P|: the numerator is |A∩S| + |A∩P|."""
        return _counted(lambda a, s, p, a_s, a_p: 1 - a_s / (a + s), *args)

    def sure_missing(*args):
        """You leave out |A∩S|: the numerator is |A∩S| + |A∩P|."""
        return _counted(lambda a, s, p, a_s, a_p: 1 - a_p / (a + s), *args)

    def divided_by_possible(*args):
        """You divide by |A| + |P|. Divide by |A| + |S|: possible links need not be found."""
        return _counted(lambda a, s, p, a_s, a_p: 1 - (a_s + a_p) / (a + p), *args)

    def divided_by_union(*args):
        """You divide by the size of the union. Add the sizes: |A| + |S|."""
        return _counted(lambda a, s, p, a_s, a_p: 1 - (a_s + a_p) / (a + s - a_s), *args)

    def precision(*args):
        """This is one minus the precision, |A∩P| / |A|. The error rate looks at missed sure links
        too."""
        return _counted(lambda a, s, p, a_s, a_p: 1 - a_p / a if a else 1.0, *args)

    def recall(*args):
        """This is one minus the recall, |A∩S| / |S|. The error rate looks at wrong predicted links
        too."""
        return _counted(lambda a, s, p, a_s, a_p: 1 - a_s / s if s else 1.0, *args)

    def f_measure(*args):
        """You average precision and recall. The formula adds the counts first: 1 − (|A∩S| + |A∩P|)
        / (|A| + |S|)."""
        return _counted(
            lambda a, s, p, a_s, a_p: 1 - (a_p / a if a else 0) / 2 - (a_s / s if s else 0) / 2,
            *args,
        )

    def no_special_case(predicted, sure, possible):
        """When predicted and sure are both empty you divide by zero. Return 0.0 then."""
        found = len(predicted & sure) + len(predicted & possible)
        return 1 - found / (len(predicted) + len(sure))

    def empty_is_one(predicted, sure, possible):
        """Nothing predicted and nothing sure is no error: return 0.0."""
        return alignment_error_rate(predicted, sure, possible) if predicted or sure else 1.0

    def either_empty(predicted, sure, possible):
        """You return 0.0 when one of the sets is empty. Only when both are empty: predicting
        nothing where links are sure is an error of 1."""
        return alignment_error_rate(predicted, sure, possible) if predicted and sure else 0.0

    def turned(predicted, sure, possible):
        """You turn the pairs round. All sets hold (target, source): compare them as they are."""
        return alignment_error_rate({(s, t) for t, s in predicted}, sure, possible)

    def percent(*args):
        """You return a percentage. Return a fraction between 0 and 1."""
        return 100 * alignment_error_rate(*args)

    def rounded(*args):
        """You round the result. Return it as it is."""
        return round(alignment_error_rate(*args), 2)

    def changes_predicted(predicted, sure, possible):
        """You write into `predicted` (`&=` works in place). Use `predicted & sure`, which makes a
        new set."""
        rate = alignment_error_rate(predicted, sure, possible)
        predicted &= possible
        return rate


HINTS = (
    "Work one example on paper: predicted {(0, 0), (1, 1)}, sure {(0, 0)}, possible {(0, 0), (1, "
    "1)}. Four counts are needed, and the rate is 0: which counts are they?",
    "AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|). `&` of two sets is what they share.",
    "Return 0.0 when predicted and sure are both empty; then len(predicted & sure), len(predicted "
    "& possible) and two more lengths are all you need.",
)
ALIGNMENT_ERROR_RATE = task(alignment_error_rate, 3, case.all, Mistakes, HINTS)
