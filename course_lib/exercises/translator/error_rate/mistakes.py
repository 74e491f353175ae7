"""What goes wrong in `alignment_error_rate`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.translator.error_rate.task import alignment_error_rate

RATE = "1 - found / (len(predicted) + len(sure))"


def _share(these, those):
    return len(these & those) / len(these) if these else 0


MISTAKES = Mistakes(alignment_error_rate, globals())
MISTAKES.change("agreement", "1 - found", "found").says(
    "You return the agreement. The error rate is one minus it."
)
MISTAKES.change(
    "product-below", "len(predicted) + len(sure)", "len(predicted) * len(sure)"
).says("""
    You divide by |A| · |S|. The two sizes are added: |A| + |S|.
""")
MISTAKES.change(
    "one-minus-the-first",
    RATE,
    "(1 - len(predicted & sure) + len(predicted & possible)) / (len(predicted) + len(sure))",
).says("""
    You take the counts from 1 before you divide. Divide first: it is 1 minus the whole fraction.
""")
MISTAKES.change("sure-only", "+ len(predicted & possible)", "* 2").says("""
    You count the sure links twice and leave the possible ones out: add |A∩S| and |A∩P|.
""")
MISTAKES.change("possible-only", "len(predicted & sure) +", "2 *").says("""
    You count |A∩P| twice. Add |A∩S| and |A∩P|, so that a missed sure link costs more.
""")
MISTAKES.change("possible-missing", " + len(predicted & possible)", "").says(
    "You leave out |A∩P|: the numerator is |A∩S| + |A∩P|."
)
MISTAKES.change("sure-missing", "len(predicted & sure) + ", "").says("""
    You count each link once. The numerator is |A∩S| + |A∩P|: a sure link is possible, too, and
    counts twice.
""")
MISTAKES.change("divided-by-possible", "+ len(sure)", "+ len(possible)").says("""
    You divide by |A| + |P|. Divide by |A| + |S|: possible links need not be found.
""")
MISTAKES.change(
    "divided-by-union", "(len(predicted) + len(sure))", "len(predicted | sure)"
).says("""
    You divide by the size of the union. Add the sizes: |A| + |S|.
""")
MISTAKES.change(
    "precision", RATE, "1 - len(predicted & possible) / len(predicted) if predicted else 1.0"
).says("""
    This is one minus the precision, |A∩P| / |A|. The error rate looks at missed sure links too.
""")
MISTAKES.change("recall", RATE, "1 - len(predicted & sure) / len(sure) if sure else 1.0").says("""
    This is one minus the recall, |A∩S| / |S|. The error rate looks at wrong predicted links too.
""")
MISTAKES.change(
    "f-measure", RATE, "1 - (_share(predicted, possible) + _share(sure, predicted)) / 2"
).says("""
    You average precision and recall. The formula adds the counts first: 1 − (|A∩S| + |A∩P|) / (|A|
    + |S|).
""")
MISTAKES.change("no-special-case", "not predicted and not sure", "False").says("""
    When predicted and sure are both empty you divide by zero. Return 0.0 then.
""")
MISTAKES.change("empty-is-one", "return 0.0", "return 1.0").says(
    "Nothing predicted and nothing sure is no error: return 0.0."
)
MISTAKES.change("either-empty", "not predicted and not sure", "not predicted or not sure").says("""
    You return 0.0 when one of the sets is empty. Only when both are empty: predicting nothing where
    links are sure is an error of 1.
""")
MISTAKES.by(
    "turned", lambda predicted, *rest: alignment_error_rate({(s, t) for t, s in predicted}, *rest)
).says("""
    You turn the pairs round. All sets hold (target, source): compare them as they are.
""")
MISTAKES.change("percent", "1 - found", "100 - 100 * found").says(
    "You return a percentage. Return a fraction between 0 and 1."
)
MISTAKES.by("rounded", lambda *args: round(alignment_error_rate(*args), 2)).says(
    "You round the result. Return it as it is."
)


@MISTAKES.says("""
    You write into `predicted` (`&=` works in place). Use `predicted & sure`, which makes a new set.
