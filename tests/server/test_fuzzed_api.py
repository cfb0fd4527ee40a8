"""The API asked with whatever its OpenAPI document allows: no failure inside, and every answer as
promised."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.applications import Starlette

from sightline.log import open_log
from sightline.server import ServerOptions, make_app
from sightline.server.app import api_routes
from sightline.wire.routes import ApiRoute
from tests.event_logs import points, write_run

HEADERS = {"host": "localhost:6006"}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Starlette:
    directory = tmp_path_factory.mktemp("log")
    for number in range(3):
        write_run(directory / f"run {number}", points(range(20)), points(range(3), tag="val/acc"))
    log = open_log(directory, watch=False, cache=False).wait()
    return make_app(log, ServerOptions(host="127.0.0.1"))


@pytest.fixture(scope="module")
def api(app: Starlette) -> Any:
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", app, headers=HEADERS)


# The stream of events has no end; tests/server/test_live.py is about it.
@pytest.mark.parametrize(
    "route",
    [route for route in api_routes() if route.handler is not None],
    ids=lambda route: f"{route.method} {route.path}",
)
def test_every_answer_is_as_promised(route: ApiRoute, api: Any) -> None:
    operation = api[f"/{route.path}"][route.method]

    @hypothesis.settings(
        max_examples=30,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        case.validate_response(case.call(headers=HEADERS), checks=CHECKS)

    ask()
