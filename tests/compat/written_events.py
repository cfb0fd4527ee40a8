"""What writers wrote, in a form that can be compared: read by TensorBoard, sorted, without what must differ.

Times of day are taken out (a wall time that a call was given stays), pictures are replaced by their pixels,
tensors by their elements, and the names of writers by nothing. The order of events counts only within a tag:
we encode pictures on another thread.
"""

from __future__ import annotations

import io
from collections import defaultdict
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from PIL import Image
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto import event_pb2, types_pb2
from tensorboard.util import tensor_util

# Wall times below this were given to a call; the others are now.
FIRST_TIME_OF_DAY_S = 1_000_000_000

# The types of which TensorBoard can make arrays.
READABLE = (1, 2, 3, 4, 5, 6, 8, 9, 10, 17, 18, 19)

Written = dict[str, dict[Any, list[dict[str, Any]]]]


def written(directory: Path) -> Written:
    """Run → (what kind of event, its tags) → events."""
    runs: dict[str, dict[Any, list[dict[str, Any]]]] = {}
    for path in sorted(directory.rglob("*tfevents*")):
        run = runs.setdefault(path.parent.relative_to(directory).as_posix(), defaultdict(list))
        for event in events_of(path):
            if event.WhichOneof("what") == "file_version":
                continue  # who wrote the file, and when
            tags = tuple(value.tag for value in event.summary.value)
            run[event.WhichOneof("what"), tags].append(_comparable(event))
    return {name: dict(run) for name, run in runs.items()}


def events_of(path: Path) -> list[event_pb2.Event]:
    return [event_pb2.Event.FromString(raw) for raw in RawEventFileLoader(str(path)).Load()]


def only_event_file(directory: Path) -> Path:
    (path,) = directory.glob("*tfevents*")
    return path


def pixels(data: bytes) -> bytes:
    """All frames of an encoded picture, preceded by its kind and size."""
    with Image.open(io.BytesIO(data)) as image:
        frames = []
        for index in range(getattr(image, "n_frames", 1)):
            image.seek(index)
            # Grey is shown as grey whether it has one channel or three.
            frames.append(image.convert("RGBA").tobytes())
        return f"{image.format} {image.size} {len(frames)} ".encode() + b"".join(frames)


def _comparable(event: event_pb2.Event) -> dict[str, Any]:
    copy = event_pb2.Event()
    copy.CopyFrom(event)
    if copy.wall_time >= FIRST_TIME_OF_DAY_S:
        copy.wall_time = 0
    copy.ClearField("source_metadata")
    for value in copy.summary.value:
        if value.HasField("histo"):
            # The order in which a million numbers are added up changes the last digit.
            value.histo.sum = float(f"{value.histo.sum:.13g}")
            value.histo.sum_squares = float(f"{value.histo.sum_squares:.13g}")
        if value.image.encoded_image_string:
            value.image.encoded_image_string = pixels(value.image.encoded_image_string)
        if value.metadata.plugin_data.plugin_name == "images":
            for index in range(2, len(value.tensor.string_val)):
                value.tensor.string_val[index] = pixels(value.tensor.string_val[index])
    as_dict: dict[str, Any] = MessageToDict(copy, preserving_proto_field_name=True)
    for value, shown in zip(event.summary.value, as_dict.get("summary", {}).get("value", []), strict=True):
        if value.WhichOneof("value") == "tensor" and value.tensor.dtype != types_pb2.DT_STRING:
            shown["tensor"] = _elements(value.tensor)
    return as_dict


def _elements(tensor: Any) -> dict[str, Any]:
    """Type, shape and elements: raw bytes and lists of numbers are the same to every reader."""
    if tensor.dtype not in READABLE:
        return {"content": tensor.SerializeToString()}
    array = tensor_util.make_ndarray(tensor)
    shape = None if not tensor.HasField("tensor_shape") else array.shape
    return {"dtype": tensor.dtype, "shape": shape, "elements": array.tobytes()}
