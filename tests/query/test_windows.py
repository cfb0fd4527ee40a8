"""Windows of scalar series: which series, on which axis, from which branch."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from sightline.model.errors import BadArgumentError
from sightline.query.windows import Window, WindowSpec, scalar_windows
from sightline.store.runs import RunStore
from tests.event_logs import BEGIN_S, points, read, start, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb


def windows(store: RunStore, tag: str = "loss", *, superseded: bool = False, **spec: object) -> list[Window]:
    return scalar_windows(store.runs(), tag, WindowSpec(**spec), superseded=superseded)  # type: ignore[arg-type]


def test_runs_with_the_tag_come_in_the_order_they_were_asked_for(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)))
    write_run(tmp_path / "b", points(range(3), tag="other"))
    write_restarted_run(tmp_path / "c")
    write_run(tmp_path / "d", points(range(4)))
    store = read(tmp_path)
    runs = {run.name: run for run in store.runs()}
    chosen = [runs[name] for name in "dcba"]
    found = scalar_windows(chosen, "loss", WindowSpec())
    assert [window.run for window in found] == ["d", "c", "a"]
    assert [window.total for window in found] == [4, 8, 3]
    assert scalar_windows(chosen, "nothing", WindowSpec()) == []
    assert scalar_windows([], "loss", WindowSpec()) == []


def test_a_window_has_the_numbers_of_the_series(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(0, 50, 5), factor=2))
    [window] = windows(read(tmp_path))
    series = read(tmp_path).runs()[0].scalars["loss"]
    np.testing.assert_array_equal(window.step, series.step)
    np.testing.assert_array_equal(window.wall, series.wall_time)
    np.testing.assert_array_equal(window.value, series.value)
    assert window.smoothed is None
    assert window.is_exact
    assert window.first_wall_s == series.wall_time[0]
    assert window.y_range == (0.0, 90.0)
    assert window.y_core == (0.0, 90.0)


def test_without_a_range_all_runs_share_one_axis(tmp_path: Path) -> None:
    write_run(tmp_path / "long", points(range(1000)))
    write_run(tmp_path / "short", points(range(10)))
    by_run = {window.run: window for window in windows(read(tmp_path), buckets=2)}
    # Ten points are all in the first of two columns, which keeps its ends only: none lies between in value.
    assert not by_run["short"].is_exact
    assert by_run["short"].step.tolist() == [0, 9]


def test_a_restarted_run_shows_its_superseded_branch_on_demand(tmp_path: Path) -> None:
    write_restarted_run(tmp_path / "a")
    store = read(tmp_path)
    [visible] = windows(store)
    assert visible.value.tolist() == [0, 1, 2, 30, 40, 50, 60, 70]
    shown, hidden = windows(store, superseded=True, x="relative", x_range=(0, 1e6))
    assert (shown.is_superseded, hidden.is_superseded) == (False, True)
    assert (shown.superseded_count, hidden.superseded_count) == (len(hidden.step), 0)
    assert windows(store)[0].superseded_count == len(hidden.step)
    assert hidden.step.tolist() == [3, 4, 5]
    assert hidden.first_wall_s == shown.first_wall_s == shown.wall[0]


def test_a_restart_inside_one_file_is_seen(tmp_path: Path) -> None:
    later_s = BEGIN_S + 50
    again = points(range(2, 5), begin_s=later_s, factor=10)
    write_run(tmp_path / "a", points(range(4)), start(2, wall_time=later_s), again)
    [window] = windows(read(tmp_path))
    assert window.value.tolist() == [0, 1, 20, 30, 40]


def test_parallel_writers_are_one_line(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(0, 10, 2)), name="events.out.tfevents.1.a")
    write_run(tmp_path / "a", points(range(1, 10, 2), begin_s=BEGIN_S + 0.5), name="events.out.tfevents.2.a")
    [window] = windows(read(tmp_path))
    assert window.step.tolist() == list(range(10))


def test_smoothing_sees_the_whole_series_and_the_window_its_part(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(100)))
    store = read(tmp_path)
    [everything] = windows(store, smoothing=("ema", 0.9))
    [part] = windows(store, smoothing=("ema", 0.9), x_range=(50, 60))
    assert part.smoothed is not None
    assert everything.smoothed is not None
    assert part.step.tolist() == list(range(49, 62))
    np.testing.assert_array_equal(part.smoothed, everything.smoothed[49:62])
    assert part.y_range == (50.0, 60.0)
    [plain] = windows(store, smoothing=("none", 0.0))
    assert plain.smoothed is None


def test_relative_time_is_counted_from_the_first_point(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(100)))
    [window] = windows(read(tmp_path), x="relative", x_range=(10, 12))
    assert window.step.tolist() == [9, 10, 11, 12, 13]
    [window] = windows(read(tmp_path), x="wall", x_range=(BEGIN_S + 11, BEGIN_S + 13))
    assert window.step.tolist() == [9, 10, 11, 12, 13]


def test_a_window_without_finite_values_has_no_limits(tmp_path: Path) -> None:
    write_run(tmp_path / "a", b"".join(eb.scalar(step, math.nan, tag=b"loss") for step in range(3)))
    [window] = windows(read(tmp_path), smoothing=("ema", 0.5))
    assert (window.y_range, window.y_core) == (None, None)
    assert np.isnan(window.value).all()


def test_a_window_stays_what_it_was_while_the_run_grows(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(5)))
    store = read(tmp_path)
    [before] = windows(store)
    with path.open("ab") as file:
        file.write(points(range(5, 10)))
    store.index.scan()
    [after] = windows(store)
    assert (len(before.step), len(after.step)) == (5, 10)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"smoothing": ("ema", 1.0)}, "weight of ema"),
        ({"smoothing": ("gaussian", -1.0)}, "amount of smoothing"),
        ({"x_range": (0.0, math.inf)}, "finite"),
        ({"buckets": 0}, "buckets"),
    ],
)
def test_what_makes_no_sense_is_said(spec: dict[str, object], message: str) -> None:
    with pytest.raises(BadArgumentError, match=message):
        WindowSpec(**spec)  # type: ignore[arg-type]


def test_few_points_have_no_outliers(tmp_path: Path) -> None:
    write_run(tmp_path / "few", points(range(10), factor=1))
    write_run(tmp_path / "many", points(range(100), factor=1))
    few, many = windows(read(tmp_path))
    assert few.y_core == few.y_range == (0.0, 9.0)
    assert many.y_core == pytest.approx((4.95, 94.05))
