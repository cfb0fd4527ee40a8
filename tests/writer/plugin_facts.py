"""What a reader can see of a value of a plugin, as plain Python: for comparing two writers field by field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tensorboard.util import tensor_util

from sightline import SummaryWriter
from tests.writer.reading import events_of, values_of


def facts_of(value: Any) -> dict[str, Any]:
    """Every field of a value. Arrays are what is in them: their bytes may lie in several places."""
    facts = {
        "tag": value.tag,
        "plugin": value.metadata.plugin_data.plugin_name,
        "content": value.metadata.plugin_data.content,
        "display_name": value.metadata.display_name,
        "description": value.metadata.summary_description,
        "data_class": value.metadata.data_class,
        "form": value.WhichOneof("value"),
    }
    if value.HasField("tensor"):
        array = tensor_util.make_ndarray(value.tensor)
        facts.update(dtype=value.tensor.dtype, shape=array.shape, array=array.tolist())
    return facts


def written_by(writer: Any, directory: Path, call: Callable[[Any], object]) -> list[list[dict[str, Any]]]:
    """The values of each event that the call makes `writer` write: (step, facts) in their order."""
    call(writer)
    writer.close()
    return [
        [{"step": event.step, **facts_of(value)} for value in event.summary.value]
        for event in events_of(directory)
        if event.HasField("summary")
    ]


def ours(directory: Path, call: Callable[[Any], object]) -> list[list[dict[str, Any]]]:
    return written_by(SummaryWriter(directory, story=False), directory, call)


def values_by_tag(directory: Path) -> dict[str, Any]:
    """The last value of each tag."""
    return {value.tag: value for _, value in values_of(directory)}


def array_of(value: Any) -> Any:
    return tensor_util.make_ndarray(value.tensor)
