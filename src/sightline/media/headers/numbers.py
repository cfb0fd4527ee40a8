"""Numbers in encoded data that need not be in memory."""

from __future__ import annotations

import struct
from typing import Any

from sightline.model.byte_source import ByteSource


def unpack_at(layout: str, data: ByteSource, pos: int) -> tuple[Any, ...]:
    """Like ``struct.unpack_from``, which takes nothing but memory. Raises struct.error at the end of the
    data."""
    return struct.unpack(layout, data[pos : pos + struct.calcsize(layout)])
