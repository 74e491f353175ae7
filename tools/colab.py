"""The cell that lets a notebook run in Colab: every notebook carries it, word for word."""

SNIPPET = """\
import importlib.util
import sys

if "google.colab" in sys.modules and importlib.util.find_spec("course_lib") is None:
    %pip install -q git+https://github.com/attention-course/attention"""
