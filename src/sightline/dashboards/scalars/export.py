"""Every point of some series as a file, in pieces: memory stays small, whatever is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from sightline.dashboards.context import Context
from sightline.dashboards.scalars.schemas import ExportParameters, ExportRequest
from sightline.model.errors import DataError
from sightline.query.export import text_pieces
from sightline.query.stored_types import Run, ScalarSeries
from sightline.wire.file_names import file_stem
from sightline.wire.routes import ApiError, Download, check_server_id, known_runs
from sightline.wire.text import wire_bytes

_MEDIA_TYPE_OF = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


def export_by_number(context: Context, request: ExportRequest) -> Download:
    """Numbers that stand for no run are left out."""
    check_server_id(context, request.server_id)
    if request.runs is None:
        runs = context.store.runs()
    else:
        names = known_runs(context, request.runs)
        runs = [run for name in names if (run := context.store.get(name)) is not None]
    return _download(context, runs, request.tags, format=request.format, superseded=request.superseded)


def export_by_name(context: Context, request: ExportParameters) -> Download:
    """A name that is misspelled is an error: whoever wrote it would take the file for complete."""
    names = dict.fromkeys(request.run)
    runs = [_run(context, name) for name in names] if names else context.store.runs()
    return _download(context, runs, request.tag, format=request.format, superseded=request.superseded)


def _run(context: Context, name: str) -> Run:
    run = context.store.get(name)
    if run is None:
        raise ApiError(404, f"There is no run of this name (GET runs lists them): {name!r}")
    return run


def _download(
    context: Context,
    runs: Sequence[Run],
    tags: Sequence[str],
    *,
    format: Literal["csv", "json"],
    superseded: bool,
) -> Download:
    tags = list(dict.fromkeys(tags))

    def series() -> Iterator[ScalarSeries]:
        for tag in tags:
            for run in runs:
                one = run.read_scalars(tag)  # not kept: a pass over everything must not hold everything
                if one is not None:
                    yield one.all if superseded else one
                elif not context.store.has(run.name):
                    # It was there when the file was begun. A file that ends properly is taken for complete.
                    raise DataError(f"The run vanished while it was exported: {run.name}")

    pieces = (wire_bytes(text) for text, _ in text_pieces(series(), format=format))
    words = [runs[0].name] if len(runs) == 1 else []
    words += [tags[0]] if len(tags) == 1 else ["scalars"]
    return Download(f"{file_stem(*words, otherwise='scalars')}.{format}", _MEDIA_TYPE_OF[format], pieces)
