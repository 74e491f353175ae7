"""When something was handed in, as a moment and not as a text."""

import datetime

LATE = "late"  # in place of a date: the platform says so, and not by how much


def moment(date: str) -> datetime.datetime:
    """A date in ISO 8601 to compare with others: without an offset as if it were UTC; no date comes
    before all others, what is only known to be late behind them."""
    if date in ("", LATE):
        end = datetime.datetime.max if date else datetime.datetime.min
        return end.replace(tzinfo=datetime.UTC)
    time = datetime.datetime.fromisoformat(date)
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
