"""Nothing is said here: a page's button says that Python loads, and a page has no threads."""

import contextlib

said_once = contextlib.nullcontext
