"""Framing of an event file: how one message becomes one record.

    8 bytes  length N, little-endian        4 bytes  masked CRC-32C of those 8 bytes
    N bytes  the message                    4 bytes  masked CRC-32C of the message

Reading records back is the compiled core's work; this is for small writers in Python: the demo log and tests.
The checksum is passed in (``_core.masked_crc32c``), because this layer knows nothing of the core.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

_LENGTH = struct.Struct("<Q")
_CHECKSUM = struct.Struct("<I")


def frame(payload: bytes, masked_crc: Callable[[bytes], int]) -> bytes:
    """One record with its checksums."""
    length = _LENGTH.pack(len(payload))
    parts = (length, _CHECKSUM.pack(masked_crc(length)), payload, _CHECKSUM.pack(masked_crc(payload)))
    return b"".join(parts)
