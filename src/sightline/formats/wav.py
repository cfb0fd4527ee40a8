"""WAV files as they are found in logs: what the header says, what is wrong with it, where the samples lie.

Sizes in headers are wishes. Writers that stream leave them at 0 or 0xFFFFFFFF, and damaged files say
anything: what counts is what is there.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from enum import Enum

from sightline.model.byte_source import ByteSource, unpack_at
from sightline.model.errors import MediaError

MAX_CHUNKS = 10_000
"""Before the sound. Real files have a handful; a file made of empty chunks would keep us busy for minutes."""

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_OPEN_SIZES = frozenset({0, 0xFFFFFFFF})
"""What streaming writers leave in the place of a size."""


class Coding(Enum):
    """How samples are written."""

    integer = "integer"
    float = "float"
    other = "other"
    """Compressed, or of an unusual width: for browsers to decode."""


@dataclass(frozen=True)
class Wav:
    """Where the sound of a WAV file lies, and how to read it. Only whole frames count."""

    coding: Coding
    channels: int
    rate_hz: int
    bits: int
    """Of one sample, as the header says."""
    sample_bytes: int
    """That one sample takes up; some writers keep 20 bits in 3 or 24 in 4 bytes, the low ones 0."""
    begin: int = 0
    """The offset of the first frame."""
    frames: int = 0
    note: str = ""
    """What is wrong, for people; empty when nothing is."""

    @property
    def frame_bytes(self) -> int:
        return self.channels * self.sample_bytes

    @property
    def duration_s(self) -> float:
        return self.frames / self.rate_hz


def is_wav(data: ByteSource) -> bool:
    return data[:4] == b"RIFF" and data[8:12] == b"WAVE"


def read_wav(data: ByteSource) -> Wav:
    """Raises MediaError when there is no sound that can be found."""
    if not is_wav(data):
        raise MediaError("This is no WAV file")
    header: Wav | None = None
    pos = 12
    for _ in range(MAX_CHUNKS):
        if pos + 8 > len(data):
            break
        name, size = unpack_at("<4sI", data, pos)
        pos += 8
        if name == b"fmt ":
            header = _format_from(data[pos : pos + min(size, 64)])
        elif name == b"data":
            if header is None:
                raise MediaError("The WAV file has no format chunk before its samples: it is damaged")
            return _with_samples(header, data, begin=pos, stated=size)
        pos += size + size % 2
    else:
        raise MediaError(
            f"The WAV file has more than {MAX_CHUNKS:,} chunks before its samples: it is damaged"
        )
    if header is None:
        raise MediaError("The WAV file ends within its header: it is damaged")
    raise MediaError("The WAV file has a header, but no samples: it is damaged")


def _format_from(chunk: bytes) -> Wav:
    if len(chunk) < 16:
        raise MediaError("The format chunk of the WAV file is cut short: it is damaged")
    tag, channels, rate_hz, _, frame_bytes, bits = struct.unpack_from("<HHIIHH", chunk)
    if tag == _EXTENSIBLE:
        # Without the details the plain meaning is by far the most likely one.
        tag = struct.unpack_from("<H", chunk, 24)[0] if len(chunk) >= 40 else _PCM
    if channels == 0:
        raise MediaError("The WAV file says that it has no channels: it is damaged")
    if rate_hz == 0:
        raise MediaError("The WAV file says that it has 0 samples per second: it is damaged")
    sample_bytes, rest = divmod(frame_bytes, channels)
    if rest or not bits <= 8 * sample_bytes <= 64:
        sample_bytes = -(-bits // 8)
    coding = Coding.other
    if tag == _PCM and 1 <= sample_bytes <= 4:
        coding = Coding.integer
    elif tag == _FLOAT and bits in (32, 64):
        coding, sample_bytes = Coding.float, bits // 8
    return Wav(coding, channels, rate_hz, bits, max(1, sample_bytes))


def _with_samples(header: Wav, data: ByteSource, *, begin: int, stated: int) -> Wav:
    size = present = len(data) - begin
    notes = []
    if stated in _OPEN_SIZES:
        if present:
            notes.append("The header leaves the length open; what is there is played")
    elif stated > present:
        notes.append(f"The file is cut short: {present:,} of {stated:,} bytes of sound are there")
    else:
        size = stated
    frames, rest = divmod(size, header.frame_bytes)
    if rest and size == stated:
        notes.append("The last frame is incomplete and left out")
    return replace(header, begin=begin, frames=frames, note=". ".join(notes))
