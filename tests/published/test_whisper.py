"""Whisper beside the library that people run it with: small with random weights, and the real one.

The real one's files are those that `make env` fetches (148 MB), and so are the recordings.
"""

import os
import shutil

import pytest
import torch
from transformers import GenerationConfig, WhisperFeatureExtractor
from whisper_reference import SMALL, ctranslate2_bytes, reference, small_arrays

from course_lib.published import transcribe, voices, whisper
from course_lib.published.ctranslate2 import read_arrays
from course_lib.published.files import published_files
from course_lib.published.log_mel import log_mel
from course_lib.published.transcribe import TASKS
from course_lib.published.voices import VOICES
from course_lib.published.whisper import from_arrays

without = pytest.mark.skipif(os.environ.get("COURSE_MODELS") == "no", reason="COURSE_MODELS=no")
published = pytest.mark.xdist_group("published")
BASE = {"layers": 6, "heads": 8, "width": 512, "hidden": 2048, "vocabulary": 51865}
BASE |= {"bands": 80, "states": 1500, "text": 448}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A small model and its reference, from a file in two parts that cut an array in two."""
    content, folder = ctranslate2_bytes(small_arrays()), tmp_path_factory.mktemp("small")
    halves = [folder / "part1", folder / "part2"]
    halves[0].write_bytes(content[: len(content) // 2])
    halves[1].write_bytes(content[len(content) // 2 :])
    arrays = read_arrays(halves)
    return from_arrays(arrays), reference(arrays, SMALL)


def features(batch: int = 2, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(batch, SMALL["bands"], 2 * SMALL["states"], generator=generator)


TOKENS = torch.tensor([[3, 1, 4, 1, 5, 9], [30, 0, 2, 6, 5, 3]])


def agree(ours, theirs, sound, tokens, atol):
    """States, logits and all weights; the logits with a cache, too."""
    logits, weights = ours(sound, tokens, need_weights=True)
    with torch.no_grad():
        expected = theirs(sound, decoder_input_ids=tokens, output_attentions=True)
    close = {"atol": atol, "rtol": 0}
    torch.testing.assert_close(ours.encode(sound), expected.encoder_last_hidden_state, **close)
    torch.testing.assert_close(logits, expected.logits, **close)
    assert len(weights) == len(expected.cross_attentions)
    for one, other in zip(weights, expected.cross_attentions, strict=True):
        torch.testing.assert_close(one, other, **close)
    cache = ours.start(sound)
    steps = [ours(None, tokens[:, :2], cache=cache)[0]]
    steps += [ours(None, one, cache=cache)[0] for one in tokens[:, 2:].split(1, dim=1)]
    torch.testing.assert_close(torch.cat(steps, 1), expected.logits, **close)


def test_a_small_one_equals_transformers(small):
    agree(*small, features(), TOKENS, atol=1e-5)


def test_the_sound_is_read_once(small, monkeypatch):
    model, sound = small[0], features()
    whole = model(sound, TOKENS)[0]
    cache = model.start()
    first, weights = model(sound, TOKENS[:, :3], cache=cache)
    assert weights is None and len(cache.caches[0]) == cache.length == 3
    monkeypatch.setattr(model, "encode", None)  # the encoder does not run again
    rest = model(sound.clone(), TOKENS[:, 3:], cache=cache, need_weights=True)
    torch.testing.assert_close(torch.cat([first, rest[0]], 1), whole)
    assert [w.shape for w in rest[1]] == [(2, 3, 3, 14)] * 2
    cache.crop(3)
    torch.testing.assert_close(model(None, TOKENS[:, 3:], cache=cache)[0], rest[0])


def test_another_sound_needs_another_cache(small):
    model = small[0]
    with pytest.raises(ValueError, match="has heard another sound"):
        model(features(seed=1), TOKENS, cache=model.start(features()))
    with pytest.raises(ValueError, match="nothing was heard yet"):
        model(None, TOKENS)


@pytest.mark.parametrize("shape", [(5, 28), (1, 5, 27), (1, 4, 28)])
def test_features_of_another_shape_are_refused(small, shape, as_a_user):
    with pytest.raises(ValueError, match=r"must be \(B, 5, 28\), got \("):
        small[0](torch.zeros(shape), TOKENS)


def test_more_pieces_than_positions_are_refused(small):
    model, cache = small[0], small[0].start(features())
    model(None, TOKENS, cache=cache)
    with pytest.raises(IndexError, match="max_length = 9"):
        model(None, TOKENS[:, :4], cache=cache)


def test_an_array_too_many_or_too_few_is_no_model():
    arrays = {name: torch.as_tensor(array).float() for name, array in small_arrays().items()}
    with pytest.raises(KeyError, match="conv3"):
        from_arrays(arrays | {"encoder/conv3/weight": torch.zeros(1)})
    arrays.pop("encoder/layer_1/ffn/linear_0/bias")
    with pytest.raises(RuntimeError, match=r"Missing key.*encoder.layers.1.feed_forward.0.bias"):
        from_arrays(arrays)


def test_a_file_of_another_format_or_cut_short_is_named(tmp_path):
    content, path = ctranslate2_bytes(small_arrays()), tmp_path / "model.bin"
    path.write_bytes(b"\5" + content[1:])
    with pytest.raises(ValueError, match="is of format 5; read here is format 6"):
        read_arrays([path])
    path.write_bytes(content[:-200])
    with pytest.raises(ValueError, match=r"model.bin ends too early: \d+ bytes are missing"):
        read_arrays([path])


def sweep() -> torch.Tensor:
    """Ten seconds that rise from 100 to 3,000 Hz, with noise."""
    t = torch.arange(160_000) / 16_000
    noise = torch.randn(len(t), generator=torch.Generator().manual_seed(0))
    return 0.3 * torch.sin(2 * torch.pi * (100 * t + 145 * t**2)) + 0.01 * noise


@pytest.fixture(scope="module")
def base():
    return whisper()


@pytest.fixture(scope="module")
def theirs():
    arrays = read_arrays([published_files(name)[0] for name in ("whisper", "whisper-part2")])
    assert len(arrays) == 212
    return reference(arrays, BASE)


@without
@published
@pytest.mark.slow
def test_whisper_base_equals_transformers(base, theirs):
    model, tokenizer = base
    assert sum(p.numel() for p in model.parameters()) == 72_593_920 + 18 * 512
    sound = log_mel(sweep(), 16_000)[None]
    tokens = tokenizer.encode("<|en|><|transcribe|>", add_special_tokens=False).ids
    tokens = [50258, *tokens, 50363, *tokenizer.encode(" It rises.", add_special_tokens=False).ids]
    agree(model, theirs, sound, torch.tensor([tokens]), atol=1e-3)


@without
@published
@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_recording_is_written_down_as_transformers_does(base, theirs):
    if not VOICES["fr"].file.kept.exists() and not shutil.which("apt-get"):
        pytest.skip("apt-get is not installed")
    model, tokenizer = base
    recording = next(r for r in voices("fr") if r.name == "conf-invalid")
    sound = log_mel(recording.samples, recording.rate)[None]
    heard, number = model.start(sound), tokenizer.token_to_id
    rules = GenerationConfig(
        suppress_tokens=model.never,
        begin_suppress_tokens=model.never_first,
        lang_to_id={"<|fr|>": number("<|fr|>")},
        task_to_id={task: number(f"<|{task}|>") for task in TASKS},
        is_multilingual=True,
        no_timestamps_token_id=number("<|notimestamps|>"),
        decoder_start_token_id=number("<|startoftranscript|>"),
        eos_token_id=number("<|endoftext|>"),
        pad_token_id=number("<|endoftext|>"),
        max_length=100,
    )
    for task, beginning in zip(TASKS, ("Ce numéro de conférence", "This number"), strict=True):
        said = transcribe(model, tokenizer, heard, task=task)
        options = {"language": "fr", "task": task, "return_timestamps": False}
        expected = theirs.generate(sound, generation_config=rules, **options)
        assert said.tokens == expected[0].tolist() and said.text.startswith(beginning)
        assert said.language == "fr" and said.no_speech < 0.05
        assert said.weights.shape == (6, 8, len(said.tokens), 1500)
    tokens = [50258, number("<|fr|>"), number("<|transcribe|>"), 50363, *said.tokens]
    agree(model, theirs, sound, torch.tensor([tokens]), atol=1e-3)


def test_log_mel_equals_transformers():
    theirs = WhisperFeatureExtractor(feature_size=80)
    for samples in (sweep(), sweep()[:1600], torch.zeros(8000)):
        expected = theirs(samples.numpy(), sampling_rate=16_000).input_features[0]
        torch.testing.assert_close(
            log_mel(samples, 16_000), torch.tensor(expected), atol=1e-4, rtol=0
        )
