"""The likeliest allowed piece is written at each step, and its row is that of its step."""

import pytest
import torch
from tokenizers import Tokenizer, decoders, models
from whisper_reference import small_model

from course_lib.published.transcribe import forbidden, transcribe

LETTERS = [chr(ord("a") + i) for i in range(20)]
END, START, ENGLISH, FRENCH, TRANSLATE, TRANSCRIBE, NO_SPEECH, NO_TIMES = range(20, 28)
SPECIAL = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|fr|>", "<|translate|>"]
SPECIAL += [
    "<|transcribe|>",
    "<|nocaptions|>",
    "<|notimestamps|>",
    "<|0.00|>",
    "<|0.02|>",
    "<|0.04|>",
]


@pytest.fixture
def model():
    return small_model()


@pytest.fixture(scope="module")
def tokenizer():
    vocabulary = {token: i for i, token in enumerate(LETTERS + SPECIAL)}
    made = Tokenizer(models.WordLevel(vocabulary, "a"))
    made.decoder = decoders.Fuse()
    made.add_special_tokens(SPECIAL)
    return made


@pytest.fixture
def sound():
    return torch.randn(1, 5, 28, generator=torch.Generator().manual_seed(3))


def by_reading_again(model, sound, begin, banned, first_banned, steps):
    """Greedy without a cache, every step reading all again."""
    tokens = list(begin)
    for step in range(steps):
        logits = model(sound, torch.tensor([tokens]))[0][0, -1].clone()
        logits[[*range(END + 1, 31), *banned, *(first_banned if step == 0 else [])]] = -torch.inf
        if (token := int(logits.argmax())) == END:
            break
        tokens.append(token)
    return tokens[len(begin) :]


@pytest.mark.parametrize("task", ["transcribe", "translate"])
@pytest.mark.parametrize("banned", [[], [3, 4, 7, END]])
def test_it_writes_what_reading_again_writes(model, tokenizer, sound, task, banned):
    begin = [START, FRENCH, TRANSLATE if task == "translate" else TRANSCRIBE, NO_TIMES]
    first = by_reading_again(model, sound, begin, banned, [], 1)
    model.never, model.never_first = banned, first
    said = transcribe(model, tokenizer, model.start(sound), language="fr", task=task, max_pieces=5)
    assert said.tokens == by_reading_again(model, sound, begin, banned, first, 5) != []
    assert not set(said.tokens) & set(banned) and said.tokens[0] not in first
    assert said.text == "".join(said.pieces) and said.pieces == [LETTERS[t] for t in said.tokens]
    logits, weights = model(sound, torch.tensor([begin + said.tokens]), need_weights=True)
    expected = torch.cat(weights)[:, :, 3:-1]  # of the steps that wrote a piece
    torch.testing.assert_close(said.weights, expected)
    chosen = logits[0, 3:-1].softmax(-1).gather(1, torch.tensor(said.tokens)[:, None])[:, 0]
    torch.testing.assert_close(torch.tensor(said.probabilities), chosen)
    assert said.no_speech == pytest.approx(float(logits[0, 0].softmax(0)[NO_SPEECH]))


def test_the_likeliest_language_is_taken_where_none_is_told(model, tokenizer, sound):
    heard = model.start(sound)
    logits = model(sound, torch.tensor([[START]]))[0][0, 0]
    likeliest = "en" if logits[ENGLISH] > logits[FRENCH] else "fr"
    said = transcribe(model, tokenizer, heard, max_pieces=2)
    assert said.language == likeliest
    assert (
        said.tokens == transcribe(model, tokenizer, heard, language=likeliest, max_pieces=2).tokens
    )
    assert heard.length == 0  # it can be written down again


def test_a_sound_of_which_nothing_is_written(model, tokenizer, sound):
    model.never = [t for t in range(31) if t != END]
    said = transcribe(model, tokenizer, model.start(sound), language="en", max_pieces=5)
    assert said.text == "" and said.pieces == [] and said.weights.shape == (2, 3, 0, 14)


def test_what_stands_behind_the_end_is_never_written(model, tokenizer):
    allowed = forbidden(model, tokenizer, first=True).isfinite()
    assert allowed.tolist() == [True] * 21 + [False] * 10


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"language": "xx"}, "language must be one such as 'en' or 'fr', got 'xx'"),
     ({"language": "translate"}, "got 'translate'"), ({"max_pieces": 6}, "at most 5, got 6"),
     ({"task": "summarize"}, "task must be one of transcribe, translate, got 'summarize'")],
)  # fmt: skip
def test_what_it_does_not_know_is_named(model, tokenizer, sound, changed, said, as_a_user):
    with pytest.raises(ValueError, match=said):
        transcribe(model, tokenizer, model.start(sound), **{"max_pieces": 5} | changed)


def test_several_sounds_and_a_sound_half_written_down_are_refused(model, tokenizer, sound):
    heard = model.start(sound)
    model(None, torch.tensor([[START]]), cache=heard)
    for bad in (model.start(sound.expand(2, -1, -1)), model.start(), heard):
        with pytest.raises(ValueError, match="one sound of which nothing was written: model"):
            transcribe(model, tokenizer, bad, max_pieces=5)


def test_a_tokenizer_without_these_tokens_is_named(model, sound):
    other = Tokenizer(models.WordLevel({"a": 0}, "a"))
    with pytest.raises(ValueError, match=r"the tokenizer has no <\|startof"):
        transcribe(model, other, model.start(sound), max_pieces=5)
