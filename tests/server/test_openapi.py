"""The OpenAPI document: valid, complete, and the routes in it are those that are served and written down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.routing import Route

from sightline.log import Log
from sightline.server import ServerOptions, make_app
from sightline.server.app import api_routes
from sightline.server.tensorboard import CORE_QUESTIONS, plugin_questions
from sightline.wire.openapi import openapi_document
from sightline.wire.routes import API_PREFIX
from tests.server.clients import client_for, two_runs

DOCUMENT = Path(__file__).parents[2] / "docs/http-api.md"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return two_runs(tmp_path_factory.mktemp("log"))


@pytest.fixture(scope="module")
def document(log: Log) -> dict[str, Any]:
    answer: dict[str, Any] = client_for(log).api("openapi.json")
    return answer


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(document).validate()  # type: ignore[arg-type]


def test_the_document_lists_exactly_the_routes_that_are_served(log: Log, document: dict[str, Any]) -> None:
    app = make_app(log, ServerOptions())
    below = [route for route in app.routes if isinstance(route, Route) and route.path.startswith(API_PREFIX)]
    assert {route.path.removeprefix(API_PREFIX) for route in below} == set(document["paths"])


def test_every_method_in_the_document_is_served_and_no_other(log: Log, document: dict[str, Any]) -> None:
    client = client_for(log)
    for path, operations in document["paths"].items():
        allowed = client.ask("PATCH", API_PREFIX + path.format(id=0)).headers["allow"].split(", ")
        assert {method.upper() for method in operations} == set(allowed) - {"HEAD"}


def test_operation_ids_are_unique(document: dict[str, Any]) -> None:
    ids = [one["operationId"] for operations in document["paths"].values() for one in operations.values()]
    assert len(ids) == len(set(ids))


def test_every_operation_has_a_success_and_errors_of_the_one_shape(document: dict[str, Any]) -> None:
    for operations in document["paths"].values():
        for operation in operations.values():
            statuses = set(operation["responses"])
            assert statuses & {"200", "204"}
            for status in statuses - {"200", "204"}:
                schema = operation["responses"][status]["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ErrorBody"}


def test_path_parameters_are_required(document: dict[str, Any]) -> None:
    found = document["paths"]["/runs/{id}"]["get"]["parameters"]
    assert [(one["name"], one["in"], one["required"]) for one in found] == [
        ("id", "path", True),
        ("server_id", "query", False),
    ]


def test_every_route_is_written_down_for_people() -> None:
    text = DOCUMENT.read_text("utf-8")
    for route in api_routes():
        assert f"{route.method} {route.path}" in text, (
            f"{route.method} {route.path} is not in {DOCUMENT.name}"
        )
    for path in [*CORE_QUESTIONS, *plugin_questions()]:
        assert f"`{path}`" in text, f"{path} is not in {DOCUMENT.name}"


def test_every_schema_is_written_down_for_people() -> None:
    text = DOCUMENT.read_text("utf-8")
    for name in openapi_document(api_routes(), version="")["components"]["schemas"]:
        assert name in text, f"{name} is not in {DOCUMENT.name}"
