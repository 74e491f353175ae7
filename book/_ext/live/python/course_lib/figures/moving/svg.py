"""Still pictures are for pages without JavaScript; here none is made."""

from course_lib.figures import __getattr__  # noqa: F401
