"""Texts that are not UTF-8, from file names and from what programs told of themselves: every route
answers."""

from __future__ import annotations

import base64
import json
import os
from urllib.parse import urlencode

import pytest

from sightline import SummaryWriter
from sightline.log import Log, open_log
from sightline.server.app import api_routes
from sightline.server.tensorboard import CORE_QUESTIONS, plugin_questions
from sightline.wire.routes import ApiRoute
from sightline.wire.schemas import RunDetails
from sightline.wire.text import wire_bytes, wire_json, wire_text
from sightline.wire.value_schemas import ItemParameters
from tests.event_logs import append, points, write_run
from tests.server.clients import InProcess, client_for

ODD = os.fsdecode(b"odd \xff name")
SHOWN = "odd \N{REPLACEMENT CHARACTER} name"

# What is said of these names the run whose name is odd, whichever of the two that is.
NOTED = [{"tag": "nothing", "runs": [0], "baseline": {"run": run}} for run in (0, 1)]

BODIES = {
    "scalars": {"queries": [{"tag": "loss", "runs": [0, 1]}, *NOTED]},
    "scalars/groups": {"queries": [{"tag": "loss", "groups": [[0, 1]]}]},
    "scalars/statistics": {"queries": [{"tag": "loss", "runs": [0, 1], "at": 0}, *NOTED]},
    "scalars/last": {"tags": ["loss"]},
    "scalars/export": {"tags": ["loss"], "format": "json"},
    "media/series": {"queries": [{"kind": "image", "tag": "loss", "runs": [0, 1]}]},
    "media/steps": {"queries": [{"kind": "image", "tag": "loss", "runs": [0, 1]}]},
    "histograms": {"queries": [{"tag": "loss", "runs": [0, 1]}]},
    "histograms/statistics": {"queries": [{"tag": "loss", "runs": [0, 1]}]},
    "histograms/maps": {"queries": [{"tag": "loss", "runs": [0, 1], "rows": 8}]},
    "pr_curves": {"queries": [{"tag": "loss", "runs": [0, 1]}]},
    "pr_curves/statistics": {"queries": [{"tag": "loss", "runs": [0, 1]}]},
    "images/zip": {"pictures": [{"run": run, "tag": "loss", "index": 0, "step": 0} for run in (0, 1)]},
    "text/search": {"text": "x", "queries": [{"tag": "loss", "runs": [0, 1]}]},
    "tables/rows": {"run": 0, "tag": "loss", "index": 0, "step": 0},
    "tables/export": {"run": 0, "tag": "loss", "index": 0, "step": 0},
    "workspace/edits": {"edits": [{"id": "1", "kind": "name", "run": "told", "text": "Told"}]},
    "workspace/view": {"name": "new", "view": {}},
    "workspace/view/remove": {"name": "useless"},
    "workspace/delete": {"runs": [SHOWN, "told"], "is_dry": True},
    "workspace/restore": {"ids": ["nothing"]},
}
BINARY = (
    *("scalars", "scalars/groups", "media/series", "media/steps", "images/zip"),
    *("histograms", "histograms/statistics", "histograms/maps", "pr_curves", "pr_curves/statistics"),
)
PARAMETERS = {"tag": "loss", "name": "kept"}
ITEM = {"tag": "loss", "run": 0, "index": 0, "step": 0, "row": 0, "column": 0}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    root = tmp_path_factory.mktemp("log") / ODD
    damaged = write_run(root / ODD, points(range(3)))
    append(damaged, b"\xff" * 40, points(range(3, 6)))
    with SummaryWriter(str(root / "told")) as writer:
        writer.add_scalar("loss", 1.0, 1)
    return open_log(root, watch=False, cache=False).wait()


ITEM_PATHS = (
    *("/data/plugin/images/", "/data/plugin/audio/", "/data/plugin/timeseries/imageData"),
    *("/data/plugin/histograms/", "/data/plugin/distributions/", "/data/plugin/pr_curves/"),
    "/data/plugin/mesh/data",
)


@pytest.fixture(scope="module")
def client(log: Log) -> InProcess:
    client = client_for(
        log,
        flags={"logdir": log.roots[0].path, "other": [ODD, {ODD: ODD}]},
        notices=(ODD,),
        window_title=ODD,
        is_delete_allowed=True,
    )
    for name in ("kept", "useless"):
        client.ask("POST", "/api/v1/workspace/view", json={"name": name, "view": {}})
    assert len(client.api("runs")["id"]) == 2
    return client


# The stream of events has no end; the tags in it are text as everywhere.
@pytest.mark.parametrize(
    "route",
    [route for route in api_routes() if route.handler is not None],
    ids=lambda route: f"{route.method} {route.path}",
)
def test_every_route_of_the_api_answers(client: InProcess, route: ApiRoute) -> None:
    # There is no picture and the like in this log: a sentence says so.
    is_about_an_item = route.request_type is not None and issubclass(route.request_type, ItemParameters)
    parameters = ITEM if is_about_an_item else PARAMETERS
    for number in (0, 1) if "{id}" in route.path else (0,):
        answer = client.ask(
            route.method,
            f"/api/v1/{route.path.format(id=number)}",
            params=parameters if route.method == "GET" else None,
            json=BODIES.get(route.path) if route.method == "POST" else None,
        )
        assert answer.status_code in ((404,) if is_about_an_item else (200, 204)), answer.text
        answer.content.decode("latin-1" if route.path in BINARY else "utf-8")


