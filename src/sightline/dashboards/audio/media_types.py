"""What sounds are served as; apart from the handlers because it is needed before NumPy is."""

from __future__ import annotations

UNKNOWN_MEDIA_TYPE = "application/octet-stream"
"""Of a download whose type is not known."""

ENDINGS = {
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "audio/mp4": "m4a",
    "audio/webm": "webm",
}

SOUND_MEDIA_TYPES = (*ENDINGS, UNKNOWN_MEDIA_TYPE)
