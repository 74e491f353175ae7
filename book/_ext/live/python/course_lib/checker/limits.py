"""A browser has no signals and one thread: what runs on and on is ended by the page's Stop."""

SECONDS = 10.0  # what an answer has elsewhere; a report here never names it
PATIENCE = 6


class TimeLimit(BaseException):
    """Never raised here."""


def within_limits(run, instead):
    return run()