@pytest.mark.parametrize("path", [*CORE_QUESTIONS, *plugin_questions()])
def test_every_route_of_tensorboard_answers(client: InProcess, path: str) -> None:
    run = client.api("runs")["name"][0]
    requests = json.dumps([{"plugin": "scalars", "tag": "loss"}, {"plugin": "scalars", "tag": "\ud800"}])
    asked = {"tag": "loss", "run": run, "runs": run, "requests": requests}
    method = "POST" if path.endswith("multirun") else "GET"
    form = asked if method == "POST" else None
    answer = client.ask(method, path, params=asked, data=form)
    # There is nothing of the kind in this log: a sentence says so.
    is_about_an_item = path.startswith(ITEM_PATHS) and not path.endswith("/tags")
    assert answer.status_code in ((400, 404) if is_about_an_item else (200,)), answer.text
    answer.content.decode("utf-8")


HALF = "\ud800"
"""Of a pair: JSON can say it, and UTF-8 cannot."""


def key_of_half(plugin: str) -> str:
    parts = json.dumps(["", plugin, HALF, "loss", 0, 2])
    return base64.urlsafe_b64encode(parts.encode("ascii")).decode("ascii").rstrip("=")


@pytest.mark.parametrize("path", [*CORE_QUESTIONS, *plugin_questions()])
def test_a_run_whose_name_cannot_be_is_no_run_of_tensorboards_routes(client: InProcess, path: str) -> None:
    requests = [
        {"plugin": plugin, "tag": "loss", "run": HALF, "sample": 0} for plugin in ("scalars", "images")
    ]
    key = key_of_half("audio" if "/audio/" in path else "images")
    asked = urlencode(
        {
            "tag": "loss",
            "run": HALF,
            "runs": HALF,
            "requests": json.dumps(requests),
            "blob_key": key,
            "imageId": key,
            "content_type": "audio/wav",
        },
        errors="surrogatepass",
    )
    form = {"content": asked, "headers": {"content-type": "application/x-www-form-urlencoded"}}
    is_form = path.endswith(("multirun", "timeSeries"))
    answer = client.post(path, **form) if is_form else client.get(f"{path}?{asked}")
    ends_of_one = ("/scalars", "/images", "/audio", "/histograms", "/distributions", "Data", "Image", "Audio")
    wanted = 404 if path.endswith((*ends_of_one, "/download_data")) else 200
    if path.endswith(("/pr_curves", "/mesh/data")):
        wanted = 400
    elif path.endswith("/custom_scalars/scalars"):
        wanted = 200  # the tags that match, of which there are none
    assert answer.status_code == wanted, answer.text
    if path.endswith("timeSeries"):
        assert [one["runToSeries"] for one in answer.json()] == [{}, {}]


def test_a_name_that_cannot_be_is_in_no_log(log: Log) -> None:
    assert HALF not in log
    assert log.store.get(HALF) is None


def test_paths_are_shown_with_a_mark_for_what_cannot_be_shown(client: InProcess) -> None:
    assert client.api("environment")["log_directories"][0]["path"].endswith(SHOWN)
    assert client.api("environment")["log_directories"][0]["exists"] is True
    assert client.get("/data/logdir").json()["logdir"].endswith(SHOWN)
    assert SHOWN in client.api("damage")["warnings"]


def test_errors_may_repeat_odd_texts(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    from sightline.wire.routes import ApiError

    client = client_for(log)

    def refuse(*_: object) -> None:
        raise ApiError(422, f"Not this one: {ODD}")

    monkeypatch.setattr(client.app.state.context.tags, "encoded", refuse)
    monkeypatch.setattr("sightline.dashboards.scalars.tensorboard.tag_facts", refuse)
    assert client.get("/api/v1/tags").json() == {"error": f"Not this one: {SHOWN}"}
    assert client.get("/data/plugin/scalars/tags").text == f"Not this one: {SHOWN}\n"


def test_only_what_cannot_travel_is_replaced() -> None:
    plain = "plain \N{GREEK SMALL LETTER ALPHA} \N{GRINNING FACE}"
    assert wire_text(plain) == plain
    assert wire_bytes(plain) == plain.encode()
    assert wire_bytes("a\udcff") == "a\N{REPLACEMENT CHARACTER}".encode()
    details = RunDetails(7, "a\ud800", ["b\udcff"], [], [])
    assert json.loads(wire_json(details)) == {
        "id": 7,
        "name": "a\N{REPLACEMENT CHARACTER}",
        "directories": ["b\N{REPLACEMENT CHARACTER}"],
        "files": [],
        "sessions": [],
    }
    assert json.loads(wire_json({"\ud800": ({"x": 1.5}, None)})) == {
        "\N{REPLACEMENT CHARACTER}": [{"x": 1.5}, None]
    }
