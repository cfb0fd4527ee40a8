"""Every point of some series as a file, in pieces: memory stays small, whatever is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from sightline.query.export import text_pieces
from sightline.wire.routes import ApiError, Context, Download
from sightline.wire.schemas import ExportParameters, ExportRequest

EXPORT_MEDIA_TYPES = ("text/csv; charset=utf-8", "application/json")
_MEDIA_TYPE_OF = dict(zip(("csv", "json"), EXPORT_MEDIA_TYPES, strict=True))
_NO_LETTER = re.compile(r"[^A-Za-z0-9.-]+")
_MAX_NAME_LENGTH = 80


def export_by_number(context: Context, request: ExportRequest) -> Download:
    """Numbers that stand for no run are left out."""
    if request.runs is None:
        runs = context.store.runs()
    else:
        names = [name for number in request.runs if (name := context.run_name(number)) is not None]
        runs = [run for name in dict.fromkeys(names) if (run := context.store.get(name)) is not None]
    return _download(runs, request.tags, format=request.format, superseded=request.superseded)


def export_by_name(context: Context, request: ExportParameters) -> Download:
    """A name that is misspelled is an error: whoever wrote it would take the file for complete."""
    runs = [_run(context, name) for name in request.run] if request.run else context.store.runs()
    return _download(runs, request.tag, format=request.format, superseded=request.superseded)


def _run(context: Context, name: str) -> Any:
    run = context.store.get(name)
    if run is None:
        raise ApiError(404, f"There is no run of this name (GET runs lists them): {name!r}")
    return run


def _download(
    runs: Sequence[Any], tags: Sequence[str], *, format: Literal["csv", "json"], superseded: bool
) -> Download:
    tags = list(dict.fromkeys(tags))

    def series() -> Iterator[Any]:
        for tag in tags:
            for run in runs:
                one = run.read_scalars(tag)  # not kept: a pass over everything must not hold everything
                if one is not None:
                    yield one.all if superseded else one

    pieces = (text.encode() for text, _ in text_pieces(series(), format=format))
    name = f"{_file_stem([run.name for run in runs], tags)}.{format}"
    return Download(name, _MEDIA_TYPE_OF[format], pieces)


def _file_stem(runs: Sequence[str], tags: Sequence[str]) -> str:
    """Says what is inside, in letters that every file system and every header takes."""
    parts = [runs[0]] if len(runs) == 1 else []
    parts += [tags[0]] if len(tags) == 1 else ["scalars"]
    stem = _NO_LETTER.sub("_", "_".join(parts)).strip("._")
    return stem[:_MAX_NAME_LENGTH] or "scalars"
