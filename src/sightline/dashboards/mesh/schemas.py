"""What travels between the page and this dashboard."""

from __future__ import annotations

from msgspec import Struct

from sightline.wire.value_schemas import ItemParameters, Sample

MAX_POINTS = 4_000_000
"""Of one answer. A larger point cloud is thinned, a larger mesh is an error."""
MAX_FACES = 8_000_000


class MeshParameters(ItemParameters, frozen=True, kw_only=True):
    """The tag is that of the vertices."""

    sample: Sample = 0
    """Of the batch. A step that has fewer answers with its last one: one choice is for steps and runs with
    batches of any size."""


class MeshFacts(Struct, frozen=True):
    samples: int
    """Meshes at this step."""
    points: int
    """Vertices in the answer; all their numbers are finite."""
    faces: int
    """Triangles in the answer; all their vertices are in it. Without any it is a point cloud."""
    vertex_offset: int
    """In bytes, behind the header, like the two below: x, y, z of each vertex as little-endian floats of 32
    bits."""
    face_offset: int
    """Three positions of vertices for each face, as little-endian unsigned numbers of 32 bits."""
    color_offset: int | None
    """Red, green and blue of each vertex, 0 to 255, a byte each. None: it has no colours."""
    config: str
    """Camera, lights and material for three.js, as the JSON that was logged; empty for none."""
    notes: list[str]
    """What was left out or cannot be read, in sentences."""


class MeshFrameHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame of ``GET mesh``."""

    facts: MeshFacts
