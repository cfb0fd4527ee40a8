"""A WAV file that browsers take, with the samples of one that they do not: made where it is asked for, so an
hour of sound needs no more memory than a second."""

from __future__ import annotations

from typing import overload

from sightline.media.wav import Coding, Wav, finite_values, floats_of, wav_header
from sightline.model.byte_source import ByteSource


class RewrittenWav:
    """A ByteSource: a plain header, then the samples as they were logged; doubles and numbers of 64 bits as
    floats, and what is no finite number as silence."""

    def __init__(self, data: ByteSource, wav: Wav) -> None:
        self._data = data
        self._wav = wav
        self._is_converted = wav.coding is Coding.float or wav.sample_bytes > 4
        sample_bytes = 4 if self._is_converted else wav.sample_bytes
        self._frame_bytes = wav.channels * sample_bytes
        self._size = wav.frames * self._frame_bytes
        self._header = wav_header(
            Coding.float if self._is_converted else wav.coding,
            channels=wav.channels,
            rate_hz=wav.rate_hz,
            sample_bytes=sample_bytes,
            data_bytes=self._size,
        )

    def __len__(self) -> int:
        return len(self._header) + self._size + self._size % 2

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> bytes: ...
    def __getitem__(self, index: int | slice) -> int | bytes:
        if isinstance(index, int):
            return self[index : index + 1][0]
        start, stop, _ = index.indices(len(self))
        header = self._header[start:stop]
        begin, end = max(start - len(self._header), 0), max(stop - len(self._header), 0)
        samples = self._samples(begin, min(end, self._size)) if begin < min(end, self._size) else b""
        return header + samples + bytes(max(0, stop - start - len(header) - len(samples)))

    def _samples(self, begin: int, end: int) -> bytes:
        if not self._is_converted:
            return self._data[self._wav.begin + begin : self._wav.begin + end]
        first, last = begin // self._frame_bytes, -(-end // self._frame_bytes)
        values, _ = finite_values(floats_of(self._data, self._wav, first, last))
        skipped = begin - first * self._frame_bytes
        return values.astype("<f4", copy=False).tobytes()[skipped : skipped + end - begin]
