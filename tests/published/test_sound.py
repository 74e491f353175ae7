"""Sound from files and at other rates: read rightly, or a sentence that names what it is."""

import numpy as np
import pytest
import soundfile
import torch

from course_lib.published.log_mel import log_mel
from course_lib.published.sound import read_sound, resample


def tone(rate: int, hertz: float = 440, seconds: float = 0.5) -> torch.Tensor:
    """A tone that rises from silence and falls again."""
    t = torch.arange(round(seconds * rate), dtype=torch.double) / rate
    envelope = torch.sin(torch.pi * t / seconds).square()
    return (0.5 * envelope * torch.sin(2 * torch.pi * hertz * t)).float()


@pytest.mark.parametrize(
    ("end", "subtype", "atol"),
    [("wav", "PCM_U8", 8e-3), ("wav", "PCM_16", 4e-5), ("wav", "PCM_24", 1e-6),
     ("wav", "PCM_32", 1e-6), ("wav", "FLOAT", 1e-7), ("flac", "PCM_16", 4e-5),
     ("ogg", "OPUS", 0.05)],
)  # fmt: skip
def test_every_usual_kind_is_read(tmp_path, end, subtype, atol):
    path, samples = tmp_path / f"tone.{end}", tone(48_000)
    soundfile.write(path, samples.numpy(), 48_000, subtype=subtype)
    found, rate = read_sound(path)
    assert rate == 48_000 and found.dtype == torch.float32 and found.ndim == 1
    torch.testing.assert_close(found[: len(samples)], samples, atol=atol, rtol=0)


def test_channels_are_averaged(tmp_path):
    left, right = tone(44_100), tone(44_100, 880)
    soundfile.write(tmp_path / "two.wav", np.stack([left, right], 1), 44_100, subtype="FLOAT")
    found, rate = read_sound(str(tmp_path / "two.wav"))
    assert rate == 44_100
    torch.testing.assert_close(found, (left + right) / 2)


@pytest.mark.parametrize("content", [b"", b"RIFF", b"not a sound" * 99, b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_sound_is_named(tmp_path, content):
    path = tmp_path / "picture.wav"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"^picture.wav is no sound .*save it as WAV"):
        read_sound(path)


def test_a_sound_without_samples_and_a_missing_file_are_named(tmp_path):
    soundfile.write(tmp_path / "empty.wav", np.zeros(0), 8000)
    with pytest.raises(ValueError, match=r"^empty.wav holds no samples"):
        read_sound(tmp_path / "empty.wav")
    with pytest.raises(FileNotFoundError, match=r"there is no file .*missing.wav"):
        read_sound(tmp_path / "missing.wav")


@pytest.mark.parametrize("rate", [8000, 11_025, 22_050, 44_100, 48_000, 96_000])
def test_a_tone_sounds_the_same_at_another_rate(rate):
    found = resample(tone(rate), rate, 16_000)
    assert len(found) == 8000 or rate % 2  # ⌈11,025 / 2⌉ samples last a little longer
    torch.testing.assert_close(found[:8000], tone(16_000), atol=1e-3, rtol=0)


@pytest.mark.parametrize("rate", [22_050, 44_100, 48_000])
def test_what_lies_above_half_of_the_new_rate_is_cut_off(rate):
    assert resample(tone(rate, 9500), rate, 16_000).abs().max() < 1e-3
    assert tone(rate, 9500)[:: rate // 16_000].abs().max() > 0.4  # every nth sample is no answer


def test_features_hardly_depend_on_the_rate():
    found, expected = log_mel(tone(44_100), 44_100), log_mel(tone(16_000), 16_000)
    assert found.shape == expected.shape == (80, 3000)
    assert (found - expected).abs().mean() < 0.01


def test_half_a_minute_is_heard_and_no_sample_more():
    assert log_mel(torch.zeros(30 * 8000), 8000).shape == (80, 3000)
    with pytest.raises(ValueError, match=r"lasts 30.1 s, and this model hears 30 s at once"):
        log_mel(torch.zeros(30 * 8000 + 800), 8000)


@pytest.mark.parametrize(
    ("samples", "error", "said"),
    [(torch.zeros(0), ValueError, "n at least 1"), (torch.zeros(9, 2), ValueError, "average the"),
     (np.zeros(9, np.int16), TypeError, "divide integers of 16 bits by 32768"),
     (torch.tensor([0.0, torch.nan]), ValueError, "must be finite"),
     ("sound.wav", TypeError, "floats from −1 to 1, got str: use read_sound")],
)  # fmt: skip
def test_what_is_no_recording_is_refused(samples, error, said, as_a_user):
    with pytest.raises(error, match=said):
        log_mel(samples, 16_000)
    with pytest.raises(ValueError, match="rate must be"):
        log_mel(torch.zeros(9), 0)
