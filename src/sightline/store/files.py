"""Facts about event files, from the core's words into the model's."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

from sightline.model.reports import Damage, FileFacts

if TYPE_CHECKING:
    from sightline._core import FileInfo


def file_facts(info: FileInfo, *, run: str) -> FileFacts:
    """With what the core calls by the same names."""
    found = {one.name: getattr(info, one.name) for one in fields(FileFacts)}
    return FileFacts(**{**found, "starts": tuple(info.starts), "damage": tuple(damage_of(info, run=run))})


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
