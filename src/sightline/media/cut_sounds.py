"""Whether an encoded sound ends before its end, as far as its format lets anybody know without decoding.

Browsers say nothing but that they cannot play such a file, or play what is there and stop.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache

from sightline.media.headers.boxes import Steps, boxes_of
from sightline.media.headers.numbers import unpack_at
from sightline.model.byte_source import ByteSource

_NOTHING = "The file is cut off: there is no sound behind its header"
_NO_END = "The file is cut off: its end is missing"
_MAX_BLOCKS = 10_000
_MAX_FLAC_TAIL_BYTES = 1 << 20
_MAX_CANDIDATES = 20_000
"""Bytes that may begin a frame; in a real tail there are a few thousand."""
_MAX_OGG_PAGE_BYTES = 27 + 255 + 255 * 255
_MAX_SEARCHED_BYTES = 64 << 10


def cut_note(data: ByteSource, mime_type: str) -> str:
    """A sentence; "" for what is whole, or of which this cannot be told."""
    look = _LOOKS.get(mime_type)
    try:
        return look(data) if look else ""
    except (struct.error, IndexError):
        return _NOTHING


# ── FLAC ─────────────────────────────────────────────────────────────────────────────────────────────────


def _cut_flac(data: ByteSource) -> str:
    """The header says how many samples there are, and each frame where it begins."""
    if data[4] & 0x7F:  # the first block is another one
        return ""
    (least_block,) = unpack_at(">H", data, 8)
    rate_and_more, low = unpack_at(">II", data, 18)
    rate_hz, total = rate_and_more >> 12, (rate_and_more & 0xF) << 32 | low
    begin = _behind_flac_header(data)
    if begin >= len(data):
        return _NOTHING
    if not total or not rate_hz:
        return ""
    there = _samples_before_end(data[max(begin, len(data) - _MAX_FLAC_TAIL_BYTES) :], least_block, total)
    if there >= total:
        return ""
    if there < 0:
        return _NO_END
    return f"{_NO_END} (about {there / rate_hz:.1f} of {total / rate_hz:.1f} s are there)"


def _behind_flac_header(data: ByteSource) -> int:
    pos = 4
    for _ in range(_MAX_BLOCKS):
        (head,) = unpack_at(">I", data, pos)
        pos += 4 + (head & 0xFFFFFF)
        if head >> 31:
            break
    return pos


def _samples_before_end(tail: bytes, block: int, total: int) -> int:
    """Of the last frame that begins in here; −1 when there is none."""
    pos = len(tail)
    for _ in range(_MAX_CANDIDATES):
        pos = tail.rfind(b"\xff", 0, pos)
        if pos < 0:
            break
        end = _frame_end(tail[pos : pos + 16], block)
        if 0 <= end <= total:
            return end
    return -1


def _frame_end(head: bytes, stream_block: int) -> int:
    """The number of the sample behind a frame; −1 for what is no frame's header."""
    if len(head) < 16 or head[1] not in (0xF8, 0xF9) or head[3] & 1:
        return -1
    size_code, rate_code = head[2] >> 4, head[2] & 15
    number, pos = _long_number(head, 4)
    if number < 0 or size_code == 0 or rate_code == 15:
        return -1
    if size_code in (6, 7):
        width = size_code - 5
        block = int.from_bytes(head[pos : pos + width], "big") + 1
        pos += width
    else:
        block = 192 if size_code == 1 else 576 << size_code - 2 if size_code < 6 else 256 << size_code - 8
    pos += {12: 1, 13: 2, 14: 2}.get(rate_code, 0)
    if pos >= len(head) or _checksum(head[:pos]) != head[pos]:
        return -1
    return (number if head[1] == 0xF9 else number * stream_block) + block


def _long_number(head: bytes, pos: int) -> tuple[int, int]:
    """Written as UTF-8 writes letters, with up to seven bytes. (−1, …) for what is none."""
    first = head[pos]
    if first < 0x80:
        return first, pos + 1
    count = 8 - (first ^ 0xFF).bit_length()
    if not 2 <= count <= 7:
        return -1, pos
    number = first & (0x7F >> count)
    for byte in head[pos + 1 : pos + count]:
        if byte >> 6 != 2:
            return -1, pos
        number = number << 6 | byte & 0x3F
    return number, pos + count


def _checksum(head: bytes) -> int:
    value, table = 0, _checksums()
    for byte in head:
        value = table[value ^ byte]
    return value


@cache
def _checksums() -> bytes:
    """Of each byte: its remainder by x⁸ + x² + x + 1."""
    table = bytearray()
    for byte in range(256):
        for _ in range(8):
            byte = (byte << 1 ^ 0x107) if byte & 0x80 else byte << 1
        table.append(byte & 0xFF)
    return bytes(table)


# ── others ───────────────────────────────────────────────────────────────────────────────────────────────


def _cut_mp3(data: ByteSource) -> str:
    """Encoders put the number of bytes into the first frame; without it a shorter file is a whole one."""
    begin = 0
    if data[:3] == b"ID3":
        begin = 10 + sum((byte & 0x7F) << 7 * place for place, byte in enumerate(reversed(data[6:10])))
    searched = data[begin : begin + _MAX_SEARCHED_BYTES]
    at = next(
        (at for at in range(len(searched) - 1) if searched[at] == 0xFF and searched[at + 1] & 0xE0 == 0xE0),
        -1,
    )
    if at < 0:
        return _NOTHING
    # How many bytes lie between a frame's header and its sound depends on version and channels.
    for place in (at + 36, at + 21, at + 13):
        if searched[place : place + 4] in (b"Xing", b"Info"):
            (flags,) = unpack_at(">I", searched, place + 4)
            if flags & 2:
                (stated,) = unpack_at(">I", searched, place + (12 if flags & 1 else 8))
                present = len(data) - begin - at
                if present < stated:
                    return f"{_NO_END} ({present:,} of {stated:,} bytes are there)"
    return ""


def _cut_ogg(data: ByteSource) -> str:
    """The last page says that it is the last, and how long it is."""
    tail = data[max(0, len(data) - _MAX_OGG_PAGE_BYTES) :]
    at = tail.rfind(b"OggS")
    if at < 0 or len(tail) < at + 27:
        return _NO_END
    sizes = tail[at + 27 : at + 27 + tail[at + 26]]
    is_last = tail[at + 5] & 4
    return "" if is_last and at + 27 + tail[at + 26] + sum(sizes) <= len(tail) else _NO_END


def _cut_mp4(data: ByteSource) -> str:
    names = {box.name for box in boxes_of(data, 0, len(data), Steps())}
    return "" if b"moov" in names else "The file is cut off: its table of contents is missing"


_LOOKS: dict[str, Callable[[ByteSource], str]] = {
    "audio/flac": _cut_flac,
    "audio/mpeg": _cut_mp3,
    "audio/ogg": _cut_ogg,
    "audio/mp4": _cut_mp4,
}
