"""Scalar series over real event files: views, snapshots, restarts, parallel writers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sightline.model.errors import UnknownNameError
from sightline.model.forms import Form
from sightline.store.run import Run
from tests.event_logs import (
    BEGIN_S,
    append,
    points,
    read,
    start,
    write_restarted_run,
    write_run,
)


def only_run(root: Path) -> Run:
    (run,) = read(root).runs()
    return run


def test_a_series_of_one_file_is_the_memory_of_the_core(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(100)))
    store = read(tmp_path)
    series = store.runs()[0].scalars["loss"]
    (part,) = store.index.parts("a", "loss", Form.SCALAR)
    assert np.shares_memory(series.value, part.value)
    assert np.shares_memory(series.step, part.step)
    assert np.shares_memory(series.wall_time, part.wall_time)


def test_columns_have_the_promised_types_and_are_read_only(tmp_path: Path) -> None:
    write_restarted_run(tmp_path / "restarted")
    write_run(tmp_path / "simple", points(range(3)))
    for run in read(tmp_path).runs():
        series = run.scalars["loss"]
        assert (series.step.dtype, series.wall_time.dtype, series.value.dtype) == (
            np.int64,
            np.float64,
            np.float64,
        )
        for column in (
            series.step,
            series.wall_time,
            series.value,
            series.all.value,
            series.superseded.value,
        ):
            with pytest.raises(ValueError, match="read-only"):
                column[:1] = 0


def test_a_restarted_run_shows_the_new_points_and_keeps_the_superseded_ones(tmp_path: Path) -> None:
    write_restarted_run(tmp_path)
    series = only_run(tmp_path).scalars["loss"]
    assert series.step.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert series.value.tolist() == [0, 1, 2, 30, 40, 50, 60, 70]
    assert series.superseded_count == 3
    assert series.superseded.value.tolist() == [3, 4, 5]
    assert series.all.step.tolist() == [0, 1, 2, 3, 4, 5, 3, 4, 5, 6, 7]


def test_what_was_never_restarted_has_no_superseded_points(tmp_path: Path) -> None:
    write_run(tmp_path, points(range(3)))
    series = only_run(tmp_path).scalars["loss"]
    assert len(series.superseded) == series.superseded_count == 0
    assert series.superseded.step.dtype == np.int64
    assert series.all is series


def test_parallel_writers_are_merged_by_step(tmp_path: Path) -> None:
    write_run(tmp_path, points([0, 2, 4, 6]), name="events.out.tfevents.1.rank0")
    write_run(tmp_path, points([1, 3, 5], factor=-1), name="events.out.tfevents.1.rank1")
    series = only_run(tmp_path).scalars["loss"]
    assert series.step.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert series.value.tolist() == [0, -1, 2, -3, 4, -5, 6]
    assert series.superseded_count == 0


def test_files_are_ordered_by_time_even_when_their_names_say_otherwise(tmp_path: Path) -> None:
    write_run(tmp_path, points([0, 1]), name="tfevents.z", begin_s=BEGIN_S)
    write_run(tmp_path, points([2, 3], begin_s=BEGIN_S + 50), name="tfevents.a", begin_s=BEGIN_S + 50)
    assert only_run(tmp_path).scalars["loss"].all.step.tolist() == [0, 1, 2, 3]


def test_a_start_in_a_later_file_hides_points_of_tags_that_it_does_not_log(tmp_path: Path) -> None:
    write_run(tmp_path, points(range(5)), points(range(5), tag="only/before"), name="tfevents.1")
    later_s = BEGIN_S + 100
    write_run(
        tmp_path,
        start(2, wall_time=later_s),
        points([2, 3], begin_s=later_s),
        name="tfevents.2",
        begin_s=later_s,
    )
    run = only_run(tmp_path)
    assert run.scalars["only/before"].step.tolist() == [0, 1]
    assert run.scalars["only/before"].superseded.step.tolist() == [2, 3, 4]
    assert run.scalars["loss"].step.tolist() == [0, 1, 2, 3]


def test_a_start_inside_a_file_hides_the_points_before_it(tmp_path: Path) -> None:
    write_run(
        tmp_path,
        points(range(5)),
        start(3, wall_time=BEGIN_S + 20),
        points([3, 4, 5], begin_s=BEGIN_S + 20, factor=10),
    )
    series = only_run(tmp_path).scalars["loss"]
    assert series.value.tolist() == [0, 1, 2, 30, 40, 50]
    assert series.superseded.value.tolist() == [3, 4]


def test_a_series_is_a_snapshot_and_the_run_shows_more_after_the_file_grew(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(10)))
    store = read(tmp_path)
    run = store.runs()[0]
    before = run.scalars["loss"]
    append(path, points(range(10, 15)))
    store.index.scan()
    after = run.scalars["loss"]
    assert len(before) == len(before.step) == len(before.wall_time) == len(before.value) == 10
    assert len(after) == len(after.step) == len(after.wall_time) == len(after.value) == 15
    assert before.value.tolist() == after.value[:10].tolist()


def test_a_series_survives_the_removal_of_its_run(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(10)))
    store = read(tmp_path)
    series = store.runs()[0].scalars["loss"]
    path.unlink()
    store.index.scan()
    assert store.names() == []
    assert series.value.tolist() == list(range(10))


def test_series_are_remembered_until_the_run_changes(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(3)))
    store = read(tmp_path)
    run = store.runs()[0]
    first = run.scalars["loss"]
    assert run.scalars["loss"] is first
    append(path, points([3]))
    store.index.scan()
    assert run.scalars["loss"] is not first


def test_reading_for_one_pass_does_not_fill_the_memory_of_the_run(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)))
    run = only_run(tmp_path)
    assert run.read_scalars("loss") is not run.read_scalars("loss")
    assert run.read_scalars("no such tag") is None


def test_an_unknown_tag_names_the_nearest_ones(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3), tag="train/loss"))
    scalars = only_run(tmp_path).scalars
    with pytest.raises(UnknownNameError, match="Did you mean 'train/loss'"):
        scalars["train/los"]
    assert "train/los" not in scalars
    assert scalars.get("train/los") is None


def test_special_values_and_extreme_steps_are_kept_exactly(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([-5, 2**53 + 1, 2**63 - 1, -(2**63)], factor=float("nan")))
    series = only_run(tmp_path).scalars["loss"]
    assert series.step.tolist() == [-5, 2**53 + 1, 2**63 - 1, -(2**63)]
    assert np.isnan(series.value).all()


def test_the_repr_of_a_series_tells_what_it_is(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(2000)))
    series = only_run(tmp_path).scalars["loss"]
    assert repr(series) == "ScalarSeries(run='a', tag='loss', 2,000 points, steps 0 to 1999)"
