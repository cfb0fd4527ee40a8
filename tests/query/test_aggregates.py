"""Groups of series against NumPy and SciPy, which know nothing of how the core does it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from sightline import _core
from sightline.model.errors import BadArgumentError
from sightline.query import aggregates
from sightline.query.aggregates import AggregateSpec, GroupAggregate, GroupReader
from sightline.query.lines import LineSource
from tests.event_logs import BEGIN_S, points, read, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb
from tests.query import aggregate_oracle as oracle
from tests.query.aggregate_oracle import Member

CENTERS = ("mean", "median")
BANDS = ("std", "sem", "minmax", "quartiles")
NAN = math.nan


def member(x: Any, value: Any) -> Member:
    return Member(np.asarray(x, np.float64), np.asarray(value, np.float64))


def aggregated(members: Sequence[Member], **options: Any) -> dict[str, Any]:
    """All members as one group, by the core."""
    batch = _core.ScalarBatch("given")
    for one in members:
        batch.add(np.zeros(len(one.x), np.int64), np.arange(len(one.x), dtype=np.float64), one.value, x=one.x)
    everyone = np.arange(len(members), dtype=np.uint32)
    return dict(batch.aggregate(everyone, np.array([0, len(members)], np.uint64), **options))


def check(members: Sequence[Member], **options: Any) -> None:
    for center in CENTERS:
        for band in BANDS:
            found = aggregated(members, center=center, band=band, **options)
            expected = oracle.aggregate(members, center=center, band=band, **options)
            what = f"{center} {band}"
            assert bool(found["is_exact"][0]) == expected.is_exact, what
            assert found["members"].tolist() == expected.members, what
            scale = max([1e-300, *(np.abs(m.value[np.isfinite(m.value)]).max(initial=0) for m in members)])
            np.testing.assert_allclose(found["x"], expected.x, rtol=1e-12, atol=1e-300)
            for name in ("center", "low", "high"):
                np.testing.assert_allclose(
                    found[name],
                    getattr(expected, name),
                    rtol=1e-9,
                    atol=1e-12 * scale,
                    err_msg=f"{what} {name}",
                )


# ── against the oracle ───────────────────────────────────────────────────────────────────────────────────


def test_members_with_the_same_steps_are_plain_numpy() -> None:
    values = np.random.default_rng(1).normal(size=(9, 50))
    found = aggregated([member(range(50), row) for row in values], buckets=50, center="mean", band="std")
    np.testing.assert_allclose(found["center"], values.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(found["high"] - found["low"], 2 * values.std(axis=0, ddof=1), rtol=1e-12)
    found = aggregated(
        [member(range(50), row) for row in values], buckets=50, center="median", band="quartiles"
    )
    np.testing.assert_allclose(found["center"], np.median(values, axis=0), rtol=1e-12)
    np.testing.assert_allclose(found["low"], np.percentile(values, 25, axis=0), rtol=1e-12)
    np.testing.assert_allclose(found["high"], np.percentile(values, 75, axis=0), rtol=1e-12)


@pytest.mark.parametrize("buckets", [1000, 37, 1])
@pytest.mark.parametrize("x_range", [None, (20.0, 77.5), (101.0, 400.0)])
@pytest.mark.parametrize("is_log_x", [False, True])
def test_members_with_unequal_steps_gaps_and_odd_values(
    buckets: int, x_range: tuple[float, float] | None, is_log_x: bool
) -> None:
    rng = np.random.default_rng(7)
    members = []
    for stride, begin in [(1, 0), (3, 1), (7, 5), (10, -20), (2, 60)]:
        x = np.arange(begin, 120, stride)
        value = rng.normal(size=len(x))
        value[rng.random(len(x)) < 0.15] = NAN
        value[rng.random(len(x)) < 0.05] = math.inf
        members.append(member(x, value))
    members.append(member([30.0, 30.0, 30.0, 31.5, 90.0], [1.0, 2.0, NAN, 4.0, 5.0]))  # several at one x
    members.append(member([50.0], [3.0]))
    members.append(member([], []))
    shuffled = rng.permutation(len(members[0].x))  # wall times need not be in order
    members.append(member(members[0].x[shuffled] + 0.25, members[0].value[shuffled]))
    members.append(member([NAN, 10.0, math.inf, 20.0], [1.0, 2.0, 3.0, 4.0]))  # no place for two of them
    check(members, buckets=buckets, x_range=x_range, is_log_x=is_log_x)


NUMBERS = st.floats(-100, 100) | st.sampled_from([NAN, math.inf, -math.inf])
POINTS = st.lists(st.tuples(st.integers(-5, 30).map(float) | st.floats(0, 30), NUMBERS), max_size=25)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(POINTS, max_size=6),
    st.integers(1, 40),
    st.none() | st.tuples(st.floats(-10, 40), st.floats(-10, 40)),
    st.booleans(),
)
def test_whatever_the_members_are(
    series: list[list[tuple[float, float]]],
    buckets: int,
    x_range: tuple[float, float] | None,
    is_log_x: bool,
) -> None:
    # On eighths of a unit: whether a point lies just on this or on that side of a cell is no question of
    # aggregation, and a logarithm may round either way.
    members = [
        member([round(x * 8) / 8 + (0.01 if is_log_x else 0) for x, _ in rows], [value for _, value in rows])
        for rows in series
    ]
    check(members, buckets=buckets, x_range=x_range, is_log_x=is_log_x)


def test_members_that_do_not_overlap_stand_alone() -> None:
    found = aggregated([member([0, 1], [1, 2]), member([5, 6], [3, 4])], buckets=10, band="std")
    assert found["x"].tolist() == [0, 1, 5, 6]
    assert found["center"].tolist() == [1, 2, 3, 4]
    assert found["members"].tolist() == [1, 1, 1, 1]
    assert np.isnan(found["low"]).all()
    assert found["runs"].tolist() == [2]


@pytest.mark.parametrize("band", [*BANDS, "ci"])
def test_one_member_has_its_own_line_and_no_band(band: str) -> None:
    found = aggregated([member(range(5), range(5))], buckets=10, band=band)
    assert found["center"].tolist() == [0, 1, 2, 3, 4]
    assert np.isnan(found["low"]).all()
    assert np.isnan(found["high"]).all()
    assert found["y_high"].tolist() == [4]


def test_nothing_is_interpolated_across_a_value_that_is_not_finite() -> None:
    broken = member([0, 2, 4, 6], [0, NAN, 4, 6])
    found = aggregated([broken, member(range(7), np.zeros(7))], buckets=10, center="mean")
    assert found["members"].tolist() == [2, 1, 1, 1, 2, 2, 2]
    assert found["center"].tolist() == [0, 0, 0, 0, 2, 2.5, 3]


def test_the_least_and_greatest_are_those_of_the_members_own_points() -> None:
    spiky = member(range(100), [50.0 if x == 33 else 0.0 for x in range(100)])
    found = aggregated([spiky, member(range(100), np.ones(100))], buckets=10, band="minmax")
    assert found["high"].tolist() == [1, 1, 1, 50, 1, 1, 1, 1, 1, 1]
    assert found["low"].tolist() == [0] * 10


def test_large_numbers_keep_their_small_differences() -> None:
    values = 1e9 + np.random.default_rng(3).normal(scale=1e-3, size=(50, 4))
    found = aggregated([member(range(4), row) for row in values], buckets=4, band="std")
    exact = values - 1e9
    np.testing.assert_allclose(found["center"] - 1e9, exact.mean(axis=0), atol=3e-7)
    np.testing.assert_allclose((found["high"] - found["low"]) / 2, exact.std(axis=0, ddof=1), atol=3e-7)


@pytest.mark.parametrize("scale", [1e300, 1.7e308, 1e-300])
def test_the_largest_and_smallest_numbers_do_not_break_it(scale: float) -> None:
    values = np.array([[1.0, -1.0], [0.5, 1.0], [0.25, 0.0]])
    members = [member([0, 1], row * scale) for row in values]
    found = aggregated(members, buckets=4, band="sem")
    np.testing.assert_allclose(found["center"] / scale, values.mean(axis=0), rtol=1e-12, atol=1e-15)
    width = (found["high"] / scale - found["low"] / scale) / 2
    np.testing.assert_allclose(width, values.std(axis=0, ddof=1) / math.sqrt(3), rtol=1e-12)


def test_members_are_smoothed_before_they_are_put_together() -> None:
    rng = np.random.default_rng(5)
    members = [member(range(begin, 40), rng.normal(size=40 - begin)) for begin in (0, 3, 8)]
    smoothed = [
        Member(m.x, _core.smooth("ema", 0.8, m.value, np.arange(len(m.x), dtype=np.float64))) for m in members
    ]
    found = aggregated(members, buckets=40, band="std", smoothing="ema", amount=0.8)
    expected = oracle.aggregate(smoothed, center="mean", band="std", buckets=40)
    np.testing.assert_allclose(found["center"], expected.center, rtol=1e-9)
    np.testing.assert_allclose(found["low"], expected.low, rtol=1e-9, equal_nan=True)


def test_a_line_that_leaves_the_chart_has_a_place_on_each_side() -> None:
    members = [member([0, 10, 20], [0, 10, 20]), member([4, 16], [4, 16])]
    found = aggregated(members, x_range=(11.0, 12.0), buckets=5, has_neighbours=True)
    assert found["x"].tolist() == [10, 16]
    assert found["center"].tolist() == [10, 16]
    assert found["members"].tolist() == [2, 2]
    assert np.isnan(found["y_low"][0])
    assert aggregated(members, x_range=(11.0, 12.0), buckets=5)["x"].tolist() == []
    in_cells = aggregated(
        [member(range(100), range(100))], x_range=(10.0, 50.0), buckets=4, has_neighbours=True
    )
    assert in_cells["x"].tolist() == [9, 15, 25, 35, 45, 51]
    assert (in_cells["y_low"][0], in_cells["y_high"][0]) == (14.5, 45.0)


# ── bootstrap ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("center", CENTERS)
@pytest.mark.parametrize("count", [2, 5, 10, 31, 64, 65, 200, 1500])
@pytest.mark.parametrize("kind", ["normal", "skewed", "outlier"])
def test_the_interval_is_that_of_scipys_percentile_bootstrap(center: str, count: int, kind: str) -> None:
    rng = np.random.default_rng(count)
    values = rng.normal(size=count) if kind == "normal" else rng.exponential(size=count)
    if kind == "outlier":
        values[0] = 1e3
    found = aggregated([member([0.0], [v]) for v in values], buckets=1, center=center, band="ci")
    statistic = np.mean if center == "mean" else np.median
    expected = stats.bootstrap(
        (values,),
        statistic,
        n_resamples=9999,
        method="percentile",
        batch=500,
        random_state=np.random.default_rng(0),
    )
    interval = expected.confidence_interval
    # Noise of 1,024 resamples in the tails: 0.085 standard errors at one sigma.
    tolerance = 0.35 * float(expected.standard_error) + 1e-9
    assert found["low"][0] <= found["center"][0] <= found["high"][0]
    if (kind, center) == ("outlier", "mean") and count > 1024:
        # One that outweighs so many others: not resampled any more, and known to come out too wide.
        assert found["low"][0] < interval.low < interval.high < found["high"][0]
        assert found["high"][0] - found["low"][0] < 1.35 * (interval.high - interval.low)
        return
    assert found["low"][0] == pytest.approx(interval.low, abs=tolerance)
    assert found["high"][0] == pytest.approx(interval.high, abs=tolerance)


def test_the_same_numbers_have_the_same_interval_wherever_they_are() -> None:
    rng = np.random.default_rng(0)
    column = rng.exponential(size=40)
    members = [member(range(300), np.full(300, value)) for value in column]
    first = aggregated(members, buckets=300, band="ci")
    assert len(set(first["low"].tolist())) == 1
    again = aggregated(members[::1], buckets=300, band="ci")
    assert first["high"].tolist() == again["high"].tolist()
    shifted = aggregated([Member(m.x, m.value + 1e6) for m in members], buckets=300, band="ci")
    np.testing.assert_allclose(shifted["low"] - 1e6, first["low"], atol=1e-8)


# ── runs of a log ────────────────────────────────────────────────────────────────────────────────────────


def groups_in(
    directory: Path, *names: str, source: LineSource | None = None, **spec: Any
) -> list[GroupAggregate]:
    """Each name a group: the runs whose names begin with it."""
    store = read(directory)
    groups = [[run for run in store.runs() if run.name.startswith(name)] for name in names]
    return list(GroupReader(groups, source or LineSource(tag="loss"), AggregateSpec(**spec)).lines())


def test_runs_of_a_log_are_put_together(tmp_path: Path) -> None:
    write_run(tmp_path / "a1", points(range(0, 10, 2)))
    write_run(tmp_path / "a2", points(range(0, 10, 3), factor=3.0))
    write_run(tmp_path / "a3", points(range(5), tag="other"))
    write_run(tmp_path / "b1", points(range(4), factor=-1.0))
    first, second, everyone = groups_in(tmp_path, "a", "b", "")
    expected = oracle.aggregate(
        [member(range(0, 10, 2), range(0, 10, 2)), member(range(0, 10, 3), range(0, 30, 9))],
        center="mean",
        band="std",
        buckets=512,
    )
    np.testing.assert_allclose(first.center, expected.center)
    assert first.members.tolist() == expected.members
    assert (first.runs, first.is_exact) == (2, True)
    assert second.center.tolist() == [0, -1, -2, -3]
    assert everyone.members.tolist() == [3, 3, 3, 3, 2, 2, 2, 1]


def test_a_restarted_run_counts_with_the_points_that_count(tmp_path: Path) -> None:
    write_restarted_run(tmp_path / "again")
    write_run(tmp_path / "plain", points(range(8)))
    (group,) = groups_in(tmp_path, "", band="minmax")
    assert group.x.tolist() == list(range(8))
    assert group.high is not None
    assert group.high.tolist() == [0, 1, 2, 30, 40, 50, 60, 70]


def test_groups_by_time_begin_where_each_run_does(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)))
    write_run(tmp_path / "b", points(range(5), begin_s=BEGIN_S + 1000, factor=3.0))
    (group,) = groups_in(tmp_path, "", source=LineSource(tag="loss", x="relative"))
    assert group.x.tolist() == [0, 1, 2, 3, 4]
    assert group.center.tolist() == [0, 2, 4, 6, 8]


def test_computed_lines_are_put_together_like_any_other(tmp_path: Path) -> None:
    for name, factor in [("a", 1.0), ("b", 2.0)]:
        records = points(range(6), factor=factor), points(range(6), tag="tokens", factor=100.0)
        write_run(tmp_path / name, *records)
    (group,) = groups_in(tmp_path, "", source=LineSource(formula="loss * 2"))
    assert group.center.tolist() == [0, 3, 6, 9, 12, 15]
    (group,) = groups_in(tmp_path, "", source=LineSource(tag="loss", x="metric", x_tag="tokens"))
    assert group.x.tolist() == [0, 100, 200, 300, 400, 500]
    assert group.center.tolist() == [0, 1.5, 3, 4.5, 6, 7.5]


def test_computed_lines_are_smoothed_first_too(tmp_path: Path) -> None:
    for name in "ab":
        values = [
            eb.scalar(step, float(step % 3), tag=b"loss", wall_time=BEGIN_S + step) for step in range(20)
        ]
        write_run(tmp_path / name, *values)
    (plain,) = groups_in(tmp_path, "", source=LineSource(tag="loss", smoothing=("ema", 0.7)))
    (computed,) = groups_in(tmp_path, "", source=LineSource(formula="loss + 0", smoothing=("ema", 0.7)))
    np.testing.assert_allclose(computed.center, plain.center, rtol=1e-12)


def test_more_points_than_can_be_held_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aggregates, "MAX_COMPUTED_POINTS", 10)
    write_run(tmp_path / "a", points(range(11)))
    with pytest.raises(BadArgumentError, match="fewer runs"):
        groups_in(tmp_path, "", source=LineSource(formula="loss * 2"))


def test_many_groups_in_portions_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        write_run(tmp_path / f"{number:02}", points(range(number, number + 40), factor=number))
    names = [f"{number:02}" for number in range(12)]
    at_once = groups_in(tmp_path, *names, "0", buckets=10)
    monkeypatch.setattr(aggregates, "_PLACES_AT_ONCE", 25)
    in_portions = groups_in(tmp_path, *names, "0", buckets=10)
    for one, other in zip(at_once, in_portions, strict=True):
        assert one.x.tolist() == other.x.tolist()
        assert one.center.tolist() == other.center.tolist()


def test_empty_groups_have_no_places_and_are_told_about(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)))
    store = read(tmp_path)
    reader = GroupReader([store.runs(), []], LineSource(tag="loss"), AggregateSpec())
    assert [len(line.x) for line in reader.lines()] == [3, 0]
    assert [(note.is_error, note.text) for note in reader.notes()] == [
        (False, "No run with `loss` in 1 of 2 groups")
    ]
    reader = GroupReader([[]], LineSource(tag="loss"), AggregateSpec())
    assert [len(line.x) for line in reader.lines()] == [0]
    assert [note.is_error for note in reader.notes()] == [True]


@pytest.mark.parametrize("spec", [{"buckets": 0}, {"x_range": (0.0, math.inf)}])
def test_a_spec_that_makes_no_sense_is_refused(spec: dict[str, Any]) -> None:
    with pytest.raises(BadArgumentError):
        AggregateSpec(**spec)


def test_members_that_do_not_exist_are_refused() -> None:
    batch = _core.ScalarBatch("step")
    with pytest.raises(ValueError, match="position"):
        batch.aggregate(np.array([0], np.uint32), np.array([0, 1], np.uint64), buckets=5)
    with pytest.raises(ValueError, match="Offsets"):
        batch.aggregate(np.empty(0, np.uint32), np.array([0, 1], np.uint64), buckets=5)
