"""TensorBoard's routes, field by field against the real TensorBoard on the same directory.

The directory has the logs of every writer among the fixtures, and runs of our own for what those do not have.
Chosen differences are listed in docs/http-api.md, and each has a test here that says so.
"""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

import sightline
from sightline import SummaryWriter
from sightline.dashboards import tensorboard_points
from sightline.dashboards.timeseries import tensorboard as timeseries
from sightline.log import open_log
from sightline.server import streams
from tests.server.both import Answer, Both, ask_tensorboard
from tests.server.clients import InProcess, client_for

FIXTURES = Path(__file__).parents[1] / "fixtures/logs"
SCALARS = "/data/plugin/scalars"
TIMESERIES = "/data/plugin/timeseries"

RESTARTED = {
    *("purge_step", "reopened", "parallel_writers", "restart_without_start"),
    *("restart_with_start", "restart_in_one_file"),
}
"""Runs in which steps were written twice: what TensorBoard keeps depends on how the files fell together."""

ODD_TYPES = "dtypes"
"""The run with scalars of every type. Here all numbers are doubles: 1 of type int8 is 1.0, 2⁶³ - 1 is 2⁶³."""

NO_NUMBERS = ("complex64", "complex128", "string")
"""How tags end that TensorBoard lists, and then fails at when it is asked for their points."""


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("logs")
    shutil.copytree(FIXTURES, directory, dirs_exist_ok=True)
    with SummaryWriter(str(directory / "ours")) as writer:
        for step, value in enumerate([1.5, math.nan, math.inf, -math.inf, -0.0, 1e-45, 3e38]):
            writer.add_scalar("odd", value, step, walltime=1_760_000_000.25 + step)
        for step in range(2_000):
            writer.add_scalar("long", step, step, walltime=1_760_000_000.5 + step)
        writer.add_scalar("large step", 1.0, 2**62, walltime=1_760_000_000.75)
    for name, text in (
        ("told", "one *way*"),
        ("told again", "another, with `code` & <b>"),
        ("third", "one *way*"),
    ):
        with SummaryWriter(str(directory / name)) as writer:
            writer.add_scalar("told", 1.0, 0, display_name="Told", summary_description=text)
    return directory


@pytest.fixture(scope="module")
def ours(logdir: Path) -> InProcess:
    log = open_log(logdir, watch=False, cache=False).wait()
    return client_for(log, flags={"logdir": str(logdir), "port": None, "samples_per_plugin": {"scalars": 3}})


def questions_of(ours: InProcess) -> list[dict[str, Any]]:
    """Everything that is compared, for every scalar there is."""
    tags: dict[str, dict[str, Any]] = ours.get(f"{SCALARS}/tags").json()
    runs = list(tags)
    names = sorted({tag for of_run in tags.values() for tag in of_run})
    pairs = [(run, tag) for run, of_run in tags.items() for tag in of_run]
    asked: list[dict[str, Any]] = [
        {"path": path}
        for path in (
            "/data/environment",
            "/data/logdir",
            "/data/window_properties",
            "/data/runs",
            "/data/runs/",
            "/data/experiments",
            "/data/experiment_runs",
            "/data/plugins_listing",
            "/experiment/defaultExperimentId/data/runs",
            f"{SCALARS}/tags",
            f"{TIMESERIES}/tags",
            f"{SCALARS}/scalars",
            f"{SCALARS}/scalars_multirun",
            f"{TIMESERIES}/timeSeries",
            "/data/nothing",
        )
    ]
    asked += [{"path": f"{SCALARS}/scalars", "query": {"run": run, "tag": tag}} for run, tag in pairs]
    asked += [
        {"path": f"{SCALARS}/scalars", "query": {"run": run, "tag": tag, "format": "csv"}}
        for run, tag in pairs
    ]
    asked += [
        {"path": f"{SCALARS}/scalars", "query": {"run": "nobody", "tag": "loss"}},
        {"path": f"{SCALARS}/scalars", "query": {"run": "ours"}},
        {"path": f"{SCALARS}/scalars_multirun", "method": "POST", "form": {"runs": runs}},
        {"path": f"{TIMESERIES}/timeSeries", "query": {"requests": "["}},
        {"path": f"{TIMESERIES}/timeSeries", "query": {"requests": requests(_odd_requests())}},
    ]
    for tag in names:
        asked += [
            {
                "path": f"{SCALARS}/scalars_multirun",
                "method": "POST",
                "form": {"tag": tag, "runs": [*runs, "nobody"]},
            },
            {
                "path": f"{TIMESERIES}/timeSeries",
                "method": "POST",
                "form": {"requests": requests([{"plugin": "scalars", "tag": tag}])},
            },
        ]
    return asked


