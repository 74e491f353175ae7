"""A table of shares that is worked over again and again, round by round."""

from course_lib.figures.moving import svg
from course_lib.figures.moving.figure import Figure
from course_lib.figures.numbers import check_labels, plain


def rounds_figure(tables, rows, columns, *, label: str = "Shares") -> Figure:
    """The map of each round, with a slider for the round, and a button that plays them.

    Args:
        tables: {round: shares (T, S)}, in rising order of the rounds. Rows give their shares to
            the columns.
        rows, columns: the labels.

    Raises:
        ValueError: for no table, or labels that do not fit one.
    """
    if not tables:
        raise ValueError("tables is empty; give the shares (T, S) of at least one round.")
    shown = {int(number): plain(table, f"round {number}", 2, 3) for number, table in tables.items()}
    first = next(iter(shown.values()))
    shape = len(first), len(first[0])
    rows = check_labels("row labels", rows, shape[0], shape)
    columns = check_labels("column labels", columns, shape[1], shape)
    for number, table in shown.items():
        if (len(table), len(table[0])) != shape:
            raise ValueError(
                f"round {number} is no table of {shape[0]} rows and {shape[1]} columns."
            )
    label = f"{label}, round by round"
    lines = [
        f"round {number}: "
        + "; ".join(
            f"{row} {' '.join(f'{share:.2f}' for share in shares)}"
            for row, shares in zip(rows, table, strict=True)
        )
        for number, table in shown.items()
    ]
    height = 90 + 34 * len(rows)
    last = list(shown.values())[-1]
    return Figure(
        "rounds",
        label,
        lines,
        height=height,
        data={
            "rounds": list(shown),
            "tables": list(shown.values()),
            "rows": rows,
            "columns": columns,
        },
        state={"at": 0},
        drawn=svg.heat(last, rows, columns, height=height),
        below=(136, 200),
    )
