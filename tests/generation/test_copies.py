"""What a decoder carries may be copied and saved, wherever a gradient flows."""

import copy
import pickle

import pytest
import torch

from course_lib.transformer import EncoderDecoder, LanguageModel
from course_lib.translation import Seq2Seq

TOKENS, LENGTHS = torch.tensor([[4, 5, 6], [7, 8, 4]]), torch.tensor([3, 2])
START = torch.tensor([2, 2])


def recurrent(**settings):
    model = Seq2Seq(9, 9, hidden_dim=8, **settings).eval()
    return model, lambda: model.encode(TOKENS, LENGTHS)


def transformer(**settings):
    model = EncoderDecoder(9, 9, d_model=8, num_heads=2, **settings).eval()
    return model, lambda: model.start(TOKENS, LENGTHS)


def language(**settings):
    model = LanguageModel(9, d_model=8, num_heads=2, **settings).eval()
    return model, lambda: model.prefill(TOKENS)[1]


STATES = {
    "none": lambda: recurrent(attention="none"),
    "additive": lambda: recurrent(attention="additive", order="bahdanau"),
    "fed": lambda: recurrent(input_feeding=True),
    "transformer": transformer,
    "rotary": lambda: language(positions="rotary"),
    "window": lambda: language(positions="rotary", window=2, sinks=1),
}
COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),
}


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad, torch.inference_mode])
@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", STATES)
def test_a_copy_goes_on_as_the_state_does(name, way, mode):
    model, start = STATES[name]()
    with mode():
        state = start()
        again = COPIES[way](state)
        for _ in range(3):
            logits, state, _ = model.step(START, state)
            same, again, _ = model.step(START, again)
            torch.testing.assert_close(same, logits)
            again = COPIES[way](again)