def requests(of: list[dict[str, Any]]) -> str:
    return json.dumps(of)


def _odd_requests() -> list[dict[str, Any]]:
    return [
        {"plugin": "scalars"},
        {"plugin": "nothing", "tag": "a"},
        {"plugin": "histograms", "tag": "a"},
        {"plugin": "images", "tag": "a", "run": "b"},
        {"plugin": "scalars", "tag": "odd", "run": "ours"},
        {"plugin": "scalars", "tag": "odd", "run": "nobody"},
    ]


@pytest.fixture(scope="module")
def both(logdir: Path, ours: InProcess) -> Both:
    questions = questions_of(ours)
    return Both(questions, ask_tensorboard(logdir, questions), ours)


def is_long(question: dict[str, Any]) -> bool:
    """The one series that TensorBoard samples."""
    asked = question.get("query", {}).get("tag") or question.get("form", {}).get("tag")
    return asked == "long" or '"long"' in question.get("form", {}).get("requests", "")


@pytest.mark.parametrize(
    "path", ["/data/logdir", "/data/window_properties", "/data/experiments", "/data/experiment_runs"]
)
def test_simple_facts_are_the_same(both: Both, path: str) -> None:
    real, own = both.one(path)
    assert own == real


def test_the_environment_has_the_same_fields(both: Both, logdir: Path) -> None:
    real, own = both.one("/data/environment")
    assert own.keys() == real.keys()
    same = ("data_location", "window_title", "experiment_name", "experiment_description", "creation_time")
    assert {name: own[name] for name in same} == {name: real[name] for name in same}
    assert own["version"] == sightline.__version__
    flags = {"logdir": str(logdir), "port": None, "samples_per_plugin": {"scalars": 3}}
    assert own["debug"]["flags"] == flags


@pytest.mark.parametrize("path", ["/data/runs", "/data/runs/", "/experiment/defaultExperimentId/data/runs"])
def test_runs_are_the_same(both: Both, path: str) -> None:
    real, own = both.one(path)
    assert sorted(own) == sorted(real)


def test_plugins_that_are_served_are_listed_as_tensorboard_does(both: Both) -> None:
    real, own = both.one("/data/plugins_listing")
    assert {"timeseries", "scalars", "images", "audio", "text", "histograms", "distributions"} <= own.keys()
    assert own == {name: real[name] for name in own}
    assert list(own) == [name for name in real if name in own]


def test_scalar_tags_have_the_same_names_and_descriptions(both: Both) -> None:
    real, own = both.one(f"{SCALARS}/tags")
    for run, tags in real.items():
        for tag, facts in tags.items():
            if not tag.endswith(NO_NUMBERS):
                assert own[run][tag] == facts, (run, tag)


def test_the_points_of_every_short_scalar_are_the_same(both: Both) -> None:
    for question, real, own in both.pairs(f"{SCALARS}/scalars"):
        if not _is_different_on_purpose(question, real):
            assert own[:2] == real[:2], question
            assert _comparable(own[2]) == _comparable(real[2]), question


def test_csv_is_the_same_to_the_byte(both: Both) -> None:
    for question, real, own in both.pairs(f"{SCALARS}/scalars", is_csv=True):
        if not _is_different_on_purpose(question, real):
            assert own == real, question


