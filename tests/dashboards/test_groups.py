"""The route for groups: lines of groups as a frame, with notes about what is not there."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sightline.dashboards.scalars import groups
from sightline.log import open_log
from sightline.query import aggregates
from tests.dashboards.frame_decoder import decode_group_frame
from tests.event_logs import points, write_restarted_run, write_run
from tests.server.clients import InProcess, client_for


@pytest.fixture
def client(tmp_path: Path) -> InProcess:
    """Runs 0 to 3: `a`, `b` and `c` with loss = factor × step, `d` without it."""
    for name, factor in [("a", 1.0), ("b", 2.0), ("c", 6.0)]:
        write_run(tmp_path / name, points(range(10), factor=factor))
    write_run(tmp_path / "d", points(range(5), tag="other"))
    return opened(tmp_path, runs=4)


def opened(directory: Path, *, runs: int) -> InProcess:
    client = client_for(open_log(directory, watch=False, cache=False).wait())
    assert client.api("runs")["id"] == list(range(runs))
    return client


def answer_of(client: InProcess, *queries: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    answer = client.post("/api/v1/scalars/groups", json={"queries": list(queries)})
    assert answer.status_code == 200, answer.text
    return decode_group_frame(answer.content)


def test_each_group_is_a_line_with_a_band_and_its_members(client: InProcess) -> None:
    header, (first, second) = answer_of(client, {"tag": "loss", "groups": [[0, 1], [0, 1, 2]]})
    assert header["notes"] == []
    assert (first["query"], first["group"], first["runs"], first["count"]) == (0, 0, 2, 10)
    assert first["is_exact"] is True
    assert first["x"] == list(range(10))
    np.testing.assert_allclose(first["center"], np.arange(10) * 1.5)
    np.testing.assert_allclose(first["high"], np.arange(10) * (1.5 + np.std([1, 2], ddof=1)), rtol=1e-6)
    assert second["members"] == [3] * 10
    np.testing.assert_allclose(second["center"], np.arange(10) * 3)
    assert second["y_range"] == pytest.approx([0, 9 * (3 + np.std([1, 2, 6], ddof=1))])


def test_one_request_answers_many_charts(client: InProcess) -> None:
    queries = [
        {"tag": "loss", "groups": [[0, 1, 2]], "center": center, "band": band}
        for center, band in [("median", "none"), ("mean", "minmax"), ("median", "none")]
    ]
    _, lines = answer_of(client, *queries)
    assert [line["query"] for line in lines] == [0, 1, 2]
    assert lines[0]["low"] is None
    assert lines[0]["high"] is None
    assert lines[0]["center"] == lines[2]["center"] == [2.0 * step for step in range(10)]
    assert lines[1]["high"] == [6.0 * step for step in range(10)]


def test_a_stretch_has_a_place_on_each_side(client: InProcess) -> None:
    _, (line,) = answer_of(client, {"tag": "loss", "groups": [[0, 1]], "x_range": [3.5, 5.5]})
    assert line["x"] == [3, 4, 5, 6]
    spread = np.std([1, 2], ddof=1)
    assert line["y_range"] == pytest.approx([4 * (1.5 - spread), 5 * (1.5 + spread)])


def test_unknown_runs_are_left_out_and_empty_groups_are_told_about(client: InProcess) -> None:
    header, (line,) = answer_of(client, {"tag": "loss", "groups": [[3, 99], [0, 0, 99, -1], []]})
    assert (line["group"], line["runs"], line["members"]) == (1, 1, [1] * 10)
    assert [(note["query"], note["run"], note["is_error"]) for note in header["notes"]] == [(0, None, False)]
    assert "2 of 3 groups" in header["notes"][0]["text"]
    header, lines = answer_of(client, {"tag": "nothing", "groups": [[0, 1]]}, {"tag": "loss", "groups": []})
    assert lines == []
    assert [(note["query"], note["is_error"]) for note in header["notes"]] == [(0, True)]


def test_a_formula_that_cannot_be_read_is_a_note(client: InProcess) -> None:
    header, lines = answer_of(
        client, {"formula": "loss +", "groups": [[0, 1]]}, {"formula": "loss * 2", "groups": [[0, 1]]}
    )
    assert [line["query"] for line in lines] == [1]
    assert lines[0]["center"] == [3.0 * step for step in range(10)]
    assert [(note["query"], note["is_error"]) for note in header["notes"]] == [(0, True)]


def test_the_baseline_is_taken_from_every_member(client: InProcess) -> None:
    baseline = {"run": 0, "mode": "difference"}
    _, (line,) = answer_of(client, {"tag": "loss", "groups": [[1, 2]], "baseline": baseline})
    assert line["center"] == [3.0 * step for step in range(10)]


def test_a_restarted_run_is_a_member_once(tmp_path: Path) -> None:
    write_restarted_run(tmp_path / "again")
    write_run(tmp_path / "plain", points(range(8)))
    _, (line,) = answer_of(opened(tmp_path, runs=2), {"tag": "loss", "groups": [[0, 1]]})
    assert line["members"] == [2] * 8


@pytest.mark.parametrize(
    "change",
    [
        {"x_range": [5, 1]},
        {"smoothing": {"kind": "ema", "amount": 1}},
        {"buckets": 0},
        {"center": "middle"},
        {"band": "wide"},
        {"groups": [["a"]]},
        {"formula": "loss"},
    ],
)
def test_a_query_that_makes_no_sense_is_refused_and_named(client: InProcess, change: dict[str, Any]) -> None:
    query = {"tag": "loss", "groups": [[0]], **change}
    answer = client.post("/api/v1/scalars/groups", json={"queries": [query]})
    assert answer.status_code == 422
    assert next(iter(change)) in answer.json()["error"]


def test_too_many_runs_are_refused(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "MAX_RUNS_PER_QUERY", 3)
    queries = [{"tag": "loss", "groups": [[0, 1], [0, 1]]}]
    answer = client.post("/api/v1/scalars/groups", json={"queries": queries})
    assert answer.status_code == 422
    assert "groups" in answer.json()["error"]


def test_an_answer_that_no_page_can_draw_is_refused(
    client: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "MAX_ANSWER_PLACES", 15)
    query = {"tag": "loss", "groups": [[0]]}
    for queries in [[{**query, "groups": [[0], [1]]}], [query, query]]:
        answer = client.post("/api/v1/scalars/groups", json={"queries": queries})
        assert answer.status_code == 413
        assert "fewer" in answer.json()["error"]


def test_more_points_than_can_be_computed_are_refused(
    client: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aggregates, "MAX_COMPUTED_POINTS", 15)
    queries = [{"formula": "loss * 2", "groups": [[0, 1]]}]
    answer = client.post("/api/v1/scalars/groups", json={"queries": queries})
    assert answer.status_code == 413


def test_columns_take_the_smallest_form_that_nobody_can_tell(tmp_path: Path) -> None:
    """Even steps and constant counts take no bytes; a line that varies in its last digits is not rounded."""
    for number in range(3):
        write_run(tmp_path / f"{number}", points(range(100), factor=1 / 3 + number))
    client = opened(tmp_path, runs=3)
    data = client.post(
        "/api/v1/scalars/groups", json={"queries": [{"tag": "loss", "groups": [[0, 1, 2]]}]}
    ).content
    (length,) = struct.unpack_from("<I", data, 4)
    (group,) = json.loads(data[8 : 8 + length])["groups"]
    assert {name: group[name]["type"] for name in ("x", "center", "members")} == {
        "x": "range",
        "center": "f32",
        "members": "range",
    }
