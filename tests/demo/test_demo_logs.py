"""The demo's logs hold what the demo promises, and its directory is handled with care."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sightline
from sightline.demo import LiveRun, write_demo
from sightline.formats.items import CustomScalarsItem
from sightline.model.errors import BadArgumentError

NOW_S = 1_790_000_000.0


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("demo") / "logs"
    assert write_demo(root, now_s=NOW_S) == 24
    return root


@pytest.fixture
def log(directory: Path) -> Iterator[sightline.Log]:
    with sightline.open(directory, watch=False, cache=False).wait() as opened:
        yield opened


def test_there_are_experiments_with_seeds_and_many_scalars_in_groups(log: sightline.Log) -> None:
    assert len(log) == 24
    assert {f"gpt/{name}/seed{seed}" for name in ("baseline", "wide") for seed in range(3)} < set(log.runs)
    tags = set(log["gpt/baseline/seed0"].scalars)
    assert len(tags) >= 20
    assert len({tag.split("/")[0] for tag in tags}) >= 5


def test_every_kind_of_data_is_there(log: sightline.Log) -> None:
    assert {info.kind for info in log["cnn/seed0"].tags.values()} == set(sightline.Kind)


def test_the_layout_draws_the_two_losses_and_nothing_else(log: sightline.Log) -> None:
    (item,) = log["cnn/seed0"].media(sightline.Kind.custom_scalars)["custom_scalars__config__"]
    assert isinstance(item, CustomScalarsItem)
    lines = item.layout.category[0].chart[0].multiline
    assert lines is not None
    tags = {tag for run in log.runs for tag in log[run].scalars}
    drawn = {tag for tag in tags if any(re.match(pattern, tag) for pattern in lines.tag)}
    assert drawn == {"train/loss", "val/loss"}


def test_films_and_texts_become_clearer(log: sightline.Log) -> None:
    film = log["cnn/seed0"].images["orbit"]
    assert {film[0].mime_type, film[-1].mime_type} == {"image/gif"}
    texts = log["gpt/baseline/seed0"].text["samples/generated/text_summary"]
    assert list(texts.step) == [0, 250, 500, 750, 1_000, 1_250]
    assert "blue" not in texts[0].text.split("Prompt")[1].split(">")[1]
    assert "blue" in texts[-1].text.split(">")[1]


def test_losses_fall(log: sightline.Log) -> None:
    for run in ("gpt/baseline/seed0", "gpt/wide/seed2", "gpt/resumed"):
        for tag in ("train/loss", "val/loss"):
            values = log[run].scalars[tag].value
            assert np.isfinite(values).all()
            assert values[-10:].mean() < 0.5 * values[0]


def test_one_run_has_an_episode_without_numbers_and_recovers(log: sightline.Log) -> None:
    loss = log["gpt/lr-3e-3"].scalars["train/loss"].value
    assert np.isnan(loss).sum() == 85
    assert np.isfinite(loss[-500:]).all()


def test_one_run_tells_how_it_crashed(log: sightline.Log) -> None:
    (story,) = log["gpt/no-warm-up"].stories
    assert (story.status, story.error.type if story.error else "") == ("crashed", "OutOfMemoryError")


def test_one_run_was_resumed_and_keeps_the_abandoned_branch(log: sightline.Log) -> None:
    run = log["gpt/resumed"]
    loss = run.scalars["train/loss"]
    np.testing.assert_array_equal(loss.step, np.arange(1_500))
    assert loss.superseded.step[0] == 800
    assert [story.status for story in run.stories] == ["unfinished", "finished"]


def test_one_run_fell_silent_hours_ago(log: sightline.Log) -> None:
    (story,) = log["gpt/silent"].stories
    assert story.status == "unfinished"
    assert 3_600 < NOW_S - story.last_seen < 86_400


def test_one_record_is_damaged(log: sightline.Log) -> None:
    assert [damage.run for damage in log.damage] == ["mlp/damaged"]


def test_nothing_is_from_the_future(log: sightline.Log) -> None:
    for run in log.runs:
        assert all(series.wall_time[-1] < NOW_S for series in log[run].scalars.values()), run


def test_a_directory_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x", "utf-8")
    with pytest.raises(BadArgumentError, match="new, empty, or its own"):
        write_demo(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_its_own_directory_is_written_anew(tmp_path: Path) -> None:
    write_demo(tmp_path, now_s=NOW_S)
    write_demo(tmp_path, now_s=NOW_S + 1_000)
    with sightline.open(tmp_path, watch=False, cache=False).wait() as log:
        assert len(log) == 24
        assert len(log["gpt/baseline/seed0"].stories) == 1


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(BadArgumentError, match="Cannot write the demo: "):
        write_demo(tmp_path / "file" / "logs")


def test_the_live_run_grows_and_is_finished_when_stopped(tmp_path: Path) -> None:
    live = LiveRun(tmp_path, steps_per_s=200)
    with sightline.open(tmp_path, cache=False) as log:
        has_grown = threading.Event()

        def look(_change: object) -> None:
            if "gpt/live" in log and len(log["gpt/live"].scalars.get("train/loss", ())) > 300:
                has_grown.set()

        log.on_change(look)
        live.start()
        is_grown = has_grown.wait(60)
        live.stop()
        assert is_grown
        log.refresh()
        loss = log["gpt/live"].scalars["train/loss"]
        assert loss.wall_time[-1] <= time.time()
        assert (np.diff(loss.wall_time) > 0).all()
        (story,) = log["gpt/live"].stories
        assert story.status == "finished"
