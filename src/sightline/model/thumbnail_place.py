"""Where thumbnails are kept, in words that those who make them and those who count the cache share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

DIRECTORY_NAME = "thumbnails"
"""Below the cache directory."""

FILE_NAME = re.compile(r"[0-9a-f]{40}\.(png|webp|jpg)(\.[0-9a-f]{8}\.tmp)?")
"""Files of other names are not ours: they are neither counted nor removed."""


@dataclass(frozen=True)
class ThumbnailPlace:
    """A directory, which may not exist yet, and how many bytes it may hold."""

    directory: Path
    limit_bytes: int
