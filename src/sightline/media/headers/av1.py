"""The beginning of a stream of AV1: for how many pixels a decoder makes room.

A frame may say another size than its sequence, so both headers are read up to the bit that says so. What no
encoder of pictures writes (other times, layers, several frames) is an UnusualStreamError.
"""

from __future__ import annotations

_SEQUENCE, _DELIMITER, _FRAME_HEADER, _TILES, _METADATA, _FRAME, _PADDING = 1, 2, 3, 4, 5, 6, 15
_KNOWN = frozenset((_SEQUENCE, _DELIMITER, _FRAME_HEADER, _TILES, _METADATA, _FRAME, _PADDING))
_MAX_UNITS = 1_000
_HEADER_BYTES = 64
_EITHER = 2
"""Of the switches for all frames: each frame says it for itself."""

_KEY_FRAME = 0


class UnusualStreamError(Exception):
    """What the picture is, for a sentence."""


class _Bits:
    def __init__(self, data: bytes) -> None:
        self._number = int.from_bytes(data, "big")
        self._left = 8 * len(data)

    def take(self, count: int) -> int:
        self._left -= count
        if self._left < 0:
            raise IndexError
        return self._number >> self._left & (1 << count) - 1

    def flag(self) -> bool:
        return self.take(1) == 1


class _Sequence:
    """What the header of a sequence says, as far as a frame's size depends on it."""

    def __init__(self, bits: _Bits) -> None:
        bits.take(3)  # profile
        bits.take(1)  # a still picture
        self.is_reduced = bits.flag()
        self.frame_id_bits = 0
        self.screen_tools = self.whole_motion = _EITHER
        if self.is_reduced:
            bits.take(5)
        else:
            if bits.flag():
                raise UnusualStreamError("a film with times of its own")
            has_delay = bits.flag()
            if bits.take(5):
                raise UnusualStreamError("in layers")
            bits.take(12)
            if bits.take(5) > 7:
                bits.take(1)
            if has_delay and bits.flag():
                bits.take(4)
        width_bits, height_bits = bits.take(4) + 1, bits.take(4) + 1
        self.size = bits.take(width_bits) + 1, bits.take(height_bits) + 1
        if not self.is_reduced and bits.flag():
            self.frame_id_bits = bits.take(4) + 2
            self.frame_id_bits += bits.take(3) + 1
        bits.take(3)
        if not self.is_reduced:
            self._read_tools(bits)

    def _read_tools(self, bits: _Bits) -> None:
        bits.take(4)
        has_order = bits.flag()
        if has_order:
            bits.take(2)
        self.screen_tools = _EITHER if bits.flag() else bits.take(1)
        if self.screen_tools:
            self.whole_motion = _EITHER if bits.flag() else bits.take(1)


def stream_size(data: bytes) -> tuple[int, int]:
    """Width and height of the one frame. Raises UnusualStreamError, and IndexError for what is cut off."""
    sequence: _Sequence | None = None
    frames = 0
    pos = 0
    for _ in range(_MAX_UNITS):
        if pos >= len(data):
            break
        header = data[pos]
        pos += 2 if header & 4 else 1
        kind = header >> 3 & 15
        length = len(data) - pos
        if header & 2:
            length, pos = _length(data, pos)
        content = data[pos : pos + min(length, _HEADER_BYTES)]
        pos += length
        if header & 0x80 or kind not in _KNOWN:
            raise UnusualStreamError("of an unknown form")
        if kind == _SEQUENCE:
            if sequence is not None:
                raise UnusualStreamError("of several sequences")
            sequence = _Sequence(_Bits(content))
        elif kind in (_FRAME, _FRAME_HEADER):
            frames += 1
            if sequence is None or frames > 1:
                raise UnusualStreamError("of several frames")
            _check_frame(_Bits(content), sequence)
    else:
        raise UnusualStreamError("of too many units")
    if sequence is None or not frames:
        raise IndexError
    return sequence.size


def _length(data: bytes, pos: int) -> tuple[int, int]:
    """Seven bits a byte, the lowest first, and where it ends."""
    length = 0
    for place in range(8):
        length |= (data[pos] & 0x7F) << 7 * place
        pos += 1
        if not data[pos - 1] & 0x80:
            break
    return length, pos


def _check_frame(bits: _Bits, sequence: _Sequence) -> None:
    if sequence.is_reduced:
        return  # a key frame of the sequence's size
    is_shown_again = bits.flag()
    if is_shown_again or bits.take(2) != _KEY_FRAME or not bits.flag():
        raise UnusualStreamError("of several frames")
    bits.take(1)
    has_screen_tools = bits.flag() if sequence.screen_tools == _EITHER else sequence.screen_tools == 1
    if has_screen_tools and sequence.whole_motion == _EITHER:
        bits.take(1)
    bits.take(sequence.frame_id_bits)
    has_own_size = bits.flag()
    if has_own_size:
        raise UnusualStreamError("of several sizes")
