"""Texts: ``items`` is one of them, ``search`` looks through all."""

from __future__ import annotations

from sightline.dashboards.text.schemas import TextAnswer
from sightline.model.kinds import Kind
from sightline.wire.routes import ApiRoute, Dashboard, Late
from sightline.wire.tensorboard import TensorBoardPlugin

TEXT = Dashboard(
    name="text",
    kinds=(Kind.text,),
    routes=(
        ApiRoute(
            "GET",
            "text/item",
            "One text, or a table of texts, cut to a number of characters",
            Late("sightline.dashboards.text.items:item_of"),
            answer=TextAnswer,
        ),
        ApiRoute(
            "GET",
            "text/download",
            "One text as a file: plain, or CSV for a table",
            Late("sightline.dashboards.text.items:download_of"),
            media_types=("text/plain; charset=utf-8", "text/csv; charset=utf-8"),
        ),
        ApiRoute(
            "POST",
            "text/search",
            "Where a word is in the texts of some tags and runs, a stretch of values at a time",
            Late("sightline.dashboards.text.search:search_of"),
            max_body_bytes=8 << 20,
            errors=(409,),
        ),
    ),
    tensorboard=TensorBoardPlugin(
        name="text",
        module="sightline.dashboards.text.tensorboard",
        kinds=(Kind.text,),
        element="tf-text-dashboard",
        routes={"tags": "tags", "text": "text"},
    ),
)
