"""Meshes and point clouds: up to three values, for vertices, faces and colours, that readers join by name.

All three are float32 tensors, as torch writes them, although faces are whole numbers and colours often bytes:
TensorBoard takes them so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import Value
from sightline.formats.plugin_messages import MeshContent, MeshPluginData
from sightline.formats.tensors import tensor_from_array
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import check_size, checked_tag, real_array
from sightline.writer.engine.base import WriterBase, plugin_value


class MeshMethods(WriterBase):
    def add_mesh(
        self,
        tag: str,
        vertices: Any,
        colors: Any = None,
        faces: Any = None,
        config_dict: Mapping[str, Any] | None = None,
        global_step: int | None = None,
        walltime: float | None = None,
    ) -> None:
        """Adds meshes, or point clouds when there are no `faces`.

        `vertices` are x, y, z in an array [batch, count, 3]; [count, 3] is a batch of one. `colors` has one
        red, green, blue for each vertex, 0 to 255. `faces` has the numbers of the three vertices of each
        triangle. `config_dict` sets camera, lights and material of three.js.
        """
        values = mesh_values(checked_tag(tag), vertices, colors, faces, config_dict)
        self._write(values, global_step, walltime)


def mesh_values(
    tag: str, vertices: Any, colors: Any, faces: Any, config_dict: Mapping[str, Any] | None
) -> list[Value]:
    """The values of what is there, vertices first."""
    given = {MeshContent.VERTEX: vertices, MeshContent.FACE: faces, MeshContent.COLOR: colors}
    arrays = {kind: _triples(kind, value) for kind, value in given.items() if value is not None}
    if MeshContent.VERTEX not in arrays:
        raise BadArgumentError("A mesh needs vertices: an array of shape [batch, count, 3]")
    shape = arrays[MeshContent.VERTEX].shape
    for kind, array in arrays.items():
        if array.shape[0] != shape[0]:
            raise BadArgumentError(
                f"{shape[0]} meshes of vertices need as many of {_NAME[kind]}, not {array.shape[0]}"
            )
    if MeshContent.COLOR in arrays and arrays[MeshContent.COLOR].shape != shape:
        count = arrays[MeshContent.COLOR].shape[1]
        raise BadArgumentError(f"{shape[1]} vertices need one colour each, not {count}")
    check_size(sum(array.nbytes for array in arrays.values()), f"The mesh {tag!r}")
    components = sum(1 << kind for kind in arrays)
    config = _json(config_dict)
    return [_value(tag, kind, array, components, config) for kind, array in arrays.items()]


_NAME = {MeshContent.VERTEX: "vertices", MeshContent.FACE: "faces", MeshContent.COLOR: "colors"}


def _triples(kind: MeshContent, value: Any) -> NDArray[np.float32]:
    array = real_array(value, _NAME[kind])
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.ndim != 3 or array.shape[2] != 3:
        raise BadArgumentError(f"{_NAME[kind]} have the shape [batch, count, 3], not {list(np.shape(value))}")
    with np.errstate(over="ignore"):
        return array.astype(np.float32, copy=False)


def _json(config: Mapping[str, Any] | None) -> str:
    if config is None:
        return "{}"
    if not isinstance(config, Mapping):
        raise BadArgumentError(f"config_dict is a dict, not {type(config).__name__}")
    try:
        return json.dumps(dict(config), sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgumentError(f"config_dict must be such that JSON can hold it: {error}") from error


def _value(tag: str, kind: MeshContent, array: NDArray[np.float32], components: int, config: str) -> Value:
    content = MeshPluginData(
        name=tag, content_type=int(kind), json_config=config, shape=array.shape, components=components
    )
    return plugin_value(
        f"{tag}_{kind.name}", "mesh", tensor=tensor_from_array(array), content=content.encode()
    )
