"""``POST histograms`` and ``POST pr_curves``: every value of some tags in some runs, as a frame."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from sightline.dashboards import decoded_parts
from sightline.log import open_log
from tests.dashboards.frame_decoder import (
    decode_histogram_frame,
    decode_pr_curve_frame,
    decode_pr_curve_statistics,
)
from tests.event_logs import BEGIN_S, points, write_run
from tests.fixtures import event_bytes as eb
from tests.server.clients import InProcess, client_for

A, C, B = range(3)
"""Numbers of the runs."""


def doubles(*numbers: float) -> bytes:
    return struct.pack(f"<{len(numbers)}d", *numbers)


def histogram_record(step: int, *, wall_time: float, buckets: int = 2, count: float = 1) -> bytes:
    limits, counts = range(1, buckets + 1), [count] * buckets
    facts = eb.double(2, buckets) + eb.blob(6, doubles(*limits)) + eb.blob(7, doubles(*counts))
    return eb.record(
        eb.event(eb.summary(eb.blob(1, b"weights") + eb.blob(5, facts)), step=step, wall_time=wall_time)
    )


def curve_record(step: int, thresholds: int) -> bytes:
    content = struct.pack(f"<{6 * thresholds}f", *range(6 * thresholds))
    fields = eb.shape(6, thresholds), eb.blob(4, content)
    return eb.tensor_record(b"curve", 1, *fields, step=step, meta=eb.metadata(b"pr_curves"))


@pytest.fixture
def client(tmp_path: Path) -> InProcess:
    later_s = BEGIN_S + 100
    write_run(
        tmp_path / "a",
        *(histogram_record(step, wall_time=BEGIN_S + step + 1) for step in (0, 5, 7)),
        name="events.out.tfevents.1.a",
    )
    write_run(
        tmp_path / "a",
        histogram_record(5, wall_time=later_s + 1, count=9),
        points(range(3), begin_s=later_s),
        name="events.out.tfevents.2.a",
        begin_s=later_s,
    )
    bad = eb.summary(eb.blob(1, b"weights") + eb.blob(5, eb.blob(6, doubles(1))))
    write_run(
        tmp_path / "b",
        histogram_record(9, wall_time=BEGIN_S + 20, buckets=3),
        eb.record(eb.event(bad, step=3, wall_time=BEGIN_S + 21)),  # out of order, and damaged
    )
    write_run(tmp_path / "c", curve_record(1, 2), curve_record(2, 3))
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    assert client.api("runs")["name"] == ["a", "c", "b"]
    return client


def ask(client: InProcess, route: str, *queries: tuple[str, list[int]]) -> bytes:
    wanted = [{"tag": tag, "runs": runs} for tag, runs in queries]
    answer = client.post(f"/api/v1/{route}", json={"queries": wanted})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/vnd.sightline.frame"
    return answer.content


def test_histograms_of_several_runs_with_restarts_and_damage(client: InProcess) -> None:
    data = ask(client, "histograms", ("weights", [B, A, B, 99]), ("no such tag", [A]), ("weights", [A]))
    header, (of_b, of_a, again) = decode_histogram_frame(data)
    assert header["server_id"] == client.api("runs")["server_id"]
    assert [(one["query"], one["run"]) for one in (of_b, of_a, again)] == [(0, B), (0, A), (2, A)]
    assert (of_a["step"], of_a["size"], of_a["superseded_count"]) == ([0, 5], [2, 2], 2)
    assert (of_a["left"], of_a["right"]) == ([0, 1, 0, 1], [1, 2, 1, 2])
    assert of_a["counts"] == [1, 1, 9, 9]
    assert of_a["wall"] == [BEGIN_S + 1, BEGIN_S + 101]
    assert (of_b["step"], of_b["state"], of_b["size"]) == ([3, 9], [1, 0], [0, 3])
    assert of_b["left"] == [0, 1, 2]
    assert again["counts"] == of_a["counts"]


def test_curves_with_different_numbers_of_thresholds(client: InProcess) -> None:
    _, (one,) = decode_pr_curve_frame(ask(client, "pr_curves", ("curve", [A, C])))
    assert (one["run"], one["step"], one["size"]) == (C, [1, 2], [2, 3])
    assert one["true_positives"] == [0, 1, 0, 1, 2]
    assert one["recall"] == [10, 11, 15, 16, 17]


def test_chosen_curves_and_their_statistics(client: InProcess) -> None:
    query = {"tag": "curve", "runs": [C], "at_steps": [9]}
    answer = client.post("/api/v1/pr_curves", json={"queries": [query]})
    assert [one["step"] for one in decode_pr_curve_frame(answer.content)[1]] == [[2]]

    answer = client.post("/api/v1/pr_curves/statistics", json={"queries": [{**query, "at_steps": [1, 2]}]})
    (one,) = decode_pr_curve_statistics(answer.content)
    assert (one["step"], one["state"], one["positives"], one["negatives"]) == ([1, 2], [0, 0], [6, 9], [6, 9])
    # At the second threshold 1 true and 3 false positives were found, and 7 missed.
    assert one["best_f1"][0] == pytest.approx(2 * 1 / (2 * 1 + 3 + 7))
    assert one["best_threshold"] == [1, 1]


def test_one_kind_is_not_taken_for_the_other(client: InProcess) -> None:
    assert decode_pr_curve_frame(ask(client, "pr_curves", ("weights", [A])))[1] == []
    assert decode_histogram_frame(ask(client, "histograms"))[1] == []


@pytest.mark.parametrize("route", ["histograms", "pr_curves"])
def test_numbers_of_another_start_and_nonsense_are_refused(client: InProcess, route: str) -> None:
    def status_of(body: dict[str, Any]) -> int:
        return client.post(f"/api/v1/{route}", json=body).status_code

    assert status_of({"queries": [], "server_id": "another"}) == 409
    assert status_of({"queries": [{"tag": "weights", "runs": [-1]}]}) == 422
    assert status_of({"queries": [{"runs": [0]}]}) == 422


def test_an_answer_is_bounded_over_all_its_queries(
    client: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run A has 4 buckets, run B 3: 12 and 9 numbers."""
    for most, status in ((21, 200), (20, 413), (11, 413)):
        monkeypatch.setattr(decoded_parts, "MAX_NUMBERS", most)
        queries = [{"tag": "weights", "runs": [A]}, {"tag": "weights", "runs": [B]}]
        answer = client.post("/api/v1/histograms", json={"queries": queries})
        assert answer.status_code == status
    assert "ask for less" in answer.json()["error"]