""")
def changes_predicted(predicted, sure, possible):
    rate = alignment_error_rate(predicted, sure, possible)
    predicted &= possible
    return rate


family(
    MISTAKES,
    """This is one minus the F-measure of precision and recall. The formula adds the counts
    first: 1 − (|A∩S| + |A∩P|) / (|A| + |S|).""",
    harmonic_mean=(
        RATE,
        "1 - 2 * (p := _share(predicted, possible)) * (r := _share(sure, predicted)) "
        "/ (p + r or 1)",
    ),
    product=(RATE, "1 - _share(predicted, possible) * _share(sure, predicted)"),
)
family(
    MISTAKES,
    """`|` joins two sets: all links of both. What both have in common is `&`.""",
    joined=(
        "len(predicted & sure) + len(predicted & possible)",
        "len(predicted | sure) + len(predicted | possible)",
    ),
    joined_with_sure=("len(predicted & sure)", "len(predicted | sure)"),
    joined_with_possible=("len(predicted & possible)", "len(predicted | possible)"),
)
family(
    MISTAKES,
    """`predicted and sure` is no intersection: it gives one of the two sets whole. What both
    have in common is `predicted & sure`.""",
    word_and=(
        "len(predicted & sure) + len(predicted & possible)",
        "len(predicted and sure) + len(predicted and possible)",
    ),
)
family(
    MISTAKES,
    """You divide what two sets have in common by all that is in either, |A∩S| / |A∪S|. The rate
    looks at possible links as well: 1 − (|A∩S| + |A∩P|) / (|A| + |S|).""",
    jaccard=(RATE, "1 - len(predicted & sure) / len(predicted | sure)"),
    jaccard_of_possible=(RATE, "1 - len(predicted & possible) / len(predicted | possible)"),
)
family(
    MISTAKES,
    """Brackets are missing: `/` goes before `+` and `-`. Add the two counts in brackets, add
    the two sizes in brackets, divide, and take the result from 1.""",
    no_brackets_above=(
        RATE,
        "1 - len(predicted & sure) + len(predicted & possible) / (len(predicted) + len(sure))",
    ),
    no_brackets_above_plus=(
        RATE,
        "1 - (len(predicted & sure) + len(predicted & possible) / (len(predicted) + len(sure)))",
    ),
    no_brackets_below=(RATE, "1 - found / (len(predicted) or 1) + len(sure)"),
    no_brackets_below_plus=(RATE, "1 - (found / (len(predicted) or 1) + len(sure))"),
    one_minus_above=(RATE, "(1 - found) / (len(predicted) + len(sure))"),
)
family(
    MISTAKES,
    """`//` rounds to whole numbers. Divide with `/`.""",
    whole_division=("found / (", "found // ("),
)
family(
    MISTAKES,
    """You divide by other sizes than |A| + |S|. Possible links need not be found, and count in
    no size.""",
    divided_by_all_three=("+ len(sure))", "+ len(sure) + len(possible))"),
    divided_by_possible_alone=(RATE, "1 - found / len(possible)"),
    divided_by_the_larger=("(len(predicted) + len(sure))", "max(len(predicted), len(sure))"),
    divided_by_twice_predicted=("(len(predicted) + len(sure))", "(2 * len(predicted) or 1)"),
    divided_by_sure_and_possible=(
        "(len(predicted) + len(sure))",
        "(len(sure) + len(possible) or 1)",
    ),
)
family(
    MISTAKES,
    """You compare one word of each pair alone. A link is the whole pair (target, source).""",
    targets_alone=(
        "    found = ",
        "    predicted, sure, possible = ({t for t, _ in a} for a in (predicted, sure, possible))\n"
        "    found = ",
    ),
    sources_alone=(
        "    found = ",
        "    predicted, sure, possible = ({s for _, s in a} for a in (predicted, sure, possible))\n"
        "    found = ",
    ),
)
family(
    MISTAKES,
    """You compare the links in their order, the first with the first. Sets have none: what both
    have in common is `predicted & sure`.""",
    in_order=(
        "len(predicted & sure) + len(predicted & possible)",
        "sum(a == b for one in (sure, possible) for a, b in zip(sorted(predicted), sorted(one)))",
    ),
)
family(
    MISTAKES,
    """You count the links that are *not* among the marked ones (`-` takes away). What both have
    in common is `&`.""",
    differences=(
        "len(predicted & sure) + len(predicted & possible)",
        "len(predicted - sure) + len(predicted - possible)",
    ),
)
MISTAKES.change(
    "possible-of-the-union", RATE, "1 - len(predicted & possible) / len(predicted | sure)"
).says("""
    You divide |A∩P| by the size of the union, so a link that is predicted and sure counts once.
    It counts twice, above and below: 1 − (|A∩S| + |A∩P|) / (|A| + |S|).
""")
