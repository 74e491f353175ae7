"""A small Transformer: encoder, decoder, encoder–decoder and language model.

layers                      one block beside its equations, embeddings, feed-forward
positions                   biases on the scores: ALiBi and T5
stack                       blocks in sequence
encoder_decoder             a translator
language_model              a decoder alone
state                       what is carried from one token to the next
"""

from course_lib.transformer.encoder_decoder import EncoderDecoder
from course_lib.transformer.language_model import LanguageModel
from course_lib.transformer.layers import Embedding, FeedForward, Layer
from course_lib.transformer.stack import Stack
from course_lib.transformer.state import TransformerState

__all__ = [
    "Embedding",
    "EncoderDecoder",
    "FeedForward",
    "LanguageModel",
    "Layer",
    "Stack",
    "TransformerState",
]
