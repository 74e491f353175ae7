"""What lab 7 asks in words, and what earns the points."""

from course_lib.checker.tasks import Written

WRITTEN = (
    Written(
        "which_head",
        2,
        "Which head tells best when a word was said? Choose it on some sequences of words whose "
        "times you know, and judge it on others, with pauses of different lengths. Compare its "
        "share with that of moments drawn at random, and with that of moments spread evenly from "
        "the beginning of the sound to its end.",
        (
            "1: chosen on some sequences and judged on others, both shares given",
            "1: chance and the even walk on the same sequences, and what follows from them",
        ),
    ),
    Written(
        "your_recording",
        4,
        "Take a recording in your language among the five, or your own voice. Give the text that "
        "was spoken and the text that was written, and the times of at least five words by the "
        "largest weight and by the path. Listen to each stretch: which of the two is right?",
        (
            "1: both texts, how they differ, and where the recording is from, or that it is yours",
            "2: five words with both times, each checked by listening",
            "1: where peak and path part, what was heard there",
        ),
    ),
    Written(
        "is_it_needed",
        3,
        "Silence the eight heads that the file lists, and as many others, drawn more than once; "
        "and exchange the sound of one word for another. What is written? Which of the two "
        "experiments says more about what the written word depends on?",
        (
            "1: the texts without the listed heads and without others, drawn more than once",
            "1: one word exchanged, and which written words change",
            "1: an answer to the last question that follows from what was seen",
        ),
    ),
    Written(
        "not_supported",
        1,
        "Write down one claim about these maps that sounds right and that your evidence does not "
        "support, and the measurement that would decide it.",
        ("1: the claim goes beyond the evidence, and the measurement could refute it",),
    ),
)
