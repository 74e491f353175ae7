"""What lab 6 asks in words, and what earns the points."""

from course_lib.checker.tasks import Written

WRITTEN = (
    Written(
        "four_kinds",
        2,
        "Name the two best heads of each of four kinds: first token, previous token, induction, "
        "and a kind whose score you define yourself. Say on which texts you measured and how the "
        "best compare with the other heads.",
        (
            "1: eight heads with their scores, on more than one text",
            "1: the fourth score is defined exactly, and the best heads are compared with the rest",
        ),
    ),
    Written(
        "grammar",
        3,
        "Find a head that follows grammar in one sentence (from a verb to its subject, from a "
        "pronoun to its noun). Then write ten pairs of sentences, so that the two sentences of a "
        "pair have different right words. In how many pairs does the head look most at the right "
        "word of each sentence?",
        (
            "1: head, sentence and weights",
            "1: ten pairs of the student's own, in which the right word changes",
            "1: the count is given as found, and the pairs that fail are shown",
        ),
    ),
    Written(
        "switched_off",
        2,
        "Switch off the four best heads of one kind, and four others. What happens to the loss on "
        "a repeated text and on an ordinary one?",
        (
            "1: the loss before and after, on both texts",
            "1: compared with other heads, drawn more than once",
        ),
    ),
    Written(
        "a_step",
        2,
        "Predict from the configuration the bytes that a step reads at two lengths, and from a "
        "bandwidth its seconds. Measure the steps. Where do prediction and measurement part?",
        (
            "1: bytes and seconds predicted, the bandwidth's source named, and seconds measured",
            "1: gives a reason for the difference that can be tested",
        ),
    ),
    Written(
        "not_supported",
        1,
        "Write down one claim about these heads that sounds right and that your evidence does not "
        "support, and the measurement that would decide it.",
        ("1: the claim goes beyond the evidence, and the measurement could refute it",),
    ),
)
