"""Colours and panels, of which a browser draws nothing."""

from course_lib.figures import __getattr__  # noqa: F401
