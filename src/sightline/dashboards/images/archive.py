"""Some pictures as one zip file, made while it is sent: a piece of one picture at a time is in memory."""

from __future__ import annotations

import io
import itertools
import re
import time
import zipfile
from collections.abc import Iterator

from sightline.dashboards.context import Context
from sightline.dashboards.images.picture_values import FoundPicture, picture_at
from sightline.dashboards.images.schemas import PictureAddress, PictureZipRequest
from sightline.media.types import picture_ending
from sightline.model.byte_source import pieces_of
from sightline.model.errors import SightlineError
from sightline.wire.routes import ApiError, Download, check_server_id
from sightline.wire.text import wire_bytes, wire_text

MISSING_NAME = "could-not-be-read.txt"
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"|?*\\\u202a-\u202e\u2066-\u2069]+')
"""What some system does not take in a file name, and what turns text around."""

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_MAX_PART_BYTES = 240
"""File systems take 255; a few may come on top."""
_MAX_PARTS = 12
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip file knows."""


def zip_of(context: Context, request: PictureZipRequest) -> Download:
    """Pictures that cannot be had are listed in a text file inside; the others are there."""
    check_server_id(context, request.server_id)
    return Download("images.zip", "application/zip", _pieces(context, request.pictures))


class _Sink(io.BytesIO):
    """Takes what the archive writes, until it is fetched. It cannot be wound back, and the archive knows."""

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise io.UnsupportedOperation

    def taken(self) -> bytes:
        written = self.getvalue()
        super().seek(0)
        self.truncate()
        return written


def _pieces(context: Context, addresses: list[PictureAddress]) -> Iterator[bytes]:
    sink = _Sink()
    used = {MISSING_NAME: 1}
    missing: list[str] = []
    # Pictures are compressed already.
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as archive:
        for address in dict.fromkeys(addresses):
            try:
                found = picture_at(context, address)
                pieces = pieces_of(found.data, 0, len(found.data))
                first = next(pieces, b"")
            except (ApiError, SightlineError, OSError) as error:
                missing.append(_line(context, address, error))
                continue
            entry = _entry(_free_name(_path(context, address, found), used))
            entry.file_size = len(found.data)
            with archive.open(entry, "w") as file:
                for piece in itertools.chain([first], pieces):
                    file.write(piece)
                    yield sink.taken()
        if missing:
            archive.writestr(_entry(MISSING_NAME), wire_bytes("\n".join(missing) + "\n"))
    yield sink.taken()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, date_time=max(_EPOCH, time.localtime()[:6]))
    entry.external_attr = 0o644 << 16
    return entry


def _line(context: Context, address: PictureAddress, error: Exception) -> str:
    run = context.run_name(address.run)
    where = f"{run if run is not None else f'run number {address.run}'}, {address.tag}, step {address.step}"
    reason = error.message if isinstance(error, ApiError) else str(error)
    return " ".join(f"{where}, sample {address.sample}: {reason}".split())


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────


def _path(context: Context, address: PictureAddress, found: FoundPicture) -> str:
    """run/tag/step_7.png; with more pictures at the step, run/tag/step_7_sample_2.png."""
    run = context.run_name(address.run) or ""
    parts = [safe_part(part) for part in f"{run}/{address.tag}".split("/")]
    folders = [part for part in parts if part][:_MAX_PARTS]
    sample = f"_sample_{address.sample}" if found.samples > 1 else ""
    return "/".join([*folders, f"step_{address.step}{sample}.{picture_ending(found.data)}"])


def safe_part(part: str) -> str:
    """One folder of a path: never "..", nothing hidden, no name that means a device; "" for nothing at all.

    >>> safe_part(".."), safe_part("a:b?"), safe_part("con")
    ('', 'a_b_', '_con')
    """
    encoded = _UNSAFE.sub("_", wire_text(part)).strip(" .").encode()
    cleaned = encoded[:_MAX_PART_BYTES].decode(errors="ignore").rstrip(" .")
    return f"_{cleaned}" if _RESERVED.fullmatch(cleaned) else cleaned


def _free_name(name: str, used: dict[str, int]) -> str:
    """Different values may have got the same name; systems that ignore case would mix more of them up.
    ``used`` has, for each name, how many of its values there are: where to go on looking."""
    stem, _, ending = name.rpartition(".")
    candidate, number = name, used.get(name.lower(), 0)
    while candidate.lower() in used:
        number += 1
        candidate = f"{stem}_{number}.{ending}"
    used[name.lower()] = max(1, number)
    used.setdefault(candidate.lower(), 1)
    return candidate
