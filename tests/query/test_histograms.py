"""Statistics and maps of logged histograms, compared with NumPy's of the same buckets and arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sightline import SummaryWriter
from sightline.log import open_log
from sightline.model.errors import BadArgumentError
from sightline.query import histograms
from sightline.query.decoded_series import ValueChoice
from sightline.query.histograms import ValueAxis, histograms_of, map_of, statistics_of, statistics_of_run
from sightline.query.stored_types import RunStore
from sightline.store.kept import Kept
from sightline.store.media import MediaSeries
from sightline.summary import create_file_writer
from sightline.summary import histogram as summary_histogram

STEPS = 20
ARRAYS = [np.random.default_rng(step).normal(step / 10, 1 + step, size=400) for step in range(STEPS)]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    directory = tmp_path_factory.mktemp("logs")
    with create_file_writer(str(directory / "tensorflow")).as_default():
        for step, array in enumerate(ARRAYS):
            summary_histogram("spread", array, step=step, buckets=40)
    with SummaryWriter(str(directory / "torch")) as writer:
        for step, array in enumerate(ARRAYS):
            writer.add_histogram("spread", array, step)
            writer.add_histogram("relu", np.maximum(array, 0), step)
        writer.add_histogram("nothing", np.array([np.nan, np.inf]), 0)
        writer.add_histogram("constant", np.full(3, 4.0), 0)
    return open_log(directory, watch=False, cache=False).wait()._store


@pytest.mark.parametrize("run", ["tensorflow", "torch"])
def test_statistics_are_those_of_the_arrays_up_to_the_width_of_a_bucket(store: RunStore, run: str) -> None:
    found = statistics_of(store, run, "spread")
    assert found is not None
    widths = np.array([np.ptp(array) / 40 if run == "tensorflow" else np.ptp(array) / 10 for array in ARRAYS])
    wanted = {
        "min": [array.min() for array in ARRAYS],
        "max": [array.max() for array in ARRAYS],
        "mean": [array.mean() for array in ARRAYS],
        "std": [array.std() for array in ARRAYS],
    }
    assert found.column("count").tolist() == [400] * STEPS
    for name, numbers in wanted.items():
        assert np.all(np.abs(found.column(name) - numbers) <= widths), name
    shares = np.asarray(histograms.BASIS_POINTS) / 10_000
    exact = np.array([np.quantile(array, shares) for array in ARRAYS])
    assert np.all(np.abs(found.quantiles - exact) <= 3 * widths[:, np.newaxis])
    medians = np.array([np.median(array) for array in ARRAYS])
    assert np.all(np.abs(found.at_quantile(0.5) - medians) <= widths)


def test_the_share_of_zeros_is_that_of_their_bucket(store: RunStore) -> None:
    found = statistics_of(store, "torch", "relu")
    assert found is not None
    assert found.column("zeros").tolist() == [np.mean(array <= 0) for array in ARRAYS]


def test_of_nothing_there_are_no_statistics(store: RunStore) -> None:
    found = statistics_of(store, "torch", "nothing")
    assert found is not None
    assert found.column("count").tolist() == [0]
    assert np.isnan(found.column("mean")).all()
    assert np.isnan(found.at_quantile(0.5)).all()
    assert statistics_of(store, "torch", "no such tag") is None


def test_a_choice_has_the_first_and_the_last_value(store: RunStore) -> None:
    def steps_of(choice: ValueChoice) -> list[int]:
        ((_, found),) = histograms_of(store, ["torch"], "spread", choice=choice)
        assert len(found.size) == len(found.step)
        return found.step.tolist()

    assert steps_of(ValueChoice(most=5)) == [0, 5, 10, 14, 19]
    assert steps_of(ValueChoice(most=1)) == [0]
    assert steps_of(ValueChoice(most=STEPS)) == list(range(STEPS))
    assert steps_of(ValueChoice(at_steps=(-3, 4, 4, 99))) == [0, 4, 19]


@pytest.mark.parametrize("run", ["tensorflow", "torch"])
@pytest.mark.parametrize("is_symlog", [False, True])
def test_a_map_is_each_histogram_on_rows_of_the_axis(store: RunStore, run: str, is_symlog: bool) -> None:
    found = map_of(store, run, "spread", rows=24, is_symlog=is_symlog)
    assert found is not None
    assert found.step.tolist() == list(range(STEPS))
    edges = found.axis.edges(24)
    assert found.rows == len(edges) - 1 == 24
    ((_, logged),) = histograms_of(store, [run], "spread")
    ends = np.cumsum(logged.size)
    for place, end in enumerate(ends):
        rows = slice(end - logged.size[place], end)
        wanted = spread_by_numpy(logged.left[rows], logged.right[rows], logged.counts[rows], edges)
        assert found.shares[place] == pytest.approx(wanted / wanted.sum(), abs=1e-6)


def spread_by_numpy(
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    counts: NDArray[np.float64],
    edges: NDArray[np.float64],
) -> NDArray[np.float64]:
    points = np.concatenate([left[:1], right])
    below = np.interp(edges, points, np.concatenate([[0], np.cumsum(counts)]))
    return np.diff(below)


def test_neighbouring_values_share_a_column_when_there_are_more_than_columns(store: RunStore) -> None:
    every = map_of(store, "torch", "spread", rows=8)
    few = map_of(store, "torch", "spread", rows=8, most_columns=6)
    assert every is not None
    assert few is not None
    assert few.step.tolist() == [0, 3, 6, 10, 13, 16]
    assert few.shares[1] == pytest.approx(every.shares[3:6].mean(axis=0), abs=1e-6)
    assert few.shares.sum(axis=1) == pytest.approx(np.ones(6), abs=1e-5)


def test_a_part_of_the_axis_has_a_part_of_the_values(store: RunStore) -> None:
    found = map_of(store, "tensorflow", "spread", rows=5, value_range=(0.0, 1.0))
    assert found is not None
    assert (found.axis.low, found.axis.high) == (0, 1)
    assert np.all(found.shares.sum(axis=1) < 1)
    with pytest.raises(BadArgumentError):
        map_of(store, "tensorflow", "spread", rows=5, value_range=(1.0, 0.0))


def test_a_symmetric_logarithm_is_linear_where_most_values_are_or_as_it_is_told(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    decades = rng.choice([-1, 1], 4000) * 10.0 ** rng.uniform(-12, 6, 4000)
    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_histogram("decades", decades, 0)
        writer.add_histogram("bell", rng.normal(0, 3, 4000), 0)
        writer.add_histogram("mostly/zeros", np.where(rng.random(4000) < 0.05, 7.0, 0.0), 0)
    store = open_log(tmp_path, watch=False, cache=False).wait()._store

    def width_of(tag: str, **more: Any) -> float:
        found = map_of(store, ".", tag, rows=4, is_symlog=True, **more)
        assert found is not None
        assert found.axis.linear_width is not None
        return found.axis.linear_width

    assert width_of("decades") < 10
    statistics = statistics_of(store, ".", "decades")
    assert statistics is not None
    assert statistics.linear_width == width_of("decades")
    assert width_of("bell") == pytest.approx(1.5, rel=0.1)
    assert width_of("mostly/zeros") == pytest.approx(7 * math.sqrt(0.05 * 0.95), rel=0.1)
    assert width_of("bell", linear_width=0.25) == 0.25
    with pytest.raises(BadArgumentError):
        width_of("bell", linear_width=0.0)


def test_one_value_and_none_have_an_axis_with_a_width(store: RunStore) -> None:
    for tag, low, high in (("constant", 2, 6), ("nothing", -0.5, 0.5)):
        found = map_of(store, "torch", tag, rows=4)
        assert found is not None
        assert (found.axis.low, found.axis.high) == (low, high)
    assert found.shares.sum() == 0


@pytest.mark.parametrize("value_range", [None, (-1e308, 1e308)])
@pytest.mark.parametrize("is_symlog", [False, True])
def test_buckets_that_end_where_doubles_do_are_on_the_map(
    tmp_path: Path, is_symlog: bool, value_range: tuple[float, float] | None
) -> None:
    def add(writer: SummaryWriter, tag: str, least: float, greatest: float, *limits: float) -> None:
        counts = [1.0] * len(limits)
        writer.add_histogram_raw(tag, least, greatest, len(limits), 0.0, 0.0, limits, counts, 0)

    with SummaryWriter(str(tmp_path)) as writer:
        add(writer, "far", -1.5e308, 1.5e308, 0.0, 1.5e308)
        add(writer, "equal", 1.7e308, 1.7e308, 1.7e308)
    store = open_log(tmp_path, watch=False, cache=False).wait()._store
    for tag in ("far", "equal"):
        found = map_of(store, ".", tag, rows=4, is_symlog=is_symlog, value_range=value_range)
        assert found is not None
        assert found.axis.high == 2.0**1022
        assert found.shares.sum() == pytest.approx(1)
        assert found.shares[0, -1] >= 0.25
    statistics = statistics_of(store, ".", "far")
    assert statistics is not None
    assert statistics.column("max").tolist() == [1.5e308]
    assert 0 < statistics.linear_width < math.inf


def test_large_series_are_decoded_in_portions(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask() -> tuple[Any, Any, Any]:
        monkeypatch.setattr(store.access, "statistics", Kept())
        joined = map_of(store, "torch", "spread", rows=8, most_columns=6)
        found = map_of(store, "torch", "spread", rows=8, is_symlog=True)
        return joined, found, statistics_of(store, "torch", "spread")

    whole_joined, whole_map, whole = ask()
    monkeypatch.setattr(histograms, "_BYTES_AT_ONCE", 30_000)
    monkeypatch.setattr(histograms, "_CELLS_AT_ONCE", 2 * 8)
    joined, in_parts_map, in_parts = ask()
    assert in_parts_map.axis == whole_map.axis
    assert np.array_equal(in_parts_map.shares, whole_map.shares)
    assert np.array_equal(in_parts.numbers, whole.numbers)
    assert joined.shares == pytest.approx(whole_joined.shares, abs=1e-6)


def test_values_of_many_numbers_in_few_bytes_are_decoded_in_smaller_portions(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And those that are too large by themselves are damaged."""
    whole = statistics_of(store, "torch", "spread")
    assert whole is not None
    ((_, logged),) = histograms_of(store, ["torch"], "spread")
    monkeypatch.setattr(store.access, "statistics", Kept())
    most = int(np.sort(logged.size)[STEPS // 2])
    monkeypatch.setattr(histograms, "MAX_NUMBERS", 3 * most)
    found = statistics_of(store, "torch", "spread")
    assert found is not None
    assert found.state.tolist() == (logged.size > most).tolist()
    is_good = found.state == 0
    assert np.array_equal(found.numbers[is_good], whole.numbers[is_good])
    in_map = map_of(store, "torch", "spread", rows=8)
    assert in_map is not None
    assert in_map.damaged_count == np.count_nonzero(~is_good)
    monkeypatch.setattr(store.access, "statistics", Kept())


def test_too_much_is_refused_before_it_is_decoded(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    every = map_of(store, "torch", "spread", rows=8, most_numbers=8 * STEPS)
    few = map_of(store, "torch", "spread", rows=8, most_columns=6, most_numbers=8 * 6)
    numbers = statistics_of(store, "torch", "spread", most_numbers=15 * STEPS)
    assert every is not None
    assert few is not None
    assert numbers is not None
    assert (every.number_count, few.number_count) == (8 * STEPS, 8 * 6)
    assert numbers.number_count == 15 * STEPS
    monkeypatch.setattr(store.access, "statistics", Kept())
    monkeypatch.setattr(MediaSeries, "decoded", None)
    for refused in (
        lambda: map_of(store, "torch", "spread", rows=8, most_numbers=8 * STEPS - 1),
        lambda: map_of(store, "torch", "spread", rows=8, most_columns=6, most_numbers=8 * 6 - 1),
        lambda: statistics_of(store, "torch", "spread", most_numbers=15 * STEPS - 1),
    ):
        with pytest.raises(BadArgumentError):
            refused()


@pytest.fixture
def decodings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many values were decoded, each time."""
    lengths: list[int] = []
    decoded: Callable[..., Any] = MediaSeries.decoded

    def counted(series: MediaSeries[Any], most_numbers: int) -> Any:
        lengths.append(len(series))
        return decoded(series, most_numbers)

    monkeypatch.setattr(MediaSeries, "decoded", counted)
    return lengths


def test_statistics_are_computed_once_until_there_are_more_values(
    tmp_path: Path, decodings: list[int]
) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_histogram("spread", ARRAYS[0], 0)
        writer.add_histogram("other", ARRAYS[0], 0)
        writer.flush()
        log = open_log(tmp_path, watch=False, cache=False).wait()
        run = log._store.runs()[0]
        for _ in range(3):
            assert statistics_of_run(run, "spread") is not None
        assert decodings == [1]
        assert statistics_of_run(run, "other") is not None
        assert decodings == [1, 1]
        writer.add_histogram("spread", ARRAYS[1], 1)
    log.refresh()
    for _ in range(2):
        found = statistics_of(log._store, run.name, "spread")
        assert found is not None
        assert found.column("max").tolist() == [ARRAYS[0].max(), ARRAYS[1].max()]
    assert decodings == [1, 1, 2]


def test_values_of_a_file_that_is_gone_are_looked_for_again(tmp_path: Path, decodings: list[int]) -> None:
    with SummaryWriter(str(tmp_path / "run")) as writer:
        writer.add_histogram("spread", ARRAYS[0], 0)
    store = open_log(tmp_path, watch=False, cache=False).wait()._store
    (tmp_path / "run").rename(tmp_path / "elsewhere")
    for _ in range(2):
        found = statistics_of(store, "run", "spread")
        assert found is not None
        assert found.state.tolist() == [2]
    assert decodings == [1, 1]


def test_rows_that_doubles_cannot_tell_apart_are_fewer() -> None:
    assert len(ValueAxis(1.0, np.nextafter(1.0, 2.0), None).edges(10)) == 2
