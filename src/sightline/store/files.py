"""Facts about event files, from the core's words into the model's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sightline.model.reports import Damage, FileFacts

if TYPE_CHECKING:
    from sightline._core import FileInfo


def file_facts(info: FileInfo, *, run: str) -> FileFacts:
    return FileFacts(
        path=info.path,
        name=info.name,
        size_bytes=info.size_bytes,
        read_bytes=info.read_bytes,
        record_count=info.record_count,
        first_wall_time=info.first_wall_time,
        last_wall_time=info.last_wall_time,
        file_version=info.file_version,
        source_writer=info.source_writer,
        is_stream=info.is_stream,
        starts=tuple(info.starts),
        damage=tuple(damage_of(info, run=run)),
        damage_count=info.damage_count,
        skipped_bytes=info.skipped_bytes,
        torn_bytes=info.torn_bytes,
        error=info.error,
    )


def damage_of(info: FileInfo, *, run: str) -> list[Damage]:
    """The damaged places of a file; a file that could not be read at all counts as one."""
    found = [Damage(run, info.path, offset, length, reason) for offset, length, reason in info.damage]
    if found and info.record_count == 0:
        found = [
            replace(place, reason="no valid record (not an event file?)") for place in found[:1]
        ] + found[1:]
    if info.error:
        found.append(Damage(run, info.path, info.read_bytes, 0, info.error))
    return found
