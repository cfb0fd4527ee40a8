"""Lines before they are reduced: formulas, baselines and other x axes over real logs, and what is said of
those that cannot be made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from sightline.model.choices import XAxis
from sightline.query import known_tags, windows
from sightline.query.line_notes import LineNote
from sightline.query.lines import Line, LineReader, LineSource
from sightline.query.windows import Window, WindowSpec, line_windows, scalar_windows
from sightline.store.access import FileAccess
from sightline.store.run import Run
from sightline.store.runs import RunStore
from tests.event_logs import BEGIN_S, append, points, read, write_run
from tests.fixtures import event_bytes as eb


def scalars(tag: str, steps: Sequence[int], values: Sequence[float]) -> bytes:
    """One point a second."""
    return b"".join(
        eb.scalar(step, value, tag=tag.encode(), wall_time=BEGIN_S + row)
        for row, (step, value) in enumerate(zip(steps, values, strict=True))
    )


class Lines(NamedTuple):
    lines: list[Line]
    notes: list[LineNote]


def read_lines(runs: Sequence[Run], source: LineSource, *, baseline_run: Run | None = None) -> Lines:
    reader = LineReader(runs, source, baseline_run=baseline_run)
    return Lines(list(reader.lines()), reader.notes())


def lines(store: RunStore, *, baseline: tuple[str, str] | None = None, **source: object) -> Lines:
    run = None if baseline is None else store.get(baseline[0])
    return read_lines(store.runs(), LineSource(baseline=baseline, **source), baseline_run=run)  # type: ignore[arg-type]


def texts(found: Lines) -> list[str]:
    return [note.text for note in found.notes]


# ── formulas ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_formula_is_computed_in_each_run(tmp_path: Path) -> None:
    for name, factor in (("a", 2.0), ("b", 5.0)):
        write_run(
            tmp_path / name,
            points(range(10), tag="train/loss", factor=factor),
            points(range(0, 10, 3), tag="val/loss"),
        )
    found = lines(read(tmp_path), formula="train/loss-val/loss")
    assert [line.run for line in found.lines] == ["a", "b"]
    assert [line.step.tolist() for line in found.lines] == [[0, 3, 6, 9]] * 2
    assert [line.value.tolist() for line in found.lines] == [[0, 3, 6, 9], [0, 12, 24, 36]]
    assert found.lines[0].first_wall_s == BEGIN_S + 1
    assert found.lines[0].total == 4
    assert found.lines[0].x is None
    assert found.lines[0].along("step").tolist() == [0, 3, 6, 9]
    assert found.lines[0].along("relative").tolist() == [0, 1, 2, 3]
    assert found.lines[0].along("wall").tolist() == [BEGIN_S + 1 + row for row in range(4)]
    assert found.notes == []


def test_a_misspelled_tag_is_one_note_with_the_nearest_name(tmp_path: Path) -> None:
    for name in "abc":
        write_run(tmp_path / name, points(range(3), tag="val/loss"), points(range(3), tag="other"))
    found = lines(read(tmp_path), formula="val/los * 2")
    assert found.lines == []
    assert texts(found) == ["There is no tag `val/los` in these runs; did you mean `val/loss`?"]
    assert found.notes[0].is_error
    assert found.notes[0].run is None


def test_a_formula_that_cannot_be_read_is_one_note(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)))
    found = lines(read(tmp_path), formula="loss +")
    assert texts(found) == ["The formula ends where a tag or a number is expected (at character 7)"]
    assert found.notes[0].is_error


def test_runs_that_lack_a_tag_are_counted_and_the_others_keep_their_lines(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)), points(range(3), tag="acc"))
    for name in ("b", "c"):
        write_run(tmp_path / name, points(range(3)))
    found = lines(read(tmp_path), formula="loss / acc")
    assert [line.run for line in found.lines] == ["a"]
    # 0 / 0 at the first step
    assert texts(found) == [
        "No `acc`: no line for 2 of 3 runs",
        "1 point in 1 run not finite: division by zero",
    ]
    assert not any(note.is_error for note in found.notes)


def test_a_tag_that_only_other_runs_have_is_an_error(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)), points(range(3), tag="acc"))
    write_run(tmp_path / "b", points(range(3)))
    store = read(tmp_path)
    run = store.get("b")
    assert run is not None
    found = read_lines([run], LineSource(formula="loss + acc"))
    assert found.lines == []
    assert texts(found) == ["No `acc`: no line for this run"]
    assert found.notes[0].is_error


def test_tags_that_share_no_steps_are_told(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)), points(range(10, 20), tag="acc"))
    write_run(tmp_path / "b", points(range(5)), points(range(5), tag="acc"))
    found = lines(read(tmp_path), formula="loss + acc")
    assert [line.run for line in found.lines] == ["b"]
    assert [(note.run, note.is_error, note.text) for note in found.notes] == [
        ("a", False, "`loss` and `acc` share no stretch of steps: no line for 1 of 2 runs")
    ]


def test_a_formula_that_needs_more_points_than_there_are_is_told(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(1)))
    assert texts(lines(read(tmp_path), formula="diff(loss)")) == [
        "Too few points for the formula: no line for this run"
    ]


def test_a_tag_that_appears_later_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though what is known of the log is kept for a while."""
    path = write_run(tmp_path / "a", points(range(3)))
    store = read(tmp_path)
    assert lines(store, formula="loss * 2").notes == []
    monkeypatch.setattr(known_tags, "_KEPT_PER_COST", 0.0)
    append(path, points(range(3), tag="acc"))
    store.index.scan()
    found = lines(store, formula="loss + acc")
    assert [line.value.tolist() for line in found.lines] == [[0, 2, 4]]
    assert found.notes == []


