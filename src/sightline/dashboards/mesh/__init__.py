"""Meshes and point clouds: ``geometry`` makes of logged arrays what can be drawn."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Dashboard, Late
from sightline.wire.tensorboard import TensorBoardPlugin

MESH = Dashboard(
    name="mesh",
    kinds=(Kind.mesh,),
    routes=(
        ApiRoute(
            "GET",
            "mesh",
            "One mesh or point cloud: vertices, faces and colours as one binary frame",
            Late("sightline.dashboards.mesh.values:mesh_of"),
            media_types=(FRAME_MEDIA_TYPE,),
        ),
    ),
    tensorboard=TensorBoardPlugin(
        name="mesh",
        module="sightline.dashboards.mesh.tensorboard",
        kinds=(Kind.mesh,),
        element="mesh-dashboard",
        routes={"tags": "tags", "meshes": "meshes", "data": "data"},
    ),
)
