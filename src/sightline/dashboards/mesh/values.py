"""One mesh of one step, to be drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.dashboards.context import Context
from sightline.dashboards.mesh.geometry import geometry_of
from sightline.dashboards.mesh.schemas import MeshFacts, MeshFrameHeader, MeshParameters
from sightline.dashboards.named_values import named_value
from sightline.model.errors import DataError
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem
from sightline.query.meshes import parts_of
from sightline.wire.frame import Body, framed
from sightline.wire.routes import FRAME_MEDIA_TYPE, Binary, Promised, etag_of

MAX_CONFIG_CHARS = 65_536
_NO_CONFIG = ("null", "{}")
"""What writers log when they were given none."""


def mesh_of(context: Context, request: MeshParameters) -> Promised:
    parts = parts_of(context.store, named_value(context, request, Kind.mesh))
    etag = etag_of(context, "mesh", parts.identity, request.sample)

    def make() -> Binary:
        item = parts.vertices.read()
        notes: list[str] = []
        faces = _array(parts.faces, "Faces", notes)
        colors = _array(parts.colors, "Colours", notes)
        found = geometry_of(item.array, faces, colors, sample=request.sample)
        notes += found.notes
        config = "" if item.json_config in _NO_CONFIG else item.json_config
        if len(config) > MAX_CONFIG_CHARS:
            config = ""
            notes.append(
                f"Camera, lights and material are not used: more than {MAX_CONFIG_CHARS:,} characters"
            )
        body = Body()
        facts = MeshFacts(
            samples=found.samples,
            points=len(found.vertices),
            faces=len(found.faces),
            vertex_offset=_add(body, found.vertices),
            face_offset=_add(body, found.faces),
            color_offset=None if found.colors is None else _add(body, found.colors),
            config=config,
            notes=notes,
        )
        return Binary(framed(MeshFrameHeader(facts), body), FRAME_MEDIA_TYPE)

    return Promised(etag, make)


def _array(part: FoundItem | None, name: str, notes: list[str]) -> NDArray[Any] | None:
    """A part that cannot be read takes no other with it."""
    if part is None:
        return None
    try:
        array: NDArray[Any] = part.read().array
    except DataError as error:
        notes.append(f"{name} cannot be read: {error}")
        return None
    return array


def _add(body: Body, numbers: NDArray[Any]) -> int:
    flat = numbers.reshape(-1)
    return int(body.add(flat, np.array([flat.size]))[0])
