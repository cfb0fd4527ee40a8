"""The Scalars routes: frames that show what was logged, last values, and files with every point."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.dashboards.scalars import export, windows
from sightline.log import Log, open_log
from sightline.server import ServerOptions, make_app
from tests.dashboards.frame_decoder import decode_frame
from tests.event_logs import BEGIN_S, points, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb
from tests.server.clients import InProcess, client_for, serving, two_runs


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return two_runs(tmp_path)


@pytest.fixture
def client(log: Log) -> InProcess:
    client = client_for(log)
    assert client.api("runs")["id"] == [0, 1]
    return client


def many_runs(directory: Path, count: int) -> InProcess:
    """Runs of 10 points each, every one at other steps."""
    for number in range(count):
        write_run(directory / f"run-{number:02}", points(range(number, number + 10)))
    client = client_for(open_log(directory, watch=False, cache=False).wait())
    assert client.api("runs")["id"] == list(range(count))
    return client


def frame_of(client: InProcess, *queries: dict[str, Any]) -> list[dict[str, Any]]:
    answer = client.post("/api/v1/scalars", json={"queries": list(queries)})
    assert answer.status_code == 200, answer.text
    return decode_frame(answer.content)[1]


def test_one_request_answers_many_charts(client: InProcess) -> None:
    series = frame_of(client, {"tag": "loss", "runs": [0, 1]}, {"tag": "acc", "runs": [0, 1]})
    assert [(one["query"], one["run"], one["count"]) for one in series] == [(0, 0, 5), (0, 1, 10), (1, 0, 3)]
    assert series[1]["value"] == series[1]["step"] == list(range(10))
    assert series[0]["is_exact"] is True
    assert series[0]["smoothed"] is None


def test_unknown_runs_and_tags_are_left_out(client: InProcess) -> None:
    assert frame_of(client, {"tag": "nothing", "runs": [0]}, {"tag": "loss", "runs": [7, -1, 10**30]}) == []


def test_a_run_that_is_named_twice_comes_once(client: InProcess) -> None:
    assert len(frame_of(client, {"tag": "loss", "runs": [1, 1, 1]})) == 1


def test_a_stretch_of_the_axis_has_its_points_and_a_neighbour_on_each_side(client: InProcess) -> None:
    (one,) = frame_of(client, {"tag": "loss", "runs": [1], "x_range": [3.5, 6.5]})
    assert one["step"] == [3, 4, 5, 6, 7]
    assert one["total"] == 10


def test_a_smoothed_line_comes_with_the_points(client: InProcess) -> None:
    query = {"tag": "loss", "runs": [1], "smoothing": {"kind": "ema", "amount": 0.5}}
    (one,) = frame_of(client, query)
    assert one["value"] == list(range(10))
    assert len(one["smoothed"]) == 10
    assert one["smoothed"][0] == 0
    (plain,) = frame_of(client, {"tag": "loss", "runs": [1], "smoothing": {"kind": "none", "amount": 0}})
    assert plain["smoothed"] is None


def test_superseded_points_are_a_series_of_their_own(tmp_path: Path) -> None:
    write_restarted_run(tmp_path / "again")
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    client.api("runs")
    series = frame_of(client, {"tag": "loss", "runs": [0], "superseded": True})
    assert [(one["is_superseded"], one["step"]) for one in series] == [
        (False, [0, 1, 2, 3, 4, 5, 6, 7]),
        (True, [3, 4, 5]),
    ]
    assert [one["is_superseded"] for one in frame_of(client, {"tag": "loss", "runs": [0]})] == [False]


@pytest.mark.parametrize(
    "change",
    [
        {"x_range": [5, 1]},
        {"smoothing": {"kind": "ema", "amount": 1}},
        {"smoothing": {"kind": "ema", "amount": -0.1}},
        {"buckets": 0},
        {"buckets": 10**6},
        {"x": "sideways"},
    ],
)
def test_a_query_that_makes_no_sense_is_refused_and_named(client: InProcess, change: dict[str, Any]) -> None:
    answer = client.post("/api/v1/scalars", json={"queries": [{"tag": "loss", "runs": [0], **change}]})
    assert answer.status_code == 422
    assert next(iter(change)) in answer.json()["error"]


def test_an_answer_that_no_page_can_draw_is_refused(
    client: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "MAX_ANSWER_POINTS", 12)
    answer = client.post("/api/v1/scalars", json={"queries": [{"tag": "loss", "runs": [0, 1]}]})
    assert answer.status_code == 413
    assert "fewer" in answer.json()["error"]


def test_a_smoothed_line_counts_as_points_of_its_own(
    client: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "MAX_ANSWER_POINTS", 15)
    query = {"tag": "loss", "runs": [0, 1]}
    assert len(frame_of(client, query)) == 2
    smoothed = {**query, "smoothing": {"kind": "ema", "amount": 0.5}}
    assert client.post("/api/v1/scalars", json={"queries": [smoothed]}).status_code == 413


def test_what_is_too_much_is_found_out_before_all_of_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = many_runs(tmp_path, 20)
    made: list[int] = []
    original = windows.scalar_windows

    def scalar_windows(runs: Any, *arguments: Any, **more: Any) -> Any:
        made.append(len(runs))
        return original(runs, *arguments, **more)

    monkeypatch.setattr(windows, "scalar_windows", scalar_windows)
    monkeypatch.setattr(windows, "RUNS_PER_SLICE", 4)
    monkeypatch.setattr(windows, "MAX_ANSWER_POINTS", 60)
    answer = client.post("/api/v1/scalars", json={"queries": [{"tag": "loss", "runs": list(range(20))}]})
    assert answer.status_code == 413
    assert made == [4, 4]  # of 5 slices


@pytest.mark.parametrize("x", ["step", "relative", "wall"])
@pytest.mark.parametrize("is_log_x", [False, True])
@pytest.mark.parametrize("x_range", [None, [-3.0, 17.0]])
def test_runs_in_slices_are_reduced_as_all_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, x: str, is_log_x: bool, x_range: list[float] | None
) -> None:
    client = many_runs(tmp_path, 9)
    write_restarted_run(tmp_path / "again")
    client.post("/api/v1/reload")
    client.api("runs")
    query = {
        "tag": "loss",
        "runs": list(range(10)),
        "x": x,
        "x_range": [BEGIN_S + at for at in x_range] if x == "wall" and x_range else x_range,
        "is_log_x": is_log_x,
        "buckets": 2,
        "superseded": True,
    }
    at_once = frame_of(client, query)
    assert not all(one["is_exact"] for one in at_once)
    monkeypatch.setattr(windows, "RUNS_PER_SLICE", 2)
    monkeypatch.setattr(windows, "_POINTS_PER_BUCKET", 10**9)
    assert frame_of(client, query) == at_once


def test_the_same_chart_twice_is_computed_once(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    tags: list[str] = []
    original = windows.scalar_windows

    def scalar_windows(runs: Any, tag: str, *arguments: Any, **more: Any) -> Any:
        tags.append(tag)
        return original(runs, tag, *arguments, **more)

    monkeypatch.setattr(windows, "scalar_windows", scalar_windows)
    loss, acc = {"tag": "loss", "runs": [0, 1]}, {"tag": "acc", "runs": [0, 1]}
    series = frame_of(client, loss, acc, loss, {**loss, "buckets": 7})
    assert tags == ["loss", "acc", "loss"]
    assert [(one["query"], one["run"]) for one in series] == [
        *((0, 0), (0, 1), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1))
    ]
    monkeypatch.setattr(windows, "MAX_ANSWER_POINTS", 29)
    assert client.post("/api/v1/scalars", json={"queries": [loss, loss]}).status_code == 413


queries = st.fixed_dictionaries(
    {"tag": st.sampled_from(["loss", "acc", "nothing"]), "runs": st.lists(st.integers(-1, 3), max_size=4)},
    optional={
        "x": st.sampled_from(["step", "relative", "wall"]),
        "x_range": st.tuples(st.floats(-20, 20), st.floats(-20, 20)).map(sorted),
        "is_log_x": st.booleans(),
        "buckets": st.integers(1, 40),
        "smoothing": st.fixed_dictionaries(
            {
                "kind": st.sampled_from(["none", "ema", "time_ema", "gaussian", "mean"]),
                "amount": st.floats(0, 0.99),
            }
        ),
        "superseded": st.booleans(),
    },
)


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(asked=st.lists(queries, max_size=3))
def test_any_sensible_question_gets_a_frame(client: InProcess, asked: list[dict[str, Any]]) -> None:
    for one in frame_of(client, *asked):
        query = asked[one["query"]]
        assert one["run"] in query["runs"]
        assert one["count"] == len(one["step"]) == len(one["wall"]) == len(one["value"]) <= one["total"]
        is_smoothed = query.get("smoothing", {}).get("kind", "none") != "none"
        assert (one["smoothed"] is not None) is is_smoothed


# ── last values ──────────────────────────────────────────────────────────────────────────────────────────


def test_last_values_are_those_of_every_run_that_has_the_tag(client: InProcess) -> None:
    answer = client.post("/api/v1/scalars/last", json={"tags": ["loss", "acc", "nothing"]}).json()
    assert [(one["tag"], one["run"], one["step"], one["value"]) for one in answer["tags"]] == [
        ("loss", [0, 1], [4, 9], [4.0, 9.0]),
        ("acc", [0], [2], [2.0]),
        ("nothing", [], [], []),
    ]


@pytest.mark.parametrize(
    ("value", "word"), [(math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity")]
)
def test_last_values_that_are_not_finite_are_words(tmp_path: Path, value: float, word: str) -> None:
    write_run(tmp_path / "a", eb.scalar(1, value, tag=b"loss"))
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    answer = client.post("/api/v1/scalars/last", json={"tags": ["loss"]})
    assert answer.json()["tags"][0]["value"] == [word]


# ── export ───────────────────────────────────────────────────────────────────────────────────────────────


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_a_csv_has_every_point_with_the_very_numbers(tmp_path: Path) -> None:
    write_run(
        tmp_path / 'odd, "name"', eb.scalar(3, 0.1, tag=b"loss", wall_time=12.5), points(range(3), tag="x")
    )
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    answer = client.get("/api/v1/scalars/export", params={"tag": "loss"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="odd_name_loss.csv"'
    header, row = rows_of(answer.text)
    assert header == ["run", "tag", "step", "wall_time", "value"]
    assert row == ['odd, "name"', "loss", "3", "12.5", "0.10000000149011612"]


def test_json_is_one_document_with_the_same_rows(client: InProcess) -> None:
    request = {"tags": ["acc", "loss"], "runs": [0], "format": "json"}
    answer = client.post("/api/v1/scalars/export", json=request)
    assert answer.headers["content-type"] == "application/json"
    rows = json.loads(answer.text)
    assert [(row["run"], row["tag"], row["step"]) for row in rows] == [
        *(("a", "acc", step) for step in range(3)),
        *(("a", "loss", step) for step in range(5)),
    ]
    empty = client.post("/api/v1/scalars/export", json={"tags": ["nothing"], "format": "json"})
    assert json.loads(empty.text) == []


def test_all_runs_are_exported_unless_some_are_named(client: InProcess) -> None:
    everything = client.post("/api/v1/scalars/export", json={"tags": ["loss"]})
    assert len(rows_of(everything.text)) == 1 + 15
    named = client.get("/api/v1/scalars/export", params={"tag": "loss", "run": "b"})
    assert len(rows_of(named.text)) == 1 + 10
    nobody = client.post("/api/v1/scalars/export", json={"tags": ["loss"], "runs": []})
    assert len(rows_of(nobody.text)) == 1


def test_a_misspelled_run_is_an_error_and_no_empty_file(client: InProcess) -> None:
    answer = client.get("/api/v1/scalars/export", params={"tag": "loss", "run": "B"})
    assert answer.status_code == 404
    assert "'B'" in answer.json()["error"]


def test_a_run_that_is_named_twice_is_exported_once(client: InProcess) -> None:
    answer = client.get("/api/v1/scalars/export", params={"tag": ["loss", "loss"], "run": ["b", "a", "b"]})
    assert [row[0] for row in rows_of(answer.text)[1:]] == ["b"] * 10 + ["a"] * 5


def test_numbers_of_an_earlier_start_of_the_server_export_nothing(client: InProcess) -> None:
    request = {"tags": ["loss"], "runs": [0], "server_id": client.api("runs")["server_id"]}
    assert client.post("/api/v1/scalars/export", json=request).status_code == 200
    refused = client.post("/api/v1/scalars/export", json={**request, "server_id": "before"})
    assert refused.status_code == 409
    assert "reload" in refused.json()["error"]


def test_a_run_that_vanishes_during_an_export_cuts_it_off(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sightline.query.export._ROWS_PER_PIECE", 4)
    original = export.text_pieces

    def text_pieces(*arguments: Any, **more: Any) -> Any:
        for number, piece in enumerate(original(*arguments, **more)):
            yield piece
            if number == 1:
                next((tmp_path / "b").iterdir()).unlink()
                log.refresh()

    monkeypatch.setattr(export, "text_pieces", text_pieces)
    with (
        serving(make_app(log, ServerOptions())) as url,
        pytest.raises(httpx.RemoteProtocolError),
        httpx.stream("GET", f"{url}/api/v1/scalars/export?tag=loss", timeout=30) as answer,
    ):
        answer.read()


def test_superseded_points_are_exported_on_request(tmp_path: Path) -> None:
    write_restarted_run(tmp_path / "again")
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    visible = client.get("/api/v1/scalars/export", params={"tag": "loss"})
    everything = client.get("/api/v1/scalars/export", params={"tag": "loss", "superseded": "true"})
    assert (len(rows_of(visible.text)), len(rows_of(everything.text))) == (1 + 8, 1 + 11)


def test_pieces_are_made_only_when_they_are_sent(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    from sightline.dashboards.scalars.export import export_by_number
    from sightline.dashboards.scalars.schemas import ExportRequest

    monkeypatch.setattr("sightline.query.export._ROWS_PER_PIECE", 4)
    context = client_for(log).app.state.context
    download = export_by_number(context, ExportRequest(tags=["loss"]))
    pieces = download.pieces
    assert next(pieces).startswith(b"run,tag")
    assert next(pieces).count(b"\n") == 4
    assert sum(piece.count(b"\n") for piece in pieces) == 15 - 4
