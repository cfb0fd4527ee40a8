"""Numbers about runs, as ``inspect`` shows them."""

from __future__ import annotations

from math import isnan
from pathlib import Path

from sightline.model.kinds import Kind
from sightline.query.inspection import RunSummary, summarize_run
from tests.event_logs import BEGIN_S, image_record, points, read, start, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb


def summary_of(root: Path) -> RunSummary:
    (run,) = read(root).runs()
    return summarize_run(run)


def test_each_series_tells_points_steps_and_times(tmp_path: Path) -> None:
    path = write_run(
        tmp_path, points(range(5, 15)), image_record("samples", 3, b"png", wall_time=BEGIN_S + 10)
    )
    summary = summary_of(tmp_path)
    loss, samples = summary.series
    assert (loss.tag, loss.kind, loss.points, loss.superseded) == ("loss", Kind.scalar, 10, 0)
    assert (loss.first_step, loss.last_step) == (5, 14)
    assert (loss.first_wall_time, loss.last_wall_time) == (BEGIN_S + 1, BEGIN_S + 10)
    assert (samples.kind, samples.points, samples.first_step) == (Kind.image, 1, 3)
    assert samples.size_bytes > 0
    assert summary.points == 11
    assert summary.size_bytes == path.stat().st_size
    assert (summary.first_wall_time, summary.last_wall_time) == (BEGIN_S + 1, BEGIN_S + 10)


def test_superseded_points_are_counted_apart(tmp_path: Path) -> None:
    write_restarted_run(tmp_path)
    summary = summary_of(tmp_path)
    assert (summary.points, summary.superseded) == (8, 3)


def test_a_series_that_a_restart_hid_whole_is_still_listed(tmp_path: Path) -> None:
    write_run(tmp_path, points([5, 6], tag="gone"), name="tfevents.1")
    write_run(
        tmp_path, start(0, wall_time=BEGIN_S + 100), points([0], begin_s=BEGIN_S + 100),
        name="tfevents.2", begin_s=BEGIN_S + 100,
    )  # fmt: skip
    gone = next(series for series in summary_of(tmp_path).series if series.tag == "gone")
    assert (gone.points, gone.superseded, gone.first_step, gone.last_step) == (0, 2, 5, 6)


def test_only_matching_tags_are_summed_but_all_files(tmp_path: Path) -> None:
    path = write_run(tmp_path, points(range(5)), points(range(3), tag="acc"))
    (run,) = read(tmp_path).runs()
    summary = summarize_run(run, has_tag=lambda tag: tag == "acc")
    assert (summary.points, summary.size_bytes) == (3, path.stat().st_size)


def test_a_run_without_points_has_no_time_and_its_damage_is_counted(tmp_path: Path) -> None:
    (tmp_path / eb.FILE_NAME).write_bytes(b"garbage" * 100)
    summary = summary_of(tmp_path)
    assert summary.series == ()
    assert isnan(summary.first_wall_time)
    assert isnan(summary.last_wall_time)
    assert summary.damage_count == 1
