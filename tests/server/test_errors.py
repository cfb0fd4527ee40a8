"""Every error of every route has the one shape that docs/http-api.md promises."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from sightline.model.errors import MediaError
from sightline.server.app import api_routes
from sightline.server.dispatch import endpoint_for
from sightline.server.workers import Workers
from sightline.wire.routes import ApiRoute
from tests.server.clients import InProcess, client_for, two_runs

ROUTES = api_routes()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> InProcess:
    return client_for(two_runs(tmp_path_factory.mktemp("log")))


def check_error(answer: object, status: int) -> None:
    assert answer.status_code == status, answer.text  # type: ignore[attr-defined]
    body = answer.json()  # type: ignore[attr-defined]
    assert list(body) == ["error"]
    assert isinstance(body["error"], str)
    assert len(body["error"]) > 10


def path_of(route: ApiRoute) -> str:
    return f"/api/v1/{route.path.format(id=0)}"


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_other_methods_of_a_route_are_refused_and_the_right_ones_named(
    route: ApiRoute, client: InProcess
) -> None:
    answer = client.ask("DELETE", path_of(route))
    check_error(answer, 405)
    assert route.method in answer.headers["allow"]


@pytest.mark.parametrize(
    "route", [r for r in ROUTES if r.method == "POST" and r.request_type], ids=lambda route: route.path
)
class TestBodies:
    def test_what_is_not_json_is_a_400(self, route: ApiRoute, client: InProcess) -> None:
        check_error(client.post(path_of(route), content=b'{"tags": ['), 400)
        check_error(client.post(path_of(route), content=b""), 400)
        check_error(client.post(path_of(route), content=b"\xff\xfe{}"), 400)

    def test_what_has_another_shape_is_a_422(self, route: ApiRoute, client: InProcess) -> None:
        check_error(client.post(path_of(route), json=[1]), 422)
        check_error(client.post(path_of(route), json={"queries": 7, "tags": "loss"}), 422)

    def test_what_is_too_large_is_a_413(self, route: ApiRoute, client: InProcess) -> None:
        check_error(client.post(path_of(route), content=b" " * (route.max_body_bytes + 1)), 413)

    def test_what_says_it_is_too_large_is_not_even_read(self, route: ApiRoute, client: InProcess) -> None:
        headers = {"content-length": str(route.max_body_bytes + 1)}
        check_error(client.post(path_of(route), content=b"{}", headers=headers), 413)


def test_a_page_may_ask_for_many_charts_of_many_runs_at_once(client: InProcess) -> None:
    runs = list(range(10_000))
    queries = [{"tag": f"loss/{number}", "runs": runs} for number in range(60)]
    answer = client.post("/api/v1/scalars", json={"queries": queries})
    assert len(answer.request.content) > 1 << 20
    assert answer.status_code == 200


def test_deep_nesting_is_an_error_and_no_crash(client: InProcess) -> None:
    check_error(client.post("/api/v1/scalars", content=b"[" * 500_000), 422)
    deep = b'{"queries": ' + b"[" * 200_000
    assert client.post("/api/v1/scalars", content=deep).status_code in (400, 422)


@pytest.mark.parametrize("path", ["nothing", "runs/0/more", "", "scalars/", "../v2/runs"])
def test_unknown_paths_are_a_404(path: str, client: InProcess) -> None:
    check_error(client.get(f"/api/v1/{path}"), 404)


@pytest.mark.parametrize("run", ["99", "9007199254740991"])
def test_a_run_that_is_not_there_is_a_404(run: str, client: InProcess) -> None:
    check_error(client.get(f"/api/v1/runs/{run}"), 404)


@pytest.mark.parametrize("path", ["runs/x", "runs/-1", "runs?since=x", "scalars/export", "runs?since=-1"])
def test_parameters_that_make_no_sense_are_a_422(path: str, client: InProcess) -> None:
    check_error(client.get(f"/api/v1/{path}"), 422)


def test_a_failure_inside_is_a_500_that_tells_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = client_for(two_runs(tmp_path))

    def fail() -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr(client.app.state.context.tags, "encoded", fail)
    answer = client.get("/api/v1/tags")
    check_error(answer, 500)
    assert "secret" not in answer.text
    assert "the secret of the house" in caplog.text


def test_errors_beside_the_api_are_lines_of_text(client: InProcess) -> None:
    answer = client.get("/data/nothing")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/plain; charset=utf-8")


class Large:
    """Stands for the bytes of a picture, which cannot be watched."""


def test_an_error_does_not_keep_what_it_went_through() -> None:
    made: list[weakref.ref[Large]] = []

    def fail(_context: Any, _request: Any) -> None:
        large = Large()
        made.append(weakref.ref(large))
        raise MediaError("cannot be shown")

    context: Any = None
    endpoint = endpoint_for(ApiRoute("GET", "x", "Fails", fail), context, Workers())
    gc.disable()  # nothing but counting references may be needed
    try:
        answer = InProcess(Starlette(routes=[Route("/api/v1/x", endpoint)])).get("/api/v1/x")
        assert answer.json() == {"error": "cannot be shown"}
        assert made[0]() is None
    finally:
        gc.enable()
