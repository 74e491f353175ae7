"""What two calls might share: a state, the model's own logits, a buffer, a mode, a list."""

import copy

import pytest
import torch

from course_lib import KeyValueCache, MultiHeadAttention
from course_lib.generation import beam_search, greedy_search
from course_lib.transformer import EncoderDecoder, LanguageModel, TransformerConfig
from course_lib.translation import ParallelCorpus, Seq2Seq, Translator, Vocabulary

SOURCE, LENGTHS = torch.tensor([[4, 5, 6], [7, 8, 0]]), torch.tensor([3, 2])
START = torch.tensor([2, 2])
SEARCHES = {
    "greedy": lambda m, s, **o: greedy_search(m, START, s, 6, end=3, **o),
    "beam": lambda m, s, **o: beam_search(m, START, s, 6, 3, end=3, **o),
}
searches = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)


def build(kind, seed=0, dropout=0.0):
    torch.manual_seed(seed)
    if kind == "transformer":
        return EncoderDecoder(11, 11, d_model=16, num_heads=2, window=3, dropout=dropout)
    settings = {"order": "bahdanau"} if kind == "additive" else {}
    return Seq2Seq(11, 11, attention=kind, hidden_dim=8, dropout=dropout, **settings)


def begin(model):
    start = model.start if isinstance(model, EncoderDecoder) else model.encode
    return start(SOURCE, LENGTHS)


@searches
@pytest.mark.parametrize("kind", ["transformer", "additive", "general", "none"])
def test_one_start_may_be_searched_twice_and_stepped_on(kind, search):
    for seed in range(3):
        model = build(kind, seed).eval()
        with torch.no_grad():
            state, fresh = begin(model), begin(model)
            found = [search(model, state)[0] for _ in range(2)]
            assert found[0] == found[1]
            expected, got = model.step(START, fresh)[0], model.step(START, state)[0]
        torch.testing.assert_close(got, expected)


@pytest.mark.parametrize("window", [None, 2])
def test_a_copy_of_a_state_shares_nothing_that_comes(window):
    model = LanguageModel(11, d_model=16, num_heads=2, window=window).eval()
    text = torch.randint(11, (2, 9))
    whole, _ = model(text)
    with torch.no_grad():
        _, state = model.prefill(text[:, :4])
        state = state.reorder(torch.tensor([1, 0]))
        twins = [state, copy.copy(state), copy.deepcopy(state)]
        for t in range(4, 9):
            for i, twin in enumerate(twins):  # the second reads another text
                given = text.flip(0)[:, t] if i != 1 else torch.zeros(2, dtype=torch.long)
                logits = model.step(given, twin)[0]
                if i != 1:
                    torch.testing.assert_close(logits, whole.flip(0)[:, t])


@searches
def test_a_search_leaves_the_models_logits_alone(search):
    table = torch.randn(11, 11)
    before = table.clone()

    class Model:
        def step(self, tokens, state):
            return table if len(tokens) == 11 else table[: len(tokens)], state, None

    class State:
        def reorder(self, index):
            return self

    search(Model(), State(), forbidden=(1, 5))
    assert torch.equal(table, before)
    with pytest.raises(ValueError, match="forbidden is token 11"):
        search(Model(), State(), forbidden=(11,))


@searches
@pytest.mark.parametrize("bad", [torch.nan, torch.inf, -torch.inf])
def test_a_search_refuses_what_a_draw_refuses(search, bad):
    class Model:
        def step(self, tokens, state):
            logits = torch.zeros(len(tokens), 5)
            logits[-1, 1 if bad != -torch.inf else slice(None)] = bad
            return logits, state, None

        def reorder(self, index):
            return self

    with pytest.raises(ValueError, match="there is no likeliest token"):
        search(Model(), Model())


@searches
@pytest.mark.parametrize("kind", ["transformer", "general"])
def test_no_dropout_while_searching_and_the_mode_comes_back(kind, search):
    model = build(kind, dropout=0.5)
    with torch.no_grad():
        state = begin(model.eval())
        expected = search(model, state)[0]
        model.train()
        assert all(search(model, state)[0] == expected for _ in range(3))
    assert all(module.training for module in model.modules())