def test_what_is_known_of_the_log_is_asked_for_once_in_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path / "a", points(range(3)))
    store = read(tmp_path)
    made = []

    class Counted(known_tags.LogTags):
        def __init__(self, access: FileAccess) -> None:
            made.append(access)
            super().__init__(access)

    monkeypatch.setattr(known_tags, "LogTags", Counted)
    monkeypatch.setattr(known_tags, "_KEPT_PER_COST", 1e9)
    for formula in ("loss", "loss * 2", "unknown", "loss +"):
        lines(store, formula=formula)
    assert len(made) == 1


# ── baselines ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def compared(tmp_path: Path) -> RunStore:
    """Base: 1, 2, 3, 4, 5 at steps 0, 2, … 8; other: 10 × step at 1, 2, 3; far: steps the base does not
    reach."""
    write_run(tmp_path / "base", scalars("loss", range(0, 10, 2), [1, 2, 3, 4, 5]))
    write_run(tmp_path / "other", scalars("loss", [1, 2, 3, 9], [10, 20, 30, 90]))
    write_run(tmp_path / "far", scalars("loss", [100, 101], [1, 1]))
    write_run(tmp_path / "none", scalars("acc", [0], [1]))
    return read(tmp_path)


@pytest.mark.parametrize(
    ("mode", "expected", "own"),
    [
        ("difference", [10 - 1.5, 20 - 2, 30 - 2.5], 0.0),
        ("ratio", [10 / 1.5, 20 / 2, 30 / 2.5], 1.0),
        ("percent", [100 * (10 / 1.5 - 1), 900, 1100], 0.0),
    ],
)
def test_each_run_is_compared_at_its_own_steps(
    compared: RunStore, mode: str, expected: list[float], own: float
) -> None:
    found = lines(compared, tag="loss", baseline=("base", mode))
    by_run = {line.run: line for line in found.lines}
    assert set(by_run) == {"base", "other"}
    np.testing.assert_allclose(by_run["other"].value, expected, rtol=1e-12)
    assert by_run["other"].step.tolist() == [1, 2, 3]
    assert by_run["other"].left_out == 1
    assert by_run["base"].value.tolist() == [own] * 5
    assert texts(found) == [
        "`loss` and the baseline `base` share no stretch of steps: no line for 1 of 4 runs"
    ]
    assert found.notes[0].run == "far"


def test_a_formula_is_compared_with_the_same_formula(compared: RunStore) -> None:
    found = lines(compared, formula="loss * 10", baseline=("base", "difference"))
    (other,) = [line for line in found.lines if line.run == "other"]
    np.testing.assert_allclose(other.value, [100 - 15, 200 - 20, 300 - 25])


def test_a_baseline_that_is_not_there_is_an_error(compared: RunStore) -> None:
    found = lines(compared, tag="loss", baseline=("gone", "ratio"))
    assert found.lines == []
    assert texts(found) == ["The baseline `gone` is not there any more: choose another run"]
    assert found.notes[0].is_error
    found = lines(compared, tag="loss", baseline=("none", "ratio"))
    assert texts(found) == ["The baseline `none` has no `loss`"]
    assert lines(compared, formula="loss + loss", baseline=("none", "ratio")).notes[0].is_error


def test_a_baseline_of_zero_is_counted(tmp_path: Path) -> None:
    write_run(tmp_path / "base", points(range(3)))
    write_run(tmp_path / "other", points(range(3), factor=2))
    found = lines(read(tmp_path), tag="loss", baseline=("base", "ratio"))
    np.testing.assert_array_equal(found.lines[1].value, [math.nan, 2, 2])
    assert found.lines[0].value.tolist() == [1, 1, 1]
    assert texts(found) == ["1 point in 1 run not finite: the baseline is 0 there"]


# ── x axes ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_metric_is_joined_at_the_steps_of_the_line_and_sorts_it(tmp_path: Path) -> None:
    write_run(
        tmp_path / "a",
        scalars("loss", range(0, 60, 10), [5, 4, 3, 2, 1, 0]),
        scalars("tokens", [10, 20, 30, 50], [100, 300, 50, 50]),
    )
    found = lines(read(tmp_path), tag="loss", x="metric", x_tag="tokens")
    (line,) = found.lines
    assert line.x is not None
    assert line.x.tolist() == [50, 50, 50, 100, 300]
    assert line.step.tolist() == [30, 40, 50, 10, 20], "those at the same x keep their order"
    assert line.value.tolist() == [2, 1, 0, 4, 3]
    assert line.left_out == 1
    assert texts(found) == ["1 point left out: no `tokens` there"]


