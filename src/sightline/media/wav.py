"""WAV files as they are found in logs: what the header says, what is wrong with it, the samples in pieces.

Sizes in headers are wishes. Writers that stream leave them at 0 or 0xFFFFFFFF, files of more than 4 GB keep
them elsewhere (RF64), and damaged ones say anything: what counts is what is there. Samples are handed out in
pieces of bounded size, so that an hour of sound needs no more memory than a second.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sightline.media.headers.numbers import unpack_at
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError

MAX_CHUNKS = 10_000
"""Before the sound. Real files have a handful; a file made of empty chunks would keep us busy for minutes."""

PIECE_VALUES = 1 << 18
"""Values (frames × channels) that are looked at together."""

_PCM, _FLOAT, _A_LAW, _MU_LAW, _EXTENSIBLE = 1, 3, 6, 7, 0xFFFE
_GUID_TAIL = bytes.fromhex("000000001000800000aa00389b71")
_OPEN_SIZES = frozenset({0, 0xFFFFFFFF})
"""What streaming writers leave in the place of a size."""
_CODEC_NAMES = {
    0x0002: "Microsoft ADPCM",
    0x0011: "IMA ADPCM",
    0x0031: "GSM 6.10",
    0x0050: "MPEG audio",
    0x0055: "MP3",
    0x00FF: "AAC",
    0x0161: "Windows Media Audio",
    0xF1AC: "FLAC",
}


class Coding(Enum):
    """How one sample is written; the value is the number in the header."""

    integer = _PCM
    float = _FLOAT
    a_law = _A_LAW
    mu_law = _MU_LAW


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
    begin: int
    """The offset of the first frame."""
    frames: int
    is_regular: bool
    """Header and sizes are as in the book: browsers take the file as it is."""
    note: str
    """What is wrong, for people; empty when nothing is."""

    @property
    def frame_bytes(self) -> int:
        return self.channels * self.sample_bytes

    @property
    def duration_s(self) -> float:
        return self.frames / self.rate_hz


def is_wav(data: ByteSource) -> bool:
    return data[:4] in (b"RIFF", b"RF64", b"BW64") and data[8:12] == b"WAVE"


def read_wav(data: ByteSource) -> Wav:
    """Raises MediaError when there is no sound that can be found or decoded."""
    header: _Format | None = None
    long_size: int | None = None
    pos = 12
    for _ in range(MAX_CHUNKS):
        if pos + 8 > len(data):
            break
        name, (size,) = data[pos : pos + 4], unpack_at("<I", data, pos + 4)
        pos += 8
        if name == b"fmt ":
            header = _format_from(data[pos : pos + min(size, 64)])
        elif name == b"ds64" and pos + 16 <= len(data):
            (long_size,) = unpack_at("<Q", data, pos + 8)
        elif name == b"data":
            if header is None:
                raise MediaError("The WAV file has no format chunk before its samples: it is damaged")
            return _wav_from(data, header, begin=pos, stated=size, long_size=long_size)
        pos += size + size % 2
    else:
        raise MediaError(
            f"The WAV file has more than {MAX_CHUNKS:,} chunks before its samples: it is damaged"
        )
    if header is None:
        raise MediaError("The WAV file ends within its header: it is damaged")
    raise MediaError("The WAV file has a header, but no samples: it is damaged")


@dataclass(frozen=True)
class _Format:
    coding: Coding
    channels: int
    rate_hz: int
    bits: int
    sample_bytes: int
    is_regular: bool


def _format_from(chunk: bytes) -> _Format:
    if len(chunk) < 16:
        raise MediaError("The format chunk of the WAV file is cut short: it is damaged")
    tag, channels, rate_hz, byte_rate, frame_bytes, bits = struct.unpack_from("<HHIIHH", chunk)
    is_regular = True
    if tag == _EXTENSIBLE:
        if len(chunk) >= 40 and chunk[26:40] == _GUID_TAIL:
            (tag,) = struct.unpack_from("<H", chunk, 24)
            # Fewer valid bits than stored ones do no harm: the low ones are 0.
        else:
            tag = _PCM  # the details are missing; by far the most likely meaning
            is_regular = False
    if channels == 0:
        raise MediaError("The WAV file says that it has no channels: it is damaged")
    if rate_hz == 0:
        raise MediaError("The WAV file says that it has 0 samples per second: it is damaged")
    coding = _coding_of(tag)
    sample_bytes = _sample_bytes(coding, bits, frame_bytes=frame_bytes, channels=channels)
    if coding is Coding.integer:
        is_regular &= bits == 8 * sample_bytes and sample_bytes <= 4
    elif coding is Coding.float:
        is_regular &= sample_bytes == 4
    is_regular &= frame_bytes == channels * sample_bytes
    is_regular &= byte_rate == rate_hz * channels * sample_bytes
    return _Format(coding, channels, rate_hz, bits, sample_bytes, is_regular)


def _coding_of(tag: int) -> Coding:
    try:
        return Coding(tag)
    except ValueError:
        name = _CODEC_NAMES.get(tag, f"format 0x{tag:04x}")
        raise MediaError(
            f"The samples of the WAV file are compressed ({name}), which is not decoded here"
        ) from None


def _sample_bytes(coding: Coding, bits: int, *, frame_bytes: int, channels: int) -> int:
    if coding in (Coding.a_law, Coding.mu_law):
        return 1
    if coding is Coding.float:
        if bits not in (32, 64):
            raise MediaError(f"Floats of {bits} bits are not decoded: WAV files have 32 or 64")
        return bits // 8
    least = -(-bits // 8)
    stored, rest = divmod(frame_bytes, channels)
    if rest or not least <= stored <= 4:
        stored = least
    if bits == 0 or stored not in (1, 2, 3, 4, 8):
        raise MediaError(f"Samples of {bits} bits are not decoded: WAV files have 8, 16, 24 or 32")
    return stored


def _wav_from(data: ByteSource, header: _Format, *, begin: int, stated: int, long_size: int | None) -> Wav:
    present = len(data) - begin
    notes = []
    size = present
    is_long = data[:4] != b"RIFF"
    if is_long and long_size is not None:
        stated = min(long_size, 0xFFFFFFFF)
    (riff_size,) = unpack_at("<I", data, 4)
    if stated == 0 and _has_chunk_at(data, begin):
        size = 0
    elif stated in _OPEN_SIZES and not is_long:
        if present:
            notes.append("The header leaves the length open; what is there is played")
    elif stated > present:
        notes.append(f"The file is cut short: {present:,} of {stated:,} bytes of sound are there")
    elif stated not in _OPEN_SIZES:
        size = stated
    frame_bytes = header.channels * header.sample_bytes
    frames, rest = divmod(size, frame_bytes)
    if rest and size == stated:
        notes.append("The last frame is incomplete and left out")
    # The file may end behind the sound, in other chunks; nothing may be missing.
    is_regular = header.is_regular and not is_long and rest == 0 and stated == size
    is_regular &= begin - 8 + size <= riff_size <= len(data) - 8 + 1
    return Wav(
        header.coding,
        header.channels,
        header.rate_hz,
        header.bits,
        header.sample_bytes,
        begin,
        frames,
        is_regular,
        ". ".join(notes),
    )


def _has_chunk_at(data: ByteSource, pos: int) -> bool:
    """A chunk of its own, and no samples that the header does not count?"""
    if pos + 8 > len(data):
        return False
    name, (size,) = data[pos : pos + 4], unpack_at("<I", data, pos + 4)
    return name.isascii() and name.decode("ascii").isprintable() and size <= len(data) - pos - 8


# ── samples ──────────────────────────────────────────────────────────────────────────────────────────────


def float_pieces(data: ByteSource, wav: Wav, *, max_frames: int) -> Iterator[NDArray[np.float32]]:
    """The first frames as floats [frames, channels], some at a time; 1 is full scale. What is no finite
    number comes as it is."""
    step = max(1, PIECE_VALUES // wav.channels)
    until = min(wav.frames, max_frames)
    for first in range(0, until, step):
        count = min(step, until - first)
        yield floats_of(data, wav, first, first + count)


def floats_of(data: ByteSource, wav: Wav, first: int, last: int) -> NDArray[np.float32]:
    """Like a piece of ``float_pieces``: the frames between two positions."""
    raw = data[wav.begin + first * wav.frame_bytes : wav.begin + last * wav.frame_bytes]
    return _as_floats(np.frombuffer(raw, np.uint8), wav).reshape(last - first, wav.channels)


def finite_values(values: NDArray[np.float32]) -> tuple[NDArray[np.float32], int]:
    """With 0 in the place of what is no finite number, and how many there were."""
    is_finite = np.isfinite(values)
    odd_count = values.size - int(np.count_nonzero(is_finite))
    return (np.where(is_finite, values, np.float32(0)), odd_count) if odd_count else (values, 0)


def _as_floats(raw: NDArray[np.uint8], wav: Wav) -> NDArray[np.float32]:
    if wav.coding is Coding.a_law:
        return _a_law_values()[raw]
    if wav.coding is Coding.mu_law:
        return _mu_law_values()[raw]
    if wav.coding is Coding.float:
        if wav.sample_bytes == 4:
            return raw.view("<f4").astype(np.float32, copy=False)
        with np.errstate(over="ignore"):
            return raw.view("<f8").astype(np.float32)
    if wav.sample_bytes == 1:  # the only unsigned ones
        return (raw.astype(np.float32) - np.float32(128)) / np.float32(128)
    if wav.sample_bytes == 3:
        wide = np.zeros((len(raw) // 3, 4), np.uint8)
        wide[:, 1:] = raw.reshape(-1, 3)
        return wide.reshape(-1).view("<i4").astype(np.float32) / np.float32(2**31)
    values = raw.view(f"<i{wav.sample_bytes}")
    return values.astype(np.float32) / np.float32(2.0 ** (8 * wav.sample_bytes - 1))


@cache
def _a_law_values() -> NDArray[np.float32]:
    """ITU-T G.711, table 1: even bits are inverted; three bits of exponent, four of mantissa."""
    code = np.arange(256) ^ 0x55
    exponent, mantissa = code >> 4 & 7, code & 15
    size = np.where(exponent == 0, mantissa * 16 + 8, (mantissa * 16 + 264) << np.maximum(exponent - 1, 0))
    return np.where(code & 0x80, size, -size).astype(np.float32) / np.float32(32768)


@cache
def _mu_law_values() -> NDArray[np.float32]:
    """ITU-T G.711, table 2: all bits are inverted, and 33 is added before the exponent is taken."""
    code = ~np.arange(256) & 0xFF
    size = (((code & 15) * 8 + 132) << (code >> 4 & 7)) - 132
    return np.where(code & 0x80, -size, size).astype(np.float32) / np.float32(32768)


def wav_header(coding: Coding, *, channels: int, rate_hz: int, sample_bytes: int, data_bytes: int) -> bytes:
    """Everything of a plain WAV file but its samples."""
    frame_bytes = channels * sample_bytes
    chunk = struct.pack(
        "<HHIIHH",
        coding.value,
        channels,
        rate_hz,
        rate_hz * frame_bytes & 0xFFFFFFFF,
        frame_bytes,
        8 * sample_bytes,
    )
    if coding is not Coding.integer:
        chunk += bytes(2)  # no further parameters
    head = b"WAVEfmt " + struct.pack("<I", len(chunk)) + chunk + b"data" + struct.pack("<I", data_bytes)
    return b"RIFF" + struct.pack("<I", len(head) + data_bytes + data_bytes % 2) + head