def test_many_runs_at_once_are_the_same(both: Both) -> None:
    for question, real, own in both.pairs(f"{SCALARS}/scalars_multirun"):
        if question.get("method") != "POST" or _is_different_on_purpose(question, real):
            continue
        assert own[:2] == real[:2], question
        if own[0] == 200:
            for run, points in _without_odd(real[2]).items():
                assert own[2][run] == points, (run, question["form"]["tag"])


def test_time_series_are_the_same(both: Both) -> None:
    for question, real, own in both.pairs(f"{TIMESERIES}/timeSeries"):
        if _is_different_on_purpose(question, real):
            continue
        assert own[:2] == real[:2], question
        if own[0] == 200:
            for one, wanted in zip(own[2], real[2], strict=True):
                assert {k: v for k, v in one.items() if k != "runToSeries"} == {
                    k: v for k, v in wanted.items() if k != "runToSeries"
                }
                for run, data in _without_odd(wanted.get("runToSeries", {})).items():
                    assert one["runToSeries"][run] == data, (run, one["tag"])


def test_time_series_tags_of_scalars_are_the_same(both: Both) -> None:
    real, own = both.one(f"{TIMESERIES}/tags")
    for run, tags in real["scalars"]["runTagInfo"].items():
        numbers = {tag for tag in tags if not tag.endswith(NO_NUMBERS)}
        assert numbers <= set(own["scalars"]["runTagInfo"][run])
        assert own["scalars"]["runTagInfo"][run] == sorted(own["scalars"]["runTagInfo"][run])
    for tag, text in real["scalars"]["tagDescriptions"].items():
        assert own["scalars"]["tagDescriptions"][tag] == text
    assert "Multiple descriptions" in real["scalars"]["tagDescriptions"]["told"]
    assert {kind: set(facts) for kind, facts in own.items()} == {
        kind: set(facts) for kind, facts in real.items()
    }


def test_a_missing_page_is_a_line_of_text(both: Both) -> None:
    ((_, real, own),) = both.pairs("/data/nothing")
    assert own[:2] == real[:2] == (404, "text/plain")


def test_get_of_a_post_route_is_refused(both: Both) -> None:
    real, own = next(
        (real, own)
        for question, real, own in both.pairs(f"{SCALARS}/scalars_multirun")
        if "form" not in question
    )
    assert own[0] == real[0] == 405


# ── differences that we chose ────────────────────────────────────────────────────────────────────────────


def test_long_series_have_every_point_where_tensorboard_samples(both: Both) -> None:
    for question, real, own in both.pairs(f"{SCALARS}/scalars"):
        if is_long(question):
            assert len(real[2]) == 1_000
            assert [point[1] for point in own[2]] == list(range(2_000))


def test_a_restarted_run_shows_each_step_once(ours: InProcess) -> None:
    asked = {"run": "torch/restart_without_start", "tag": "loss"}
    steps = [point[1] for point in ours.get(f"{SCALARS}/scalars", params=asked).json()]
    assert len(steps) == len(set(steps)) > 1
    assert steps == sorted(steps)


def test_forms_may_be_multipart_too(ours: InProcess) -> None:
    fields = [("tag", (None, "odd")), ("runs", (None, "ours")), ("runs", (None, "nobody"))]
    answer = ours.post(f"{SCALARS}/scalars_multirun", files=fields)
    assert list(answer.json()) == ["ours"]
    words = [point[2] for point in answer.json()["ours"]]
    assert words[1:4] == ["NaN", "Infinity", "-Infinity"]


