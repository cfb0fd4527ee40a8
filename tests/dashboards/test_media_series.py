"""``POST media/series`` and ``media/steps``: every step of some tags in some runs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from sightline.dashboards.media import series as media_series
from sightline.log import open_log
from tests.dashboards.frame_decoder import decode_media_frame, decode_steps_frame
from tests.event_logs import BEGIN_S, image_record, image_tensor_record, points, write_run
from tests.fixtures import event_bytes as eb
from tests.server.clients import InProcess, client_for

A, C, B = range(3)
"""Numbers of the runs."""


@pytest.fixture
def client(tmp_path: Path) -> InProcess:
    later_s = BEGIN_S + 100
    write_run(
        tmp_path / "a",
        image_record("restarted", 0, b"x", wall_time=BEGIN_S + 1),
        image_record("restarted", 5, b"x", wall_time=BEGIN_S + 2),
        image_record("restarted", 7, b"x", wall_time=BEGIN_S + 3),
        name="events.out.tfevents.1.a",
    )
    write_run(
        tmp_path / "a",
        image_record("restarted", 5, b"y", wall_time=later_s + 1),
        points(range(3), begin_s=later_s),
        name="events.out.tfevents.2.a",
        begin_s=later_s,
    )
    write_run(tmp_path / "b", image_record("restarted", 9, b"z", wall_time=BEGIN_S + 9))
    write_run(
        tmp_path / "c",
        image_record("both forms", 2, b"x"),
        image_tensor_record("both forms", 3, b"1", b"2", b"3"),
        image_record("huge", 2**63 - 1, b"x", wall_time=float("nan")),
        eb.text_record(b"note", b"hello", step=4),
    )
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    assert client.api("runs")["name"] == ["a", "c", "b"]
    return client


def ask(client: InProcess, *queries: tuple[str, str, list[int]], **more: Any) -> Any:
    wanted = [{"kind": kind, "tag": tag, "runs": runs} for kind, tag, runs in queries]
    answer = client.post("/api/v1/media/series", json={"queries": wanted, **more})
    assert answer.status_code == 200, answer.text
    header, series = decode_media_frame(answer.content)
    return {**header, "series": series}


def test_restarts_and_several_runs(client: InProcess) -> None:
    answer = ask(client, ("image", "restarted", [B, A, B]))
    assert answer["server_id"] == client.api("runs")["server_id"]
    first, second = answer["series"]
    assert (first["run"], first["step"], first["wall"]) == (B, [9], [BEGIN_S + 9])
    assert (second["run"], second["step"]) == (A, [0, 5])
    assert second["wall"] == [BEGIN_S + 1, BEGIN_S + 101]
    assert (first["superseded_count"], second["superseded_count"]) == (0, 2)


def test_forms_of_one_kind_are_one_series_with_the_samples_of_a_batch(client: InProcess) -> None:
    (one,) = ask(client, ("image", "both forms", [A, B, C]))["series"]
    assert (one["run"], one["step"], one["samples"]) == (C, [2, 3], 3)


def test_the_query_of_each_series_and_the_kinds_are_told_apart(client: InProcess) -> None:
    answer = ask(
        client,
        ("text", "note", [C]),
        ("image", "note", [C]),
        ("text", "no such tag", [A, B]),
        ("image", "restarted", [B]),
    )
    assert [(one["query"], one["run"], one["samples"]) for one in answer["series"]] == [(0, C, 1), (3, B, 1)]


def test_numbers_that_doubles_or_runs_do_not_have(client: InProcess) -> None:
    (one,) = ask(client, ("image", "huge", [C, 7, 10**9]))["series"]
    assert one["step"] == [2.0**63]
    assert len(one["wall"]) == 1
    assert math.isnan(one["wall"][0])


def test_nothing_is_asked_for_and_nothing_comes(client: InProcess) -> None:
    assert ask(client)["series"] == []
    assert ask(client, ("image", "restarted", []))["series"] == []


def test_numbers_of_another_start_of_the_server_are_refused(client: InProcess) -> None:
    server_id = client.api("runs")["server_id"]
    assert ask(client, ("image", "restarted", [A]), server_id=server_id)["series"] != []
    body = {"queries": [], "server_id": "another"}
    assert client.post("/api/v1/media/series", json=body).status_code == 409


def test_an_answer_is_bounded(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_series, "MAX_VALUES", 2)
    query = {"kind": "image", "tag": "restarted", "runs": [A]}
    assert client.post("/api/v1/media/series", json={"queries": [query]}).status_code == 200
    refused = client.post("/api/v1/media/series", json={"queries": [{**query, "runs": [A, B]}]})
    assert refused.status_code == 413
    assert "ask for less" in refused.json()["error"]


@pytest.mark.parametrize("joined_values", [0, 1, media_series.JOINED_VALUES])
def test_steps_of_many_series_together(
    client: InProcess, monkeypatch: pytest.MonkeyPatch, joined_values: int
) -> None:
    monkeypatch.setattr(media_series, "JOINED_VALUES", joined_values)
    queries = [
        {"kind": "image", "tag": "huge", "runs": [C]},
        {"kind": "image", "tag": "restarted", "runs": [B, A, B, 7]},
        {"kind": "image", "tag": "restarted", "runs": [A]},
        {"kind": "text", "tag": "note", "runs": [A, C]},
    ]
    answer = client.post("/api/v1/media/steps", json={"queries": queries})
    assert decode_steps_frame(answer.content) == [0, 4, 5, 9, 2.0**63]
    none = client.post("/api/v1/media/steps", json={"queries": []})
    assert decode_steps_frame(none.content) == []
    body = {"queries": queries, "server_id": "another"}
    assert client.post("/api/v1/media/steps", json=body).status_code == 409
    monkeypatch.setattr(media_series, "MAX_VALUES", 4)
    assert client.post("/api/v1/media/steps", json={"queries": queries}).status_code == 413


@pytest.mark.parametrize(
    "query",
    [
        {"kind": "scalar", "tag": "loss", "runs": [0]},
        {"kind": "no such kind", "tag": "loss", "runs": [0]},
        {"kind": "image", "tag": "t", "runs": [-1]},
        {"kind": "image", "runs": [0]},
    ],
)
def test_what_is_no_query_is_refused(client: InProcess, query: dict[str, Any]) -> None:
    assert client.post("/api/v1/media/series", json={"queries": [query]}).status_code == 422
