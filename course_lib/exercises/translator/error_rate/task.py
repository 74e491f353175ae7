"""The reference, the cases and the hints of `alignment_error_rate`."""

from course_lib.checker.tasks import Cases, Inputs, Sampler

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
case.example(({(0, 0), (1, 1), (2, 1)}, {(0, 0), (1, 2)}, {(0, 0), (1, 2), (1, 1)}))
case("some links right, some wrong", lambda s: draw(s, *(1 + s.rng.permutation(5)[:4]).tolist()))
case("all links right: 0", lambda s: draw(s, s.size, 0, 0, 0))
case("no link right: 1", lambda s: draw(s, 0, 0, s.size, s.size + 1))
case("nothing predicted and nothing sure: 0", lambda s: draw(s, 0, 0, 0, 0))
case.hidden("nothing predicted: 1", lambda s: draw(s, 0, 0, s.size, 0))
case.hidden("no sure links", lambda s: draw(s, 0, s.size + 1, 0, 1))
# As many predicted as sure links, where many formulas agree; not this one.
case.hidden("as many predicted as sure links", lambda s: draw(s, s.size, 2, s.size + 3, s.size + 1))
case.hidden("only possible links hit", lambda s: draw(s, 0, s.size, 1, 0))

HINTS = (
    "Work one example on paper: predicted {(0, 0), (1, 1)}, sure {(0, 0)}, possible {(0, 0), (1, "
    "1)}. Four counts are needed, and the rate is 0: which counts are they?",
    "AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|). `&` of two sets is what they share.",
    "Return 0.0 when predicted and sure are both empty; then len(predicted & sure), len(predicted "
    "& possible) and two more lengths are all you need.",
)
