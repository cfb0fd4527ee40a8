"""Pictures and sounds as TensorBoard hands them out: lists of keys, and the bytes behind a key.

A key is URL-safe base64 without padding of a JSON array: experiment, plugin, run, tag, step, index of the
string in the tensor. Ours are the same to the letter, so that keys which a tool has kept stay valid, but for
steps that were logged twice: there the position follows, or the second value could not be had.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sightline.dashboards.context import Context
from sightline.dashboards.descriptions import safe_html
from sightline.dashboards.kind_tags import kind_tags
from sightline.media.types import picture_type
from sightline.model.byte_source import ByteSource, pieces_of
from sightline.model.errors import DataError, UnknownNameError
from sightline.model.forms import Form
from sightline.model.kinds import Kind, plugin_of
from sightline.query.media_items import FoundItem, find_item, find_series, sample_count
from sightline.query.stored_types import MediaSeries
from sightline.wire.tensorboard import Fields, Pieces, invalid_argument, list_pieces, not_found

_MAX_DIGITS = 9
_OLD_FORMS = (Form.IMAGE, Form.AUDIO)


class BlobKind(NamedTuple):
    """One of the kinds whose values are sequences of encoded things."""

    kind: Kind
    first_index: int
    """Of the first sample among the tensor's strings."""


IMAGES = BlobKind(Kind.image, 2)  # width and height come first
SOUNDS = BlobKind(Kind.audio, 0)


class Blob(NamedTuple):
    """One sample at one step."""

    step: int
    wall_time: float
    key: str


def tag_facts(context: Context, blob: BlobKind) -> dict[str, dict[str, Any]]:
    """What ``tags`` of both plugins answers."""
    found: dict[str, dict[str, Any]] = {}
    for one in kind_tags(context, blob.kind).all():
        series = find_series(context.store, one.run, blob.kind, one.tag)
        # TensorBoard calls values of the old forms by their tag, also those that name a plugin.
        is_old_form = series is not None and len(series) > 0 and series.form(0) in _OLD_FORMS
        found.setdefault(one.run, {})[one.tag] = {
            "displayName": one.display_name or (one.tag if is_old_form else ""),
            "description": safe_html(one.description),
            "samples": 0 if series is None else sample_count(series),
        }
    return found


def blob_list(
    context: Context, blob: BlobKind, fields: Fields, entry: Callable[[Blob], dict[str, Any]]
) -> Pieces:
    """What the lists of both plugins answer: an entry for each step that has the sample."""
    run, tag = fields.first("run"), fields.first("tag")
    found = blobs_of(context, blob, run or "", tag or "", _asked_sample(fields))
    if found is None:
        raise not_found(f"No {blob.kind} data for run={run!r}, tag={tag!r}")
    return Pieces(list_pieces(map(entry, found)))


def _asked_sample(fields: Fields) -> int:
    text = fields.first("sample") or "0"
    if not text.isdecimal() or len(text) > _MAX_DIGITS:
        raise invalid_argument(f"sample must be a whole number: {text[:80]!r}")
    return int(text)


def blobs_of(context: Context, blob: BlobKind, run: str, tag: str, sample: int) -> Iterator[Blob] | None:
    """One for each step that has the sample; None when there is no such run or tag."""
    series = find_series(context.store, run, blob.kind, tag)
    return None if series is None else _blobs(series, blob, sample)


def _blobs(series: MediaSeries[Any], blob: BlobKind, sample: int) -> Iterator[Blob]:
    steps = series.step.tolist()
    for position, (step, wall_time) in enumerate(zip(steps, series.wall_time.tolist(), strict=True)):
        # Nearly every value has a first sample; whether it has more is known only when it is read.
        if sample > 0 and not _has_sample(series, position, sample):
            continue
        is_repeated = step in steps[position + 1 : position + 2] or (position and steps[position - 1] == step)
        key = ["", plugin_of(blob.kind), series.run, series.tag, step, sample + blob.first_index]
        yield Blob(step, wall_time, _text_of([*key, position] if is_repeated else key))


def _has_sample(series: MediaSeries[Any], position: int, sample: int) -> bool:
    try:
        return sample < len(FoundItem(series, position).open().samples)
    except DataError:
        return False


def find_blob(context: Context, blob: BlobKind, key: str) -> ByteSource:
    """The bytes behind a key. Raises ApiError 400 or 404."""
    plugin, run, tag, step, string, position = _parts_of(key)
    if plugin not in (plugin_of(blob.kind), ""):
        raise not_found(f"The key is of another plugin: {plugin[:80]!r}")
    try:
        item = find_item(context.store, run, blob.kind, tag, index=position, step=step).open()
    except (UnknownNameError, DataError) as error:
        raise not_found(str(error)) from None
    sample = string - blob.first_index
    if not 0 <= sample < len(item.samples):
        raise not_found(f"There is no sample {sample} at step {step}")
    data: ByteSource = item.samples[sample]
    return data


def picture(context: Context, key: str) -> Pieces:
    """Under the type that its first bytes show; what shows none is not called a picture."""
    data = find_blob(context, IMAGES, key)
    return one_blob(data, picture_type(data) or "application/octet-stream")


def one_blob(data: ByteSource, media_type: str) -> Pieces:
    return Pieces(pieces_of(data, 0, len(data)), media_type, is_logged=True)


def _text_of(key: list[Any]) -> str:
    text = json.dumps(key, separators=(",", ":")).encode("ascii")
    return base64.urlsafe_b64encode(text).decode("ascii").rstrip("=")


class _Key(NamedTuple):
    plugin: str
    run: str
    tag: str
    step: int
    string: int
    """Which of the tensor's strings."""
    position: int


def _parts_of(key: str) -> _Key:
    try:
        parts = json.loads(base64.urlsafe_b64decode(key.encode("ascii") + b"=="))
    except (ValueError, binascii.Error, RecursionError):
        raise invalid_argument("The key of the value cannot be read") from None
    if isinstance(parts, list) and len(parts) == 5:  # TensorBoard's other loader leaves out the plugin
        parts.insert(1, "")
    if not isinstance(parts, list) or len(parts) not in (6, 7):
        raise invalid_argument("The key of the value cannot be read")
    _, plugin, run, tag, *numbers = parts
    is_sound = all(isinstance(text, str) for text in (plugin, run, tag)) and all(
        type(number) is int and -(2**63) <= number < 2**63 for number in numbers
    )
    if not is_sound:
        raise invalid_argument("The key of the value cannot be read")
    step, string, position = numbers if len(numbers) == 3 else (*numbers, 0)
    return _Key(plugin, run, tag, step, string, max(0, position))
