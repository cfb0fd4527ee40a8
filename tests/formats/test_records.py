"""Framing, with a checksum written out bit by bit so that nothing is compared with itself."""

from __future__ import annotations

import struct

from sightline.formats.messages import Event
from sightline.formats.records import frame


def masked_crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def test_the_first_record_of_a_known_file_is_framed_byte_for_byte() -> None:
    payload = b"\x09\x00\x00\x80\x38\x99\xd6\xd7\x41\x1a\x0dbrain.Event:2"
    assert Event.decode(payload).file_version == "brain.Event:2"
    assert frame(payload, masked_crc32c) == (
        struct.pack("<Q", 24) + struct.pack("<I", 0x224B7FA3) + payload + struct.pack("<I", 0xAB364B12)
    )


def test_an_empty_message_makes_a_record_too() -> None:
    record = frame(b"", masked_crc32c)
    assert len(record) == 16
    assert record[:8] == bytes(8)
