"""Decoders of pictures, films and sounds, by other people's code: oracles of the media tests."""

from __future__ import annotations

import io
import wave
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tests.writer.reading import values_of


def only_value(directory: Path) -> Any:
    """The one summary value in a directory."""
    ((_, value),) = values_of(directory)
    return value


def pixels_of(data: bytes) -> NDArray[np.uint8]:
    """HWC pixels of an encoded picture, in the channels it has."""
    return np.asarray(Image.open(io.BytesIO(data)))


def assert_same_image(ours: Any, theirs: Any) -> None:
    """Two Summary.Image messages: the same fields, and after decoding the same pixels."""
    for name in ("height", "width", "colorspace"):
        assert getattr(ours, name) == getattr(theirs, name), name
    left, right = (pixels_of(one.encoded_image_string) for one in (ours, theirs))
    np.testing.assert_array_equal(left, right)


def gif_frames(data: bytes) -> tuple[list[NDArray[np.uint8]], list[int], int | None]:
    """Frames as RGB, their durations in milliseconds, and the number of repetitions (0: for ever)."""
    image = Image.open(io.BytesIO(data))
    frames, durations_ms = [], []
    for position in range(getattr(image, "n_frames", 1)):
        image.seek(position)
        frames.append(np.asarray(image.convert("RGB")))
        durations_ms.append(image.info["duration"])
    return frames, durations_ms, image.info.get("loop")


def wav_frames(data: bytes) -> tuple[NDArray[np.int16], int]:
    """Samples [frames, channels] and the rate."""
    with wave.open(io.BytesIO(data)) as file:
        assert file.getsampwidth() == 2
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
        return samples.reshape(-1, file.getnchannels()), file.getframerate()
