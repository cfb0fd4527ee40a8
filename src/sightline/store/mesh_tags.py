"""What tags of meshes say about themselves: each part of a mesh is a tag of its own, named after the mesh.

TensorBoard and torch write ``ball_VERTEX``, ``ball_FACE`` and ``ball_COLOR``, tensorboardX ``ball_1``,
``ball_2`` and ``ball_3``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from sightline.model.errors import DataError

if TYPE_CHECKING:
    from sightline.formats.messages import SummaryMetadata

VERTEX, FACE, COLOR = 1, 2, 3
"""What a part holds."""

_ENDINGS = {VERTEX: "VERTEX", FACE: "FACE", COLOR: "COLOR"}


class MeshTag(NamedTuple):
    """As it was logged."""

    name: str
    """Of the mesh."""
    content: int
    """What the part holds."""
    components: int
    """A bit ``1 << content`` for each part of the mesh; 0: unknown."""
    config: str
    """Camera, lights and material for three.js, as JSON."""
    shape: Sequence[int]


def mesh_tag(metadata: SummaryMetadata | None) -> MeshTag | None:
    """None for a tag that does not say what it is."""
    if metadata is None or metadata.plugin_data is None:
        return None
    from sightline.formats.plugin_messages import MeshPluginData  # many message classes

    try:
        data = MeshPluginData.decode(metadata.plugin_data.content)
    except DataError:
        return None
    return MeshTag(data.name, data.content_type, data.components, data.json_config, data.shape)


def part_tag(vertex_tag: str, content: int) -> str | None:
    """The tag of another part of the mesh.

    >>> part_tag("ball_VERTEX", FACE), part_tag("ball_1", COLOR)
    ('ball_FACE', 'ball_3')
    """
    for end, other in ((_ENDINGS[VERTEX], _ENDINGS[content]), (str(VERTEX), str(content))):
        if vertex_tag.endswith(f"_{end}"):
            return vertex_tag.removesuffix(end) + other
    return None