def test_long_answers_are_sent_in_pieces_and_compressed_as_they_are_made(
    ours: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = {"tag": "long", "runs": ["ours"]}
    asked = requests([{"plugin": "scalars", "tag": "long"}, {"plugin": "scalars", "tag": "odd"}])
    csv = {"run": "ours", "tag": "long", "format": "csv"}

    def answers(**headers: str) -> list[Any]:
        return [
            ours.post(f"{SCALARS}/scalars_multirun", data=form, headers=headers),
            ours.post(f"{TIMESERIES}/timeSeries", data={"requests": asked}, headers=headers),
            ours.get(f"{SCALARS}/scalars", params=csv, headers=headers),
        ]

    whole = answers()
    assert all("content-length" in answer.headers for answer in whole)
    monkeypatch.setattr(tensorboard_points, "POINTS_PER_PIECE", 7)
    monkeypatch.setattr(streams, "WHOLE_BYTES", 500)
    for encoding in ("gzip", "identity"):
        for answer, wanted in zip(answers(**{"accept-encoding": encoding}), whole, strict=True):
            assert "content-length" not in answer.headers
            assert answer.headers.get("content-encoding", "identity") == encoding
            assert answer.text == wanted.text
            assert len(answer.text) > 20_000


def test_more_points_than_one_answer_can_have_are_refused_before_any_is_sent(
    ours: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tensorboard_points, "MAX_POINTS", 4_500)
    one = {"plugin": "scalars", "tag": "long", "run": "ours"}
    enough = ours.get(f"{TIMESERIES}/timeSeries", params={"requests": requests([one, one])})
    assert [len(answer["runToSeries"]["ours"]) for answer in enough.json()] == [2_000, 2_000]
    for asked in ([one] * 3, [{"plugin": "scalars", "tag": "long"}] * 3):
        answer = ours.get(f"{TIMESERIES}/timeSeries", params={"requests": requests(asked)})
        assert (answer.status_code, answer.headers["content-type"]) == (413, "text/plain; charset=utf-8")
        assert "fewer" in answer.text
    monkeypatch.setattr(tensorboard_points, "MAX_POINTS", 1_999)
    form = {"tag": "long", "runs": ["ours"] * 5}
    assert ours.post(f"{SCALARS}/scalars_multirun", data=form).status_code == 413
    assert ours.get(f"{SCALARS}/scalars", params={"run": "ours", "tag": "long"}).status_code == 413


def test_a_number_that_no_computer_counts_to_is_no_failure(ours: InProcess) -> None:
    asked = '[{"plugin": "scalars", "tag": "odd", "run": "ours", "sample": 1' + "0" * 5_000 + "}]"
    (answer,) = ours.post(f"{TIMESERIES}/timeSeries", data={"requests": asked}).json()
    assert len(answer["runToSeries"]["ours"]) == 7


def test_the_same_question_many_times_is_counted_once(
    ours: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    original = timeseries.count_points

    def count_points(context: Any, tag: str, runs: Any) -> Any:
        counted.append(tag)
        return original(context, tag, runs)

    monkeypatch.setattr(timeseries, "count_points", count_points)
    asked = [{"plugin": "scalars", "tag": tag} for tag in ("odd", "nothing") for _ in range(500)]
    answer = ours.post(f"{TIMESERIES}/timeSeries", data={"requests": requests(asked)}).json()
    assert (len(answer), counted) == (1_000, ["odd", "nothing"])
    assert answer[0] == answer[499]
    assert answer[500]["runToSeries"] == {}


def _comparable(body: Any) -> Any:
    return body.rstrip("\n") if isinstance(body, str) else body


def _is_different_on_purpose(question: dict[str, Any], real: Answer) -> bool:
    if is_long(question) or real[0] == 500:
        return True
    run = question.get("query", {}).get("run", "")
    # A tensor with one number and no plugin is a scalar for us, and not for TensorBoard.
    is_extra = real[0] == 404 and "nobody" not in real[2]
    return is_extra or _is_odd(run)


def _is_odd(run: str) -> bool:
    return Path(run).name in (*RESTARTED, ODD_TYPES)


def _without_odd(by_run: dict[str, Any]) -> dict[str, Any]:
    return {run: data for run, data in by_run.items() if not _is_odd(run)}
