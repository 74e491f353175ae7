"""The figures that the page's own Python computes anew; the others keep their stored picture."""

from course_lib.figures import __getattr__  # noqa: F401
from course_lib.figures.moving.encoder_decoder import encoder_decoder_figure  # noqa: F401
from course_lib.figures.moving.online import online_softmax_figure  # noqa: F401
