"""A small Transformer: encoder, decoder, encoder–decoder and language model.

config                      all settings in one frozen object, and those of today
layers                      one block beside its equations, embeddings, feed-forward
positions                   biases on the scores: ALiBi and T5
stack                       blocks in sequence
encoder_decoder             a translator
language_model              a decoder alone
state                       what is carried from one token to the next
"""

from course_lib.transformer.config import TODAY, TransformerConfig
from course_lib.transformer.encoder_decoder import EncoderDecoder
from course_lib.transformer.language_model import LanguageModel
from course_lib.transformer.layers import Embedding, FeedForward, GatedFeedForward, Layer
from course_lib.transformer.stack import Stack
from course_lib.transformer.state import TransformerState

__all__ = [
    "TODAY",
    "Embedding",
    "EncoderDecoder",
    "FeedForward",
    "GatedFeedForward",
    "LanguageModel",
    "Layer",
    "Stack",
    "TransformerConfig",
    "TransformerState",
]
