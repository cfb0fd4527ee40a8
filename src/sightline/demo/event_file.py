"""An event file put together in memory, as TensorFlow or torch or our own writer would have written it.

Our writer writes the present; a demo needs a past: runs of yesterday, crashed jobs, torn and damaged records.
Scalars are most of the records, so they take a short way: the encoded value of a tag is kept as a template in
which only the four bytes of the number change.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from sightline._core import masked_crc32c
from sightline.formats.messages import (
    Event,
    LogLevel,
    LogMessage,
    PluginData,
    SourceMetadata,
    Summary,
    SummaryMetadata,
    TensorProto,
    Value,
)
from sightline.formats.records import frame
from sightline.formats.tensors import tensor_from_array
from sightline.formats.varints import append_varint

OUR_WRITER = "sightline.writer"
"""What the files of our writer call themselves; only in those are stories looked for."""

_SENTINEL = 1.2345679e-20
"""Stands for the number in a template; no tag holds its four bytes."""


class EventFile:
    """One event file in memory; ``save`` writes it. Wall time follows from the step."""

    def __init__(
        self,
        path: Path,
        *,
        start_s: float,
        first_step: int,
        seconds_per_step: float,
        has_tensor_scalars: bool = False,
        writer: str = "",
    ) -> None:
        self.path = path
        self.start_s = start_s
        self.first_step = first_step
        self.seconds_per_step = seconds_per_step
        self.has_tensor_scalars = has_tensor_scalars
        self.records: list[bytes] = []
        self._tags_with_metadata: set[str] = set()
        self._templates: dict[str, tuple[bytes, bytes]] = {}
        source = SourceMetadata(writer=writer) if writer else None
        self.add(Event(wall_time=start_s, file_version="brain.Event:2", source_metadata=source))

    def add(self, event: Event) -> None:
        self._add_record(event.encode())

    def _add_record(self, data: bytes) -> None:
        self.records.append(frame(data, masked_crc32c))

    def wall_time_of(self, step: int) -> float:
        return self.start_s + 1 + (step - self.first_step) * self.seconds_per_step

    def put(
        self, value: Value, *, step: int, plugin: str = "", content: bytes = b"", about: str = ""
    ) -> None:
        """Add one value. Only the first of a tag gets metadata, as TensorFlow 1 did it: readers must cope."""
        if plugin and value.tag not in self._tags_with_metadata:
            self._tags_with_metadata.add(value.tag)
            owner = PluginData(plugin_name=plugin, content=content)
            value.metadata = SummaryMetadata(plugin_data=owner, summary_description=about)
        self.add(Event(wall_time=self.wall_time_of(step), step=step, summary=Summary(value=[value])))

    def put_scalar(self, tag: str, number: float, *, step: int) -> None:
        if self.has_tensor_scalars and tag not in self._tags_with_metadata:
            self.put(
                Value(tag=tag, tensor=tensor_from_array(np.float32(number))), step=step, plugin="scalars"
            )
        else:
            self.put_scalars({tag: number}, step=step)

    def put_scalars(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Several at one step in one record, without metadata."""
        values = bytearray()
        for tag, number in numbers.items():
            before, after = self._templates.get(tag) or self._make_template(tag)
            values += before + struct.pack("<f", number) + after
        event = Event(wall_time=self.wall_time_of(step), step=step).encode()
        head = bytearray(event + b"\x2a")
        append_varint(head, len(values))
        self._add_record(bytes(head + values))

    def _make_template(self, tag: str) -> tuple[bytes, bytes]:
        if self.has_tensor_scalars:
            value = Value(tag=tag, tensor=tensor_from_array(np.float32(_SENTINEL)))
        else:
            value = Value(tag=tag, simple_value=_SENTINEL)
        before, after = Summary(value=[value]).encode().split(struct.pack("<f", _SENTINEL))
        self._templates[tag] = before, after
        return before, after

    def put_story(self, record: Mapping[str, object]) -> None:
        """How the run was started, or how it ended; see docs/format.md."""
        self.add(Event(log_message=LogMessage(level=LogLevel.INFO, message=json.dumps(record))))

    def flip_a_bit(self, position: int) -> None:
        """Damage one record as a failing disk would; its length stays intact, its data do not."""
        damaged = bytearray(self.records[position])
        damaged[20] ^= 0x10
        self.records[position] = bytes(damaged)

    def save(self, *, torn_bytes: int = 0) -> None:
        data = b"".join(self.records)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(data[: len(data) - torn_bytes])


def strings(items: object) -> TensorProto:
    """A tensor of text or bytes; as objects, because NumPy's own type for bytes drops zeros at their end."""
    return tensor_from_array(np.array(items, dtype=object))
