"""The type of encoded images, films and sounds, read from their first bytes.

Summaries store no type; the encoded data knows.
"""

from __future__ import annotations

from sightline.model.byte_source import ByteSource

_MAGICS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"fLaC", "audio/flac"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
)
_RIFF_TYPES = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}


def mime_type(encoded: ByteSource) -> str:
    """The MIME type of encoded media, by its magic bytes; "" when unknown."""
    data = encoded[:12]
    for magic, found in _MAGICS:
        if data.startswith(magic):
            return found
    if data.startswith(b"RIFF"):
        return _RIFF_TYPES.get(data[8:12], "")
    if data[4:8] == b"ftyp":  # the ISO container: films, and AVIF images
        return "image/avif" if data[8:12] in (b"avif", b"avis") else "video/mp4"
    # An MPEG audio frame: eleven bits set, then a version, then a layer other than 0.
    if len(data) >= 2 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0 and data[1] & 0x06:
        return "audio/mpeg"
    return ""
