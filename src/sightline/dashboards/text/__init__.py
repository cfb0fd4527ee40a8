"""Texts: ``items`` is one of them, ``search`` looks through all."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.media_schemas import (
    ItemParameters,
    TextAnswer,
    TextParameters,
    TextSearchAnswer,
    TextSearchRequest,
)
from sightline.wire.routes import ApiRoute, Binary, Context, Dashboard, Promised

# As for scalars: the modules behind these bring NumPy.


def _item(context: Context, request: TextParameters) -> Promised:
    from sightline.dashboards.text.items import item_of

    return item_of(context, request)


def _download(context: Context, request: ItemParameters) -> Binary:
    from sightline.dashboards.text.items import download_of

    return download_of(context, request)


def _search(context: Context, request: TextSearchRequest) -> TextSearchAnswer:
    from sightline.dashboards.text.search import search_of

    return search_of(context, request)


def _warm_up() -> None:
    import sightline.dashboards.text.items
    import sightline.dashboards.text.search  # noqa: F401


TEXT = Dashboard(
    name="text",
    kinds=(Kind.text.value,),
    warm_up=_warm_up,
    routes=(
        ApiRoute(
            "GET",
            "text/item",
            "One text, or a table of texts, cut to a number of characters",
            _item,
            request=TextParameters,
            answer=TextAnswer,
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "text/download",
            "One text as a file: plain, or CSV for a table",
            _download,
            request=ItemParameters,
            media_types=("text/plain; charset=utf-8", "text/csv; charset=utf-8"),
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "POST",
            "text/search",
            "Where a word is in the texts of some tags and runs, a stretch of values at a time",
            _search,
            request=TextSearchRequest,
            answer=TextSearchAnswer,
            max_body_bytes=8 << 20,
            is_heavy=True,
            errors=(409,),
        ),
    ),
)
