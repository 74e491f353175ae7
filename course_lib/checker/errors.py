"""What ends a command, each with the sentence that the person at the terminal needs."""


class InputError(ValueError):
    """The input itself cannot be used; the message says what is needed."""


class ProfileError(RuntimeError):
    """No sandbox can be built here; the message says what to install."""


class GradebookError(RuntimeError):
    """The gradebook cannot be written or read; grading must stop, loudly."""
