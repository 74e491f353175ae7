"""What a test of attention may never try with its masks."""

from collections.abc import Callable

from course_lib.exercises.write_the_test.use import Argument, Gap, Use


def _no_mask_forbids(use: Use) -> bool:
    return use.never(
        lambda mask: "constant" not in mask.marks or "row without True" in mask.marks, "mask"
    )


def _in_no_mask(holds: Callable[[Argument], bool]) -> Callable[[Use], bool]:
    """Of masks that forbid something; that none does is said for itself."""
    return lambda use: not _no_mask_forbids(use) and use.never(holds, "mask")


NO_MASK = (
    "You never hand in a mask, and half of what can go wrong goes wrong there. Give one, with a "
    "row that is False throughout."
)
MASKS = (
    Gap(
        "where a mask is handed in",
        ("the mask is ignored", "the mask is inverted", "the mask comes after the softmax",
         "the mask is transposed", "forbidden scores are 0 in place of −∞"),
        lambda use: bool(use.calls) and not any(use.all("mask")),
        NO_MASK,
    ),
    Gap(
        "where a row of the mask is False throughout",
        ("a query that may see nothing gets nan", "a query that may see nothing sees all"),
        _in_no_mask(lambda mask: "row without True" in mask.marks),
        "No mask of yours has an empty row. What if a query may see nothing?",
    ),
    Gap(
        "where each text has a mask of its own",
        ("the first text's mask holds for all texts",),
        _in_no_mask(lambda mask: len(mask.shape) > 2),
        "Your masks hold for all texts alike. Give one with an axis for the texts.",
    ),
    Gap(
        "where the rows of a mask differ",
        ("the first row of the mask holds for all queries", "the mask is transposed"),
        _in_no_mask(lambda mask: "rows differ" in mask.marks),
        "All rows of your masks are alike. Give a mask in which each query may see other keys.",
    ),
    Gap(
        "where a mask has False somewhere",
        ("the mask is ignored", "the mask comes after the softmax", "the mask is transposed",
         "forbidden scores are 0 in place of −∞", "the first text's mask holds for all texts",
         "the first row of the mask holds for all queries",
         "a query that may see nothing gets nan", "a query that may see nothing sees all"),
        _no_mask_forbids,
        "Your masks are True everywhere, so they forbid nothing. Draw one with False in it, as "
        "`torch.rand(T, S) < 0.5`, and make one of its rows False throughout.",
    ),
)  # fmt: skip
