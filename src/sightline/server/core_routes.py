"""The routes that belong to no dashboard: environment, runs, tags, damage, reload, events, the OpenAPI
document."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sightline.model.reports import one_line
from sightline.server.context import ServerContext
from sightline.wire.numbers import finite_or_none
from sightline.wire.openapi import EVENT_STREAM, openapi_document
from sightline.wire.routes import ApiError, ApiRoute, Encoded, check_server_id
from sightline.wire.schemas import (
    API_VERSION,
    DamageEntry,
    DamageReport,
    Environment,
    LogDirectory,
    RunDetails,
    RunFile,
    RunParameters,
    RunSession,
    RunsParameters,
    RunTable,
    TagTable,
)
from sightline.wire.structs import struct_of
from sightline.wire.text import wire_json

if TYPE_CHECKING:
    from sightline.query.stored_types import Story

MAX_DAMAGE_ENTRIES = 1000
_MAX_FACT_LENGTH = 2000


def environment(context: ServerContext, _: None) -> Environment:
    return Environment(
        version=context.version,
        api_version=API_VERSION,
        server_id=context.server_id,
        window_title=context.options.window_title,
        log_directories=[
            LogDirectory(root.path, root.prefix, exists=root.is_remote or os.path.exists(root.path))
            for root in context.log.roots
        ],
        is_following=context.log.is_following,
        histogram_interval=context.options.histogram_interval,
    )


def runs(context: ServerContext, request: RunsParameters) -> RunTable:
    # A revision of another start of the server means nothing here.
    is_ours = request.server_id is None or request.server_id == context.server_id
    return context.run_tables.table(
        since=request.since if is_ours else None,
        server_id=context.server_id,
        progress=context.progress(),
    )


def run_details(context: ServerContext, request: RunParameters) -> RunDetails:
    check_server_id(context, request.server_id)
    name = context.run_name(request.id)
    run = None if name is None else context.store.get(name)
    if name is None or run is None:
        raise ApiError(404, f"There is no run with this number (any more): {request.id}")
    return RunDetails(
        id=request.id,
        name=name,
        directories=list(run.directories),
        files=[
            struct_of(RunFile, file, records=file.record_count, writer=file.source_writer)
            for file in run.files
        ],
        sessions=[_session(story) for story in run.stories],
    )


def _session(story: Story) -> RunSession:
    error = "" if story.error is None else f"{story.error.type}: {story.error.message}"
    return RunSession(
        status=story.status,
        started_s=finite_or_none(story.started) or 0.0,
        last_seen_s=finite_or_none(story.last_seen) or 0.0,
        command=" ".join(story.command),
        commit=story.commit,
        error=error.removesuffix(": "),
        facts={str(name): _fact(value) for name, value in story.facts.items() if name != "command"},
    )


def _fact(value: object) -> str:
    """As text for people; what is nested, as JSON."""
    text = value if isinstance(value, str) else wire_json(value).decode()
    return text if len(text) <= _MAX_FACT_LENGTH else text[:_MAX_FACT_LENGTH] + "…"


def tags(context: ServerContext, _: None) -> Encoded:
    return context.tags.encoded()


def damage(context: ServerContext, _: None) -> DamageReport:
    found = context.log.damage
    return DamageReport(
        damage=[
            DamageEntry(place.run, place.path, place.offset, place.length, str(place))
            for place in found[:MAX_DAMAGE_ENTRIES]
        ],
        damage_count=len(found),
        warnings=[*context.options.notices, *map(one_line, context.log.warnings)],
    )


def reload(context: ServerContext, _: None) -> None:
    """Waits for the reading that is under way, then looks at all files."""
    context.log.refresh()


CORE_ROUTES: tuple[ApiRoute, ...] = (
    ApiRoute("GET", "environment", "What the page has to know once", environment),
    ApiRoute("GET", "runs", "All runs, or those that changed since a revision", runs),
    ApiRoute("GET", "runs/{id}", "Files and sessions of one run", run_details, errors=(404, 409)),
    ApiRoute("GET", "tags", "Every tag of every kind, and the runs that have it", tags, answer=TagTable),
    ApiRoute("GET", "damage", "What could not be read, and warnings", damage),
    ApiRoute("POST", "reload", "Look at all files now", reload, status=204, is_patient=True),
    ApiRoute(
        "GET",
        "events",
        "What is new, as server-sent events: hello, change, progress",
        None,
        media_types=(EVENT_STREAM,),
        errors=(503,),
    ),
)


def with_openapi(routes: Sequence[ApiRoute]) -> tuple[ApiRoute, ...]:
    """The routes, and one more that describes them all, itself included."""
    document: list[bytes] = []

    def openapi(context: ServerContext, _: None) -> Encoded:
        if not document:
            document.append(wire_json(openapi_document(all_routes, version=context.version)))
        return Encoded(document[0])

    all_routes = (*routes, ApiRoute("GET", "openapi.json", "This document", openapi))
    return all_routes
