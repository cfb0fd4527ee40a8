"""From arrays to what TensorFlow's summaries hold: tensors with raw content, metadata, pixels and samples.

Pure functions. TensorFlow writes every number as raw bytes in ``tensor_content``, single ones too, and never
sets ``data_class``; so do we, and the same call gives the same bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import PluginData, SummaryMetadata, TensorProto, Value
from sightline.formats.plugin_messages import AudioEncoding, AudioPluginData
from sightline.formats.tensors import tensor_from_array
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arrays import array_from, is_torch_tensor
from sightline.writer.kinds.audio import wav_from_samples
from sightline.writer.media.pictures import pil_image, png_from

# TensorFlow multiplies by this before it cuts off the fraction: every byte / 255 comes back as that byte.
_PIXEL_SCALE = 255.5
_SAMPLE_SCALE = 32768


def metadata_of(plugin_name: str, description: str | None, content: bytes = b"") -> SummaryMetadata:
    return SummaryMetadata(
        plugin_data=PluginData(plugin_name=plugin_name, content=content),
        summary_description=description or "",
    )


def content_tensor(array: NDArray[Any]) -> TensorProto:
    """The tensor of an array, laid out as TensorFlow's file writer does."""
    tensor = tensor_from_array(array)
    if array.size == 1 and not tensor.string_val:
        raw = array.astype(array.dtype.newbyteorder("<")).tobytes()
        return TensorProto(dtype=tensor.dtype, tensor_shape=tensor.tensor_shape, tensor_content=raw)
    return tensor


def scalar_value(tag: str, number: float, description: str | None) -> Value:
    with np.errstate(over="ignore"):
        array = np.asarray(number).astype(np.float32)
    return tensor_value(tag, array, metadata_of("scalars", description))


def tensor_value(tag: str, array: NDArray[Any], metadata: SummaryMetadata) -> Value:
    return Value(tag=tag, tensor=content_tensor(array), metadata=metadata)


# -- any tensor


def plain_array(value: Any) -> NDArray[Any]:
    """The array that TensorFlow would make of a value: Python's numbers have 32 bits where that is enough."""
    if is_torch_tensor(value):
        return array_from(value)
    if callable(getattr(value, "numpy", None)):
        value = value.numpy()
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    leaves = _leaves_of(value)
    if leaves and isinstance(leaves[0], (str, bytes)):
        return np.asarray(value, dtype=object)
    if any(is_torch_tensor(leaf) for leaf in leaves):
        return array_from(value)
    array: NDArray[Any] = np.asarray(value)
    if all(type(leaf) in (float, int) for leaf in leaves):
        return _narrowed(array)
    return array


