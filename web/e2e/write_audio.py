"""Writes sounds for end-to-end tests: ``write_audio.py DIRECTORY``.

Two runs with the same tags. ``speech/sine`` is a tone of two seconds whose frequency tells run and step
apart; ``speech/batch`` has two samples with labels; ``more`` has a step of three samples; ``formats/…`` is
one sound in every way in which it can be logged, and ``odd/…`` is what cannot be played.
"""

from __future__ import annotations

import io
import struct
import sys
import wave
from pathlib import Path
from typing import Any

import numpy as np

from sightline.formats.messages import Audio, Summary, SummaryMetadata, Value
from sightline.formats.tensors import tensor_from_array
from sightline.writer.file_writer import FileWriter

RATE_HZ = 16_000


def tone(frequency_hz: float, *, amplitude: float = 0.5, duration_s: float = 2.0) -> np.ndarray[Any, Any]:
    time_s = np.arange(round(RATE_HZ * duration_s)) / RATE_HZ
    fade = np.minimum(1, np.minimum(time_s, duration_s - time_s) * 20)
    return amplitude * fade * np.sin(2 * np.pi * frequency_hz * time_s)


def speech_like(seed: int, *, duration_s: float = 2.0) -> np.ndarray[Any, Any]:
    """Syllables of a gliding voice with overtones: something to look at."""
    noise = np.random.default_rng(seed)
    time_s = np.arange(round(RATE_HZ * duration_s)) / RATE_HZ
    pitch_hz = 140 + 40 * np.sin(2 * np.pi * 0.7 * time_s + seed)
    phase = 2 * np.pi * np.cumsum(pitch_hz) / RATE_HZ
    voice = sum(np.sin(number * phase) / number for number in range(1, 18))
    syllables = np.clip(np.sin(2 * np.pi * (2.2 + 0.3 * seed) * time_s), 0, 1) ** 0.7
    breath = noise.normal(0, 0.05, time_s.size) * np.clip(-np.sin(2 * np.pi * 2.2 * time_s), 0, 1)
    return 0.3 * voice * syllables + breath


def wav(samples: np.ndarray[Any, Any], bits: int = 16) -> bytes:
    whole = np.round(np.clip(samples, -1, 1) * (2 ** (bits - 1) - 1)).astype("<i4")
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(bits // 8)
        file.setframerate(RATE_HZ)
        file.writeframes(whole.view(np.uint8).reshape(-1, 4)[:, : bits // 8].tobytes())
    return out.getvalue()


def doubles(samples: np.ndarray[Any, Any]) -> bytes:
    body = samples.astype("<f8").tobytes()
    head = struct.pack("<HHIIHH", 3, 1, RATE_HZ, 8 * RATE_HZ, 8, 64)
    chunks = b"fmt " + struct.pack("<I", 16) + head + b"data" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


def streamed(samples: np.ndarray[Any, Any]) -> bytes:
    """As a writer leaves it that cannot go back to fill in the sizes."""
    data = wav(samples)
    return data[:4] + b"\xff" * 4 + data[8:40] + b"\xff" * 4 + data[44:]


def compressed(container: str, codec: str, samples: np.ndarray[Any, Any]) -> bytes | None:
    """By FFmpeg; None where it is missing or cannot."""
    try:
        import av

        out = io.BytesIO()
        with av.open(out, "w", format=container) as file:
            stream = file.add_stream(codec, rate=48_000)
            frame = av.AudioFrame.from_ndarray(
                np.round(np.repeat(samples, 3) * 32767).astype(np.int16).reshape(1, -1), "s16", "mono"
            )
            frame.sample_rate = 48_000
            for packet in [*stream.encode(frame), *stream.encode(None)]:
                file.mux(packet)
        return out.getvalue()
    except (ImportError, ValueError, OSError):
        return None


def value(tag: str, data: bytes) -> Value:
    return Value(
        tag=tag, audio=Audio(sample_rate=RATE_HZ, encoded_audio_string=data, content_type="audio/wav")
    )


def batch(tag: str, rows: list[tuple[bytes, bytes]]) -> Value:
    cells = np.empty((len(rows), 2), dtype=object)
    for cell, row in zip(cells, rows, strict=True):
        cell[:] = row
    metadata = SummaryMetadata.decode(b"\x0a\x0b\x0a\x05audio\x12\x02\x10\x0b")
    return Value(tag=tag, tensor=tensor_from_array(cells), metadata=metadata)


def write_run(directory: Path, number: int) -> None:
    writer = FileWriter(str(directory))

    def add(*values: Value, step: int) -> None:
        writer.add_summary(Summary(value=list(values)), step)

    for step in (0, 100, 200):
        frequency_hz = 300 * (1 + number) + step
        amplitude = 0.5 if number == 0 else 0.1
        add(value("speech/sine", wav(tone(frequency_hz, amplitude=amplitude))), step=step)
        labels = [f"**Said** at step {step}: *a* <script>alert(1)</script>".encode(), b"`second`"]
        voices = [wav(speech_like(2 * number + i + step // 100)) for i in range(2)]
        add(batch("speech/batch", list(zip(voices, labels, strict=True))), step=step)
        # More sounds in the middle than at the ends of the series.
        count = 3 if step == 100 else 1
        add(batch("more", [(wav(tone(400 + 100 * i)), b"") for i in range(count)]), step=step)
    if number == 0:
        sound = speech_like(7)
        found = {
            "formats/bits-24": wav(sound, 24),
            "formats/doubles": doubles(sound),
            "formats/streamed": streamed(sound),
            "formats/mp3": compressed("mp3", "mp3", sound),
            "formats/flac": compressed("flac", "flac", sound),
            "formats/ogg": compressed("ogg", "libopus", sound),
            "odd/damaged": wav(sound)[:30],
            "odd/picture": b"\x89PNG\r\n\x1a\n" + bytes(40),
        }
        add(*(value(tag, data) for tag, data in found.items() if data is not None), step=0)
    writer.close()


if __name__ == "__main__":
    for number, name in enumerate(("loud", "soft")):
        write_run(Path(sys.argv[1]) / name, number)
