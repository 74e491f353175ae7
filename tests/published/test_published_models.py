"""Both models beside the library that people run them with, and beside numbers written down once.

The files are those that `make env` fetches (98 and 91 MB).
"""

import os

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer, BertConfig, BertModel

from course_lib.estimates import config_of, parameter_count
from course_lib.published import minilm, smollm2
from course_lib.published.releases import MODELS

pytestmark = [
    pytest.mark.xdist_group("published"),  # loaded once: 1.2 GB
    pytest.mark.skipif(os.environ.get("COURSE_MODELS") == "no", reason="COURSE_MODELS=no"),
]
ROME = "The capital of France is Paris. The capital of Italy is"
TIRED = "The animal didn't cross the street because it was too tired."
TEXTS = [ROME, "def f(x):\n    return x ** 2 + 3.14159\n", "Ünïcode 你好: it's 1234 o'clock"]
TEXTS.append("<|im_start|>user\nHello<|im_end|>\n")


@pytest.fixture(scope="module")
def language_model():
    return smollm2()


@pytest.fixture(scope="module")
def encoder():
    return minilm()


def ids(tokenizer, text: str) -> torch.Tensor:
    return torch.tensor([tokenizer.encode(text).ids])


def test_rome(language_model):
    model, tokenizer = language_model
    best = model(ids(tokenizer, ROME))[0][0, -1].topk(3)
    words = [tokenizer.decode([i]) for i in best.indices.tolist()]
    assert words == [" Rome", " Florence", " Italy"]
    expected = torch.tensor([14.9479, 12.5836, 12.2814])
    torch.testing.assert_close(best.values, expected, atol=1e-3, rtol=0)


def test_every_parameter_is_counted(language_model):
    model, _ = language_model
    assert sum(p.numel() for p in model.parameters()) == 134_515_008
    assert parameter_count(config_of(model)) == 134_515_008


def test_the_cache_writes_what_reading_again_writes(language_model):
    model, tokenizer = language_model
    prompt = ids(tokenizer, "Once upon a time, a small cat")
    cached, again = (model.generate(prompt, 8, use_cache=c) for c in (True, False))
    assert cached.tolist() == again.tolist()
    assert tokenizer.decode(cached[0].tolist()).startswith("Once upon a time, a small cat named")


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_go_there_and_back(language_model, text):
    _, tokenizer = language_model
    assert tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False) == text


def test_a_text_beyond_the_context_is_refused(language_model):
    model, _ = language_model
    with pytest.raises(ValueError, match="8,193 tokens, and this model reads at most 8,192"):
        model(torch.zeros(1, 8193, dtype=torch.long))
    caches = model.new_caches()
    model(torch.zeros(1, 3, dtype=torch.long), caches=caches)
    with pytest.raises(ValueError, match="8,193 tokens"):
        model(tokens=torch.zeros(1, 8190, dtype=torch.long), caches=caches)


@pytest.fixture(scope="module")
def reference():
    """SmolLM2 as `transformers` reads it from the same file."""
    file = MODELS["smollm2"].files[0].kept
    where = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
    options = {"dtype": torch.float32, "attn_implementation": "eager"}
    model = AutoModelForCausalLM.from_pretrained(**where, **options).eval()
    return model, AutoTokenizer.from_pretrained(**where)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_smollm2_equals_transformers(language_model, reference):
    model, tokenizer = language_model
    theirs, their_tokenizer = reference
    for text in TEXTS:
        tokens = ids(tokenizer, text)
        assert tokens[0].tolist() == their_tokenizer(text).input_ids
        logits, weights = model(tokens, need_weights=True)
        with torch.no_grad():
            expected = theirs(tokens, output_attentions=True)
        torch.testing.assert_close(logits, expected.logits, atol=1e-3, rtol=0)
        assert len(weights) == 30
        for ours, other in zip(weights, expected.attentions, strict=True):
            torch.testing.assert_close(ours, other, atol=1e-4, rtol=0)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_minilm_equals_transformers(encoder):
    model, tokenizer = encoder
    sizes = {"hidden_size": 384, "num_hidden_layers": 6, "intermediate_size": 1536}
    theirs = BertModel(BertConfig(**sizes, attn_implementation="eager")).eval()
    found = load_file(MODELS["minilm"].files[0].kept)
    found.pop("embeddings.position_ids", None)  # 0, 1, 2, …: no parameter
    theirs.load_state_dict(found)
    for text in (TIRED, ROME, "Attention."):
        tokens = ids(tokenizer, text)
        states, weights = model(tokens, need_weights=True)
        with torch.no_grad():
            expected = theirs(tokens, output_attentions=True)
        torch.testing.assert_close(states, expected.last_hidden_state, atol=1e-4, rtol=0)
        for ours, other in zip(weights, expected.attentions, strict=True):
            torch.testing.assert_close(ours, other, atol=1e-4, rtol=0)


@pytest.mark.parametrize(("end", "weight"), [("tired", 0.68), ("wide", 0.28)])
def test_it_in_two_sentences(encoder, end, weight):
    model, tokenizer = encoder
    encoded = tokenizer.encode(TIRED.replace("tired", end))
    weights = model(torch.tensor([encoded.ids]), need_weights=True)[1][3][0, 1]
    it, animal = encoded.tokens.index("it"), encoded.tokens.index("animal")
    assert abs(float(weights[it, animal]) - weight) < 0.01


def test_padding_changes_nothing(encoder):
    model, tokenizer = encoder
    tokens = ids(tokenizer, TIRED)
    padded = torch.cat([tokens, tokens.new_zeros(1, 4)], dim=1)
    mask = (torch.arange(padded.shape[1]) < tokens.shape[1])[None, None]
    states = model(padded, mask)[0][:, : tokens.shape[1]]
    torch.testing.assert_close(states, model(tokens)[0], atol=1e-5, rtol=0)


def test_more_word_pieces_than_positions_are_refused(encoder):
    model, _ = encoder
    with pytest.raises(ValueError, match=r"513 word pieces.*a position for 512"):
        model(torch.zeros(1, 513, dtype=torch.long))