def _leaves_of(value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        return [value]
    return [leaf for item in value for leaf in _leaves_of(item)]


def _narrowed(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype == np.float64:
        with np.errstate(over="ignore"):
            return array.astype(np.float32)
    limits = np.iinfo(np.int32)
    if array.dtype == np.int64 and (array >= limits.min).all() and (array <= limits.max).all():
        return array.astype(np.int32)
    return array


def number_array(value: Any) -> NDArray[Any]:
    """The same for numbers to compute with: types that NumPy does not have are widened."""
    if isinstance(value, (list, tuple)) and any(hasattr(item, "shape") for item in value):
        value = np.stack([number_array(item) for item in value])
    array = plain_array(value)
    return array.astype(np.float32) if array.dtype.kind == "V" else array


def text_array(data: Any) -> NDArray[Any]:
    array = plain_array(data)
    if array.dtype.kind not in "OSU":
        raise BadArgumentError(f"text() takes text or arrays of text, not {array.dtype}. Convert with str()")
    return array


# -- images


def check_images(images: NDArray[Any], max_outputs: int) -> None:
    if images.ndim != 4:
        raise BadArgumentError(
            f"image() takes four dimensions [count, height, width, channels], not {images.ndim}. "
            "Add the missing dimension, for example picture[None]"
        )
    if not 1 <= images.shape[3] <= 4:
        raise BadArgumentError(f"An image has 1 to 4 channels, not {images.shape[3]}: {list(images.shape)}")
    if 0 in images.shape[1:3] and min(images.shape[0], max_outputs):
        raise BadArgumentError(f"An image cannot be empty: {list(images.shape)}")
    if images.dtype.kind not in "fiu":
        raise BadArgumentError(f"Pixels are floats from 0 to 1 or whole numbers, not {images.dtype}")


def pixels_of(images: NDArray[Any]) -> NDArray[np.uint8]:
    """Pixels of 8 bits. Floats are taken from 0 to 1, whole numbers from 0 to the highest their type has."""
    if images.dtype == np.uint8:
        return images
    if images.dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):
            scaled = np.clip(images * images.dtype.type(_PIXEL_SCALE), 0, 255)
        return _bytes_from(np.nan_to_num(scaled, copy=False, nan=0))
    highest = int(np.iinfo(images.dtype).max)
    if highest < 255:  # 8 bits with a sign
        return _bytes_from(np.clip(images, 0, highest).astype(np.int16) * 2)
    return _bytes_from(np.clip(images // ((highest + 1) // 256), 0, 255))


def _bytes_from(numbers: NDArray[Any]) -> NDArray[np.uint8]:
    pixels: NDArray[np.uint8] = numbers.astype(np.uint8)
    return pixels


def image_value(tag: str, images: NDArray[Any], max_outputs: int, metadata: SummaryMetadata) -> Value:
    """The tensor [width, height, image …]; the first `max_outputs` images as PNG."""
    _, height, width, channels = images.shape
    pixels = pixels_of(images[:max_outputs])
    encoded = [png_from(pil_image(one[:, :, 0] if channels == 1 else one)) for one in pixels]
    strings = [str(width).encode(), str(height).encode(), *encoded]
    return Value(tag=tag, tensor=tensor_from_array(np.array(strings, dtype=object)), metadata=metadata)


# -- audio


def audio_metadata(description: str | None) -> SummaryMetadata:
    return metadata_of("audio", description, AudioPluginData(encoding=int(AudioEncoding.WAV)).encode())


def check_audio(clips: NDArray[Any], sample_rate: int) -> None:
    if clips.ndim != 3:
        raise BadArgumentError(
            f"audio() takes three dimensions [count, frames, channels], not {clips.ndim}. "
            "Add the missing dimensions, for example wave[None, :, None]"
        )
    if clips.dtype.kind not in "f":
        raise BadArgumentError(f"Samples are floats from -1 to 1, not {clips.dtype}")
    if not 1 <= clips.shape[2] < 1 << 16:
        raise BadArgumentError(f"Audio has at least one channel: {list(clips.shape)}")
    if not 0 < sample_rate < 1 << 32:
        raise BadArgumentError(f"A sample rate is a number of samples a second, not {sample_rate}")


def samples_of(clips: NDArray[Any]) -> NDArray[np.int16]:
    """Samples of 16 bits, rounded away from zero at a half, as TensorFlow does."""
    scaled = np.asarray(clips, dtype=np.float32) * np.float32(_SAMPLE_SCALE)
    limited = np.clip(np.nan_to_num(scaled, nan=0), -_SAMPLE_SCALE, _SAMPLE_SCALE - 1)
    whole = np.trunc(limited)
    is_up = np.abs(limited - whole) >= 0.5
    samples: NDArray[np.int16] = (whole + np.where(is_up, np.sign(limited), 0)).astype(np.int16)
    return samples


def audio_value(tag: str, clips: NDArray[Any], sample_rate: int, metadata: SummaryMetadata) -> Value:
    """The tensor [count, 2] of WAV files and labels, which are empty."""
    rows = np.empty((len(clips), 2), dtype=object)
    for row, clip in zip(rows, samples_of(clips), strict=True):
        row[:] = wav_from_samples(clip, sample_rate), b""
    return Value(tag=tag, tensor=tensor_from_array(rows), metadata=metadata)