def test_a_metric_that_runs_do_not_have_is_told(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)), points(range(5), tag="tokens"))
    write_run(tmp_path / "b", points(range(5)))
    write_run(tmp_path / "c", points(range(5)), points(range(50, 55), tag="tokens"))
    store = read(tmp_path)
    found = lines(store, tag="loss", x="metric", x_tag="tokens")
    assert [line.run for line in found.lines] == ["a"]
    assert texts(found) == [
        "No `tokens`: no line for 1 of 3 runs",
        "`loss` and `tokens` share no stretch of steps: no line for 1 of 3 runs",
    ]
    assert [note.run for note in found.notes] == ["b", "c"]
    found = lines(store, tag="loss", x="metric", x_tag="nothing")
    assert texts(found) == ["No `nothing`: no line for any of these runs"]
    assert found.notes[0].is_error
    assert lines(store, tag="loss", x="metric").notes[0].is_error


def test_points_whose_metric_is_not_finite_have_no_place(tmp_path: Path) -> None:
    write_run(
        tmp_path / "a",
        scalars("loss", range(5), range(5)),
        scalars("tokens", [0, 2, 4], [0, math.nan, 4]),
    )
    (line,) = lines(read(tmp_path), tag="loss", x="metric", x_tag="tokens").lines
    assert line.step.tolist() == [0, 4]


def test_active_time_of_one_start_is_relative_time(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0, 5, 9]))
    (line,) = lines(read(tmp_path), tag="loss", x="active").lines
    assert line.x is not None
    assert line.x.tolist() == [0, 1, 2]


def test_no_runs_and_no_points_are_no_lines_and_no_notes(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3), tag="acc"))
    assert read_lines([], LineSource(formula="loss")) == Lines([], [])
    assert lines(read(tmp_path), tag="loss") == Lines([], [])
    assert lines(read(tmp_path), tag="loss", x="active") == Lines([], [])


def test_smoothing_is_that_of_the_core(tmp_path: Path) -> None:
    write_run(tmp_path / "a", scalars("loss", range(4), [1, 0, 0, 0]))
    (line,) = lines(read(tmp_path), tag="loss").lines
    assert line.smoothed(None) is line.value
    assert line.smoothed(("none", 1.0)) is line.value
    np.testing.assert_allclose(line.smoothed(("ema", 0.5))[:2], [1, 1 / 3])


# ── windows of them ──────────────────────────────────────────────────────────────────────────────────────


def test_a_computed_line_is_reduced_like_a_tag(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for name in "ab":
        write_run(tmp_path / name, scalars("loss", range(5000), rng.normal(size=5000).tolist()))
    store = read(tmp_path)
    spec = WindowSpec(buckets=50, smoothing=("ema", 0.9))
    axes: list[tuple[XAxis, XAxis]] = [("step", "step"), ("relative", "relative"), ("wall", "wall")]
    for axis, plain_axis in [*axes, ("active", "relative")]:
        reader = LineReader(store.runs(), LineSource(formula="loss * 1", x=axis))
        (computed,) = line_windows(reader, replace(spec, x=axis))
        plain = scalar_windows(store.runs(), "loss", replace(spec, x=plain_axis))
        for one, other in zip(computed, plain, strict=True):
            assert_same(one, other)
            assert (one.x is not None) is (axis == "active")


def test_lines_that_do_not_fit_together_share_one_axis_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, count in enumerate((1000, 10, 500)):
        write_run(tmp_path / f"run-{number}", points(range(1, 1 + count)), points([0], tag="acc"))
    write_run(tmp_path / "without", points([0], tag="acc"))
    store = read(tmp_path)
    for is_log_x in (False, True):
        spec = WindowSpec(buckets=10, is_log_x=is_log_x)
        reader = LineReader(store.runs(), LineSource(formula="loss - 1"))
        (at_once,) = line_windows(reader, spec)
        notes = reader.notes()
        with monkeypatch.context() as patch:
            patch.setattr(windows, "POINTS_AT_ONCE", 100)
            portions = list(line_windows(reader, spec))
        assert len(portions) == 2
        for one, other in zip([window for some in portions for window in some], at_once, strict=True):
            assert_same(one, other)
        assert reader.notes() == notes
        assert len(notes) == 1


def assert_same(one: Window, other: Window) -> None:
    assert (one.run, one.total, one.is_exact, one.y_range) == (
        other.run,
        other.total,
        other.is_exact,
        other.y_range,
    )
    assert one.first_wall_s == other.first_wall_s
    for name in ("step", "wall", "value"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    if one.smoothed is not None and other.smoothed is not None:
        np.testing.assert_allclose(one.smoothed, other.smoothed)