@pytest.mark.parametrize(
    ("route", "more", "wanted"),
    [("histograms/statistics", {}, 60), ("histograms/maps", {"rows": 4}, 16)],
)
def test_what_is_computed_from_histograms_is_bounded_too(
    client: InProcess, monkeypatch: pytest.MonkeyPatch, route: str, more: dict[str, Any], wanted: int
) -> None:
    """Each run has two values: 15 statistics each, or a column of the map."""
    for most, status in ((wanted, 200), (wanted - 1, 413), (1, 413)):
        monkeypatch.setattr(decoded_parts, "MAX_NUMBERS", most)
        queries = [{"tag": "weights", "runs": [run], **more} for run in (A, B)]
        answer = client.post(f"/api/v1/{route}", json={"queries": queries})
        assert answer.status_code == status
    assert "ask for less" in answer.json()["error"]


def test_the_axis_of_a_map_makes_sense(client: InProcess) -> None:
    query = {"tag": "weights", "runs": [A], "rows": 4}
    for ends, status in (([0, 2], 200), ([2, 0], 422), ([1, 1], 422), ([-1e308, 1e308], 200)):
        answer = client.post("/api/v1/histograms/maps", json={"queries": [{**query, "range": ends}]})
        assert answer.status_code == status
    for width, status in ((0.5, 200), (0, 422), (-1, 422)):
        answer = client.post("/api/v1/histograms/maps", json={"queries": [{**query, "linear_width": width}]})
        assert answer.status_code == status
