"""Reads back what a writer wrote, through TensorBoard's own reader: the oracle of the writer's tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto.event_pb2 import Event


def files_of(directory: str | Path) -> list[Path]:
    return sorted(Path(directory).glob("*tfevents*"))


def events_of_file(path: Path) -> list[Any]:
    """Every event of one file as TensorBoard's protobuf; its reader verifies the checksums."""
    return [Event.FromString(data) for data in RawEventFileLoader(str(path)).Load()]


def events_of(directory: str | Path) -> list[Any]:
    """Every event of a directory's own files, in the order of their names."""
    return [event for path in files_of(directory) for event in events_of_file(path)]


def values_of(directory: str | Path) -> list[tuple[int, Any]]:
    """(step, value message) of every summary value."""
    return [(event.step, value) for event in events_of(directory) for value in event.summary.value]


def scalars_of(directory: str | Path) -> dict[str, list[tuple[int, float]]]:
    """tag → [(step, value)] of the plain scalars."""
    found: dict[str, list[tuple[int, float]]] = {}
    for step, value in values_of(directory):
        if value.HasField("simple_value"):
            found.setdefault(value.tag, []).append((step, value.simple_value))
    return found


def stories_of(directory: str | Path) -> list[dict[str, Any]]:
    messages = (event.log_message.message for event in events_of(directory) if event.HasField("log_message"))
    return [json.loads(message) for message in messages]
