"""A browser has no signals and one thread: what runs on and on is ended by the page's Stop."""


class TimeLimit(BaseException):
    """Never raised here."""


def within_limits(run, instead):
    return run()
