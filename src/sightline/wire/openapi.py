"""The OpenAPI document, made from the table of routes and the schemas. Nothing about a route is written
twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sightline.wire.routes import API_PREFIX, ApiRoute
from sightline.wire.schemas import ErrorBody
from sightline.wire.value_schemas import ItemParameters

JSON = "application/json"
EVENT_STREAM = "text/event-stream"

_REFERENCE = "#/components/schemas/"
_PARAMETER = re.compile(r"\{(\w+)\}")

_STATUS_WORDS = {
    400: "The body is not JSON",
    401: "A token is asked for, and none or another one was given",
    403: "The request comes from another site, is addressed to a name that is not allowed, or asks for "
    "something that the server was not started to allow",
    404: "There is no such thing",
    405: "The path exists, but not for this method",
    409: "The numbers of runs are those of an earlier start of the server, or somebody else was faster",
    413: "The request, or its answer, is too large",
    422: "A value is missing, of the wrong type or out of bounds",
    500: "The server failed; its log says why",
    503: "Too many open streams",
}
_ALWAYS = (401, 403, 405, 500)


def openapi_document(routes: Sequence[ApiRoute], *, version: str) -> dict[str, Any]:
    """OpenAPI 3.1 for these routes."""
    types = _types(routes)
    schemas, components = msgspec.json.schema_components(types, ref_template=_REFERENCE + "{name}")
    schema_of = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        operation = _operation(route, schema_of=schema_of, components=components)
        paths.setdefault(f"/{route.path}", {})[route.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sightline",
            "version": version,
            "description": "What the page asks of the server; see docs/http-api.md for frames and events.",
        },
        "servers": [{"url": API_PREFIX}],
        "security": [{}, {"bearer": []}, {"query": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "query": {"type": "apiKey", "in": "query", "name": "token"},
            },
        },
    }


def _types(routes: Sequence[ApiRoute]) -> list[type[Struct]]:
    named = [kind for route in routes for kind in (route.request_type, route.answer_type) if kind is not None]
    return list(dict.fromkeys([*named, ErrorBody]))


def _operation(
    route: ApiRoute, *, schema_of: dict[type[Struct], dict[str, Any]], components: dict[str, Any]
) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": f"{route.method.lower()}_{re.sub(r'[^a-z]+', '_', route.path).strip('_')}",
        "summary": route.summary,
        "responses": _responses(route, schema_of=schema_of),
    }
    if route.request_type is not None and route.method == "GET":
        operation["parameters"] = _parameters(route, components[route.request_type.__name__])
    elif route.request_type is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": schema_of[route.request_type]}},
        }
    return operation


def _parameters(route: ApiRoute, schema: dict[str, Any]) -> list[dict[str, Any]]:
    in_path = set(_PARAMETER.findall(route.path))
    required = set(schema.get("required", ())) | in_path
    return [
        {
            "name": name,
            "in": "path" if name in in_path else "query",
            "required": name in required,
            "schema": _without_null(value),
        }
        for name, value in schema["properties"].items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter that is not given is left out: there is no way to write null in a URL."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    if not kinds:
        return schema
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _responses(route: ApiRoute, *, schema_of: dict[type[Struct], dict[str, Any]]) -> dict[str, Any]:
    statuses = {*_ALWAYS, *route.errors}
    if route.request_type is not None and issubclass(route.request_type, ItemParameters):
        statuses |= {404, 409}
    if route.method == "POST" and route.request_type is not None:
        statuses |= {400, 413, 422}
    elif route.request_type is not None:
        statuses.add(422)
    error = {JSON: {"schema": {"$ref": f"{_REFERENCE}{ErrorBody.__name__}"}}}
    return {
        **_success(route, schema_of=schema_of),
        **{
            str(status): {"description": _STATUS_WORDS[status], "content": error}
            for status in sorted(statuses)
        },
    }


def _success(route: ApiRoute, *, schema_of: dict[type[Struct], dict[str, Any]]) -> dict[str, Any]:
    if route.status == 204:
        return {"204": {"description": "Done"}}
    if route.answer_type is not None:
        return {"200": {"description": "Done", "content": {JSON: {"schema": schema_of[route.answer_type]}}}}
    return {"200": {"description": "Done", "content": {kind: {} for kind in route.media_types}}}
