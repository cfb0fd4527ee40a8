"""Values of plugins: a tag, a tensor, and metadata that says which plugin it is for."""

from __future__ import annotations

from typing import Any

from sightline.formats.messages import PluginData, SummaryMetadata, TensorProto, Value
from sightline.formats.wire import Message
from sightline.model.errors import BadArgumentError

# A record has at most 2 GiB; the rest is room for the tag and the metadata.
MAX_VALUE_BYTES = (1 << 31) - (1 << 20)


def plugin_value(
    tag: str, plugin: str, *, tensor: TensorProto | None = None, content: Message | None = None
) -> Value:
    """One value; `content` is the plugin's own message about it. Hyper-parameters have no tensor."""
    data = PluginData(plugin_name=plugin, content=b"" if content is None else content.encode())
    return Value(tag=tag, tensor=tensor, metadata=SummaryMetadata(plugin_data=data))


def text_from(value: Any) -> str:
    """Text as it is, bytes as UTF-8 (what is not UTF-8 shows as ``\\xNN``), anything else as it prints."""
    if isinstance(value, str):
        return str.__str__(value)  # of an enum its value, not its name
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "backslashreplace")
    return str(value)


def check_size(size_bytes: int, what: str) -> None:
    """Refuses what does not fit in one record."""
    if size_bytes > MAX_VALUE_BYTES:
        raise BadArgumentError(f"{what} has {size_bytes:,} bytes; one value can have {MAX_VALUE_BYTES:,}")
