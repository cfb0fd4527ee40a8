"""Computed lines and statistics over HTTP: formulas, baselines, other x axes, notes in place of errors."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from sightline.dashboards.scalars import statistics, windows
from sightline.log import open_log
from tests.dashboards.frame_decoder import decode_frame
from tests.event_logs import BEGIN_S, points, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb
from tests.server.clients import InProcess, client_for


@pytest.fixture
def client(tmp_path: Path) -> InProcess:
    """0: loss and acc at steps 0 to 9; 1: loss at 0 to 4, twice as large; 2: a restarted run."""
    write_run(tmp_path / "a", points(range(10)), points(range(1, 11), tag="acc"))
    write_run(tmp_path / "b", points(range(5), factor=2, begin_s=BEGIN_S + 1))
    write_restarted_run(tmp_path / "c")
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    assert sorted(client.api("runs")["id"]) == [0, 1, 2]
    return client


def numbers(client: InProcess) -> dict[str, int]:
    table = client.api("runs")
    return dict(zip(table["name"], table["id"], strict=True))


def frame_of(client: InProcess, *queries: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """(series, notes)."""
    answer = client.post("/api/v1/scalars", json={"queries": list(queries)})
    assert answer.status_code == 200, answer.text
    header, series = decode_frame(answer.content)
    return series, header["notes"]


def statistics_of(client: InProcess, *queries: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/api/v1/scalars/statistics", json={"queries": list(queries)})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_formula_answers_like_a_tag(client: InProcess) -> None:
    run = numbers(client)
    query = {"formula": "loss + acc", "runs": [run["a"]], "smoothing": {"kind": "ema", "amount": 0.5}}
    (one,), notes = frame_of(client, query)
    assert one["step"] == list(range(1, 10))
    assert one["value"] == [2 * step for step in range(1, 10)]
    assert len(one["smoothed"]) == 9
    assert one["x"] is None
    assert one["total"] == 9
    assert notes == []


def test_notes_name_the_query_and_the_run(client: InProcess) -> None:
    run = numbers(client)
    series, notes = frame_of(
        client,
        {"tag": "loss", "runs": [run["a"]]},
        {"formula": "loss - acc", "runs": [run["a"], run["b"]]},
        {"formula": "los", "runs": [run["a"]]},
        {"formula": "loss * (", "runs": [run["a"]]},
    )
    assert [(one["query"], one["run"]) for one in series] == [(0, run["a"]), (1, run["a"])]
    assert notes == [
        {"query": 1, "run": run["b"], "is_error": False, "text": "No `acc`: no line for 1 of 2 runs"},
        {
            "query": 2,
            "run": None,
            "is_error": True,
            "text": "There is no tag `los` in these runs; did you mean `loss`?",
        },
        {
            "query": 3,
            "run": None,
            "is_error": True,
            "text": "The formula ends where a tag or a number is expected (at character 9)",
        },
    ]


def test_the_same_query_twice_has_its_notes_twice(client: InProcess) -> None:
    query = {"formula": "nothing", "runs": [0]}
    _, notes = frame_of(client, query, query)
    assert [note["query"] for note in notes] == [0, 1]


def test_a_baseline_is_a_run_by_number(client: InProcess) -> None:
    run = numbers(client)
    query = {"tag": "loss", "runs": [run["a"], run["b"]], "baseline": {"run": run["a"], "mode": "difference"}}
    (base, other), notes = frame_of(client, query)
    assert base["value"] == [0] * 10
    assert other["value"] == [0, 1, 2, 3, 4]
    assert notes == []
    series, notes = frame_of(client, {**query, "baseline": {"run": 99}})
    assert series == []
    assert notes == [
        {
            "query": 0,
            "run": None,
            "is_error": True,
            "text": "The baseline is not there any more: choose another run",
        }
    ]


def test_a_metric_is_the_x_of_a_frame(client: InProcess) -> None:
    run = numbers(client)
    query = {"tag": "loss", "runs": [run["a"], run["b"]], "x": "metric", "x_tag": "acc"}
    (one,), notes = frame_of(client, query)
    assert one["x"] == list(range(1, 10))
    assert one["step"] == list(range(1, 10))
    assert [note["text"] for note in notes] == [
        "No `acc`: no line for 1 of 2 runs",
        "1 point in 1 run left out: no `acc` there",
    ]
    (zoomed,), _ = frame_of(client, {**query, "x_range": [3.5, 4.5]})
    assert zoomed["x"] == [3, 4, 5]


def test_active_time_leaves_out_the_pause(client: InProcess) -> None:
    query = {"tag": "loss", "runs": [numbers(client)["c"]], "x": "active", "superseded": True}
    (one,), notes = frame_of(client, query)
    assert one["x"] == [0, 1, 2, 5, 6, 7, 8, 9]
    assert notes == []


def test_superseded_points_stay_with_plain_tags(client: InProcess) -> None:
    run = numbers(client)["c"]
    series, _ = frame_of(client, {"tag": "loss", "runs": [run], "superseded": True})
    assert [one["is_superseded"] for one in series] == [False, True]
    series, _ = frame_of(client, {"formula": "loss * 1", "runs": [run], "superseded": True})
    assert [one["is_superseded"] for one in series] == [False]


@pytest.mark.parametrize("route", ["scalars", "scalars/statistics"])
@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"formula": "loss", "tag": "loss"}, "$.queries[1].formula"),
        ({"formula": "x" * 4097}, "$.queries[1].formula"),
        ({"x": "sideways"}, "$.queries[1].x"),
        ({"x_range": [5, 1]}, "$.queries[1].x_range"),
        ({"baseline": {"run": 0, "mode": "quotient"}}, "$.queries[1].baseline.mode"),
        ({"smoothing": {"kind": "ema", "amount": 1}}, "$.queries[1].smoothing.amount"),
    ],
)
def test_what_makes_no_sense_in_any_log_is_refused_and_named(
    client: InProcess, route: str, change: dict[str, Any], path: str
) -> None:
    good: dict[str, Any] = {"tag": "loss", "runs": [0]}
    bad = {"runs": [0], **change} if "formula" in change else {**good, **change}
    answer = client.post(f"/api/v1/{route}", json={"queries": [good, bad]})
    assert answer.status_code == 422
    assert f"`{path}`" in answer.json()["error"].replace("[...]", "[1]")


def test_computed_lines_take_room_like_others(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "MAX_ANSWER_POINTS", 12)
    query = {"formula": "loss", "runs": [0, 1]}
    assert client.post("/api/v1/scalars", json={"queries": [query]}).status_code == 413


# ── statistics ───────────────────────────────────────────────────────────────────────────────────────────


def test_statistics_are_columns_by_run(client: InProcess) -> None:
    run = numbers(client)
    query = {"tag": "loss", "runs": [run["a"], run["b"]], "x_range": [2, 4], "at": 3.2}
    found = statistics_of(client, query)
    assert found["server_id"]
    assert found["notes"] == []
    (one,) = found["queries"]
    assert one["query"] == 0
    assert one["statistics"] == {
        "run": [run["a"], run["b"]],
        "count": [3, 3],
        "nonfinite_count": [0, 0],
        "start": [2, 4],
        "start_step": [2, 2],
        "end": [4, 8],
        "end_step": [4, 4],
        "change": [2, 4],
        "percent": [100, 100],
        "min": [2, 4],
        "min_step": [2, 2],
        "max": [4, 8],
        "max_step": [4, 4],
        "mean": [3, 6],
        "std": [1, 2],
        "median": [3, 6],
        "slope": [1, 2],
    }
    assert one["at"] == {
        "run": [run["a"], run["b"]],
        "x": [3, 3],
        "step": [3, 3],
        "wall_s": [BEGIN_S + 4, BEGIN_S + 5],
        "relative_s": [3, 3],
        "value": [3, 6],
        "smoothed": None,
    }


def test_numbers_that_are_not_there_are_null_and_infinite_ones_words(client: InProcess) -> None:
    run = numbers(client)
    found = statistics_of(
        client,
        {"tag": "loss", "runs": [run["a"]], "x_range": [100, 200]},
        {"tag": "loss", "runs": [run["a"]], "x_range": [0, 0]},
        {"formula": "1 / loss", "runs": [run["a"]], "at": 0},
    )
    empty, single, divided = (one["statistics"] for one in found["queries"])
    assert empty["count"] == [0]
    assert empty["start"] == empty["start_step"] == empty["mean"] == empty["slope"] == [None]
    assert single["count"] == [1]
    assert single["std"] == single["slope"] == single["percent"] == [None]
    assert divided["nonfinite_count"] == [1]
    assert divided["max"] == [1]
    assert found["queries"][2]["at"]["value"] == ["Infinity"]
    assert [note["text"] for note in found["notes"]] == ["1 point not finite: division by zero"]
    assert found["notes"][0]["query"] == 2


def test_statistics_of_smoothed_and_computed_lines(client: InProcess) -> None:
    run = numbers(client)
    found = statistics_of(
        client,
        {"tag": "loss", "runs": [run["a"]], "smoothing": {"kind": "mean", "amount": 3}, "at": 0},
        {"tag": "loss", "runs": [run["a"], 99], "x": "metric", "x_tag": "acc", "x_range": [2, 3]},
        {"tag": "loss", "runs": [run["b"]], "baseline": {"run": run["a"], "mode": "percent"}},
        {"formula": "nothing", "runs": [run["a"]]},
    )
    smooth, metric, compared, missing = found["queries"]
    assert smooth["statistics"]["start"] == [0.5]
    assert (smooth["at"]["value"], smooth["at"]["smoothed"]) == ([0], [0.5])
    assert metric["statistics"]["count"] == [2]
    assert metric["statistics"]["start_step"] == [2]
    assert compared["statistics"]["mean"] == [100]
    assert compared["statistics"]["nonfinite_count"] == [1]
    assert missing["statistics"]["run"] == []
    assert [(note["query"], note["is_error"]) for note in found["notes"]] == [
        (1, False),
        (2, False),
        (3, True),
    ]


def test_a_table_that_no_page_can_show_is_refused(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "MAX_ANSWER_RUNS", 2)
    query = {"tag": "loss", "runs": [0, 1, 2]}
    answer = client.post("/api/v1/scalars/statistics", json={"queries": [query]})
    assert answer.status_code == 413
    assert "fewer" in answer.json()["error"]


def test_wall_times_of_nowhere_do_not_break_the_answer(tmp_path: Path) -> None:
    write_run(tmp_path / "a", eb.scalar(0, 1.0, tag=b"loss", wall_time=math.nan))
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    client.api("runs")
    query = {"tag": "loss", "runs": [0], "at": 0}
    (one,) = statistics_of(client, query)["queries"]
    assert one["at"]["wall_s"] == ["NaN"]
    series, notes = frame_of(client, {"tag": "loss", "runs": [0], "x": "active"})
    assert series == []
    assert notes[0]["text"] == "1 point left out: no wall time"
