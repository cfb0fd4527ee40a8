"""Sounds: decoded by the wave module, compared with tensorboardX's writer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sightline
from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError
from sightline.writer.kinds import audio
from tests.writer.media import only_value, wav_frames
from tests.writer.reading import events_of

TONE = np.sin(np.arange(500) / 9).astype(np.float32)


def encoded(directory: Path, sound: Any, **options: Any) -> Any:
    """The audio message written for a sound."""
    run = directory / str(len(list(directory.iterdir())))
    with SummaryWriter(run, story=False) as writer:
        writer.add_audio("a", sound, **options)
    return only_value(run).audio


def test_a_sound_is_a_wav_file_in_the_legacy_field_without_metadata(
    writer: SummaryWriter, tmp_path: Path
) -> None:
    writer.add_audio("tone", TONE, 3, 8000, walltime=12.5)
    assert writer.close()
    event = events_of(tmp_path)[-1]
    assert (event.step, event.wall_time) == (3, 12.5)
    (value,) = event.summary.value
    assert (value.tag, value.WhichOneof("value")) == ("tone", "audio")
    assert not value.HasField("metadata")
    sound = value.audio
    assert (sound.sample_rate, sound.num_channels, sound.length_frames) == (8000, 1, 500)
    assert sound.content_type == "audio/wav"
    samples, rate_hz = wav_frames(sound.encoded_audio_string)
    assert rate_hz == 8000
    np.testing.assert_array_equal(samples[:, 0], (TONE * 32767).astype(np.int16))


@pytest.mark.parametrize("shape", [(500,), (500, 1), (1, 500), (1, 1, 500), (250, 2)])
def test_the_same_numbers_sound_as_those_of_tensorboardx(tmp_path: Path, shape: tuple[int, ...]) -> None:
    pytest.importorskip("soundfile")
    oracle = pytest.importorskip("tensorboardX.summary")
    ours = encoded(tmp_path, TONE.reshape(shape), sample_rate=16000)
    accepted = TONE.reshape(250, 2) if shape == (250, 2) else TONE
    theirs = oracle.audio("a", accepted, sample_rate=16000).value[0].audio
    for name in ("sample_rate", "num_channels", "length_frames", "content_type"):
        assert getattr(ours, name) == getattr(theirs, name), name
    left, rate_hz = wav_frames(ours.encoded_audio_string)
    right, _ = wav_frames(theirs.encoded_audio_string)
    assert (left.shape, rate_hz) == (right.shape, 16000)
    # soundfile multiplies by 32768 and rounds; torch, and with it Sightline, by 32767, and cuts off.
    assert np.abs(left.astype(int) - right).max() <= 2


def test_stereo_may_come_with_the_channels_first(tmp_path: Path) -> None:
    stereo = np.stack([TONE, -TONE], axis=1)
    first = encoded(tmp_path, stereo)
    assert (first.num_channels, first.length_frames) == (2, 500)
    assert first == encoded(tmp_path, stereo.T)


def test_a_single_sample_is_a_sound(tmp_path: Path) -> None:
    assert encoded(tmp_path, [0.5]).length_frames == 1
    assert encoded(tmp_path, np.float32(0.5)).length_frames == 1


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        ([-1, 0, 0.5, 1], np.float16, [-32767, 0, 16383, 32767]),
        ([-1, 0, 0.5, 1], np.float64, [-32767, 0, 16383, 32767]),
        ([-9, 9, np.inf, -np.inf], np.float32, [-32767, 32767, 32767, -32767]),
        ([False, True], np.bool_, [0, 32767]),
        ([-32768, -1, 5, 32767], np.int16, [-32768, -1, 5, 32767]),
        ([-128, 0, 127], np.int8, [-32768, 0, 32512]),
        ([0, 128, 255], np.uint8, [-32768, 0, 32512]),
        ([-(2**31), 0, 2**31 - 1], np.int32, [-32768, 0, 32767]),
        ([-40000, 7, 40000], np.int64, [-32768, 7, 32767]),
    ],
)
def test_every_type_has_its_rule(values: list[float], dtype: Any, expected: list[int]) -> None:
    assert audio.samples_from(np.array(values, dtype)).values.tolist() == expected


def test_what_is_too_loud_is_clipped_and_reported_once_per_tag(
    writer: SummaryWriter, caplog: pytest.LogCaptureFixture
) -> None:
    for step in range(2):
        writer.add_audio("a", [0.5, 1.5, -2], step)
        writer.add_audio("b", np.array([70_000, 1]), step)
    assert writer.close()
    assert [record.message for record in caplog.records] == [
        "'a': 2 samples are too loud; they are clipped (said once per tag)",
        "'b': 1 samples are too loud; they are clipped (said once per tag)",
    ]


def test_samples_that_are_no_number_are_silent_and_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    samples, _ = wav_frames(encoded(tmp_path, [0.5, np.nan, 1]).encoded_audio_string)
    assert samples[:, 0].tolist() == [16383, 0, 32767]
    assert "'a': 1 samples are not a number; they are silent" in caplog.text


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"snd_tensor": np.zeros((3, 500))}, r"\[frames\] or \[frames, 2\], not \(3, 500\)"),
        ({"snd_tensor": np.zeros((2, 2, 500))}, r"\[frames\]"),
        ({"snd_tensor": []}, "no sample"),
        ({"snd_tensor": np.zeros((0, 2))}, "no sample"),
        ({"snd_tensor": np.zeros(5, complex)}, "complex128"),
        ({"snd_tensor": np.zeros(5, np.uint16)}, "uint16"),
        ({"snd_tensor": "a sound"}, "Samples"),
        ({"sample_rate": 0}, "hertz"),
        ({"sample_rate": "fast"}, "hertz"),
        ({"sample_rate": float("inf")}, "hertz"),
        ({"sample_rate": 1 << 40}, "hertz"),
        ({"tag": 3}, "tag"),
    ],
)
def test_what_makes_no_sound_is_refused_in_the_call(
    writer: SummaryWriter, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadArgumentError, match=reason):
        writer.add_audio(**{"tag": "a", "snd_tensor": TONE, **changes})


def test_our_own_reader_gives_the_sound_back(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_audio("a", TONE, 4, 8000)
    writer.close()
    with sightline.open(str(tmp_path)) as log:
        item = log.wait()["."].audio["a"].at_step(4)
    assert (item.mime_type, item.sample_rate) == ("audio/wav", 8000)
    assert len(wav_frames(item.bytes)[0]) == 500