@pytest.mark.parametrize("grad", [True, False])
@pytest.mark.parametrize("window", [None, 2])
def test_a_callers_buffer_is_its_own_again(grad, window):
    with torch.set_grad_enabled(grad):
        cache, twin = KeyValueCache(window), KeyValueCache(window)
        k, v = torch.empty(1, 2, 2, 3), torch.empty(1, 2, 2, 4)
        for t in range(4):
            k.fill_(t + 1), v.fill_(-t - 1)
            cache.append(k, v)
            twin.append(k.clone(), v.clone())
            k.zero_(), v.zero_()
        assert torch.equal(cache.keys, twin.keys) and torch.equal(cache.values, twin.values)
        assert cache.keys.abs().min() > 0


def test_what_is_returned_is_not_what_was_given():
    prompt = torch.tensor([[1, 2]])
    LanguageModel(9, d_model=8, num_heads=2).generate(prompt, 0).zero_()
    assert prompt.tolist() == [[1, 2]]
    first = ParallelCorpus().pairs(1)[0]
    first.source.append("?"), first.links.clear()
    assert ParallelCorpus().pairs(1)[0].source == ["the", "cat", "sat"]
    assert ParallelCorpus().pairs(1)[0].links
    windows, settings = [2, None], {"a": 1}
    config = TransformerConfig(window=windows)
    words = Vocabulary([["a"]])
    translator = Translator(build("none"), words, words, settings)
    windows[0] = settings["a"] = 9
    assert config.windows == (2, None) and translator.settings == {"a": 1}


@pytest.mark.parametrize("search", ["greedy", "beam"])
def test_each_row_has_its_own_longest_length(search):
    """A sentence searched alone and in any batch, the limits being its own."""
    for seed in range(4):
        model = build("general", seed).eval()
        torch.nn.init.normal_(model.decoder.W_o.weight, std=1.5)
        source, lengths = torch.randint(4, 11, (5, 4)), torch.tensor([4, 3, 1, 2, 4])
        limits = [1, 7, 3, 0, 5]

        def run(rows, most, model=model, source=source, lengths=lengths):
            first = torch.full((len(rows),), 2)
            state = model.encode(source[rows], lengths[rows])
            if search == "greedy":
                return greedy_search(model, first, state, most, end=3)[0]
            return beam_search(model, first, state, most, 3, end=3)[0]

        together = run([0, 1, 2, 3, 4], limits)
        assert together == [run([i], limits[i])[0] for i in range(5)]
        assert all(len(ids) <= most for ids, most in zip(together, limits, strict=True))


@pytest.mark.parametrize("beam", [1, 3])
def test_a_translation_alone_and_in_any_batch(beam):
    words = Vocabulary([list("abcd")])
    sentences = [list("b"), list("caabdcab"), list("dd"), list("acb"), list("bad")]
    for seed in range(3):
        torch.manual_seed(seed)
        model = Seq2Seq(len(words), len(words), hidden_dim=16, attention="general")
        translator = Translator(model.double(), words, words)
        alone = [translator.translate([s], beam)[0].words for s in sentences]
        for batch_size in (1, 2, 3, 5):
            found = translator.translate(sentences, beam, batch_size=batch_size)
            assert [t.words for t in found] == alone


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_a_state_dict_that_was_cast_rounds_no_angle(dtype):
    torch.manual_seed(0)
    sizes = {"d_model": 16, "num_heads": 2, "positions": "rotary"}
    model, loaded = LanguageModel(9, **sizes), LanguageModel(9, **sizes)
    state = {name: x.to(dtype) for name, x in model.state_dict().items()}
    loaded.load_state_dict(state)
    with torch.device("meta"):
        empty = LanguageModel(9, **sizes)
    empty.load_state_dict(state, assign=True)
    for one in (loaded, empty):
        angles = one.stack.layers[0].self_attention.rotary_frequencies
        assert angles.dtype == torch.float64
        assert torch.equal(angles, model.stack.layers[0].self_attention.rotary_frequencies)


def test_rounded_angles_of_another_model_are_refused():
    attention, stretched = (MultiHeadAttention(8, 2, rotary_base=1e4) for _ in range(2))
    stretched.rotary_frequencies = stretched.rotary_frequencies / 4
    attention.load_state_dict(stretched.state_dict())  # exact ones are taken as they are
    assert torch.equal(attention.rotary_frequencies, stretched.rotary_frequencies)
    state = {name: x.bfloat16() for name, x in stretched.state_dict().items()}
    with pytest.raises(RuntimeError, match=r"rotary_frequencies was rounded to torch\.bfloat16"):
        MultiHeadAttention(8, 2, rotary_base=1e4).load_state_dict(state)
