"""The values that make up one mesh. A mesh is named by the tag of its vertices; tables of tags leave out
those of its other parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sightline.model.errors import UnknownNameError
from sightline.query.media_items import FoundItem, find_item
from sightline.store.mesh_tags import COLOR, FACE, VERTEX, MeshTag, mesh_tag, part_tag
from sightline.store.runs import RunStore
from sightline.store.snapshot import decoded_metadata

__all__ = ["COLOR", "FACE", "VERTEX", "MeshParts", "MeshTag", "is_part", "mesh_tag", "parts_of"]


class MeshParts(NamedTuple):
    """None of them is read yet."""

    vertices: FoundItem
    faces: FoundItem | None
    colors: FoundItem | None

    @property
    def identity(self) -> str:
        """Of all parts together: with one that is written later it is another."""
        return "-".join("" if part is None else part.identity for part in self)


def parts_of(store: RunStore, vertices: FoundItem) -> MeshParts:
    """The other parts are those of the same step."""
    return MeshParts(vertices, _part(store, vertices, FACE), _part(store, vertices, COLOR))


def _part(store: RunStore, vertices: FoundItem, content: int) -> FoundItem | None:
    series, position = vertices.series, vertices.position
    tag = part_tag(series.tag, content)
    if tag is None:
        return None
    step = int(series.step[position])
    try:
        return find_item(store, series.run, series.kind, tag, index=position, step=step)
    except UnknownNameError:
        return None


def is_part(metadata: Iterable[bytes]) -> bool:
    """Whether the tag with this metadata holds faces or colours, which are shown with the vertices."""
    found = (mesh_tag(decoded_metadata(message)) for message in metadata)
    return any(one is not None and one.content in (FACE, COLOR) for one in found)
