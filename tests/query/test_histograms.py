"""Statistics and maps of logged histograms, compared with NumPy's of the same buckets and arrays."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sightline import SummaryWriter
from sightline.log import open_log
from sightline.model.errors import BadArgumentError
from sightline.query import histograms
from sightline.query.decoded_series import ValueChoice
from sightline.query.histograms import ValueAxis, histograms_of, map_of, statistics_of
from sightline.query.stored_types import RunStore
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


def test_one_value_and_none_have_an_axis_with_a_width(store: RunStore) -> None:
    for tag, low, high in (("constant", 2, 6), ("nothing", -0.5, 0.5)):
        found = map_of(store, "torch", tag, rows=4)
        assert found is not None
        assert (found.axis.low, found.axis.high) == (low, high)
    assert found.shares.sum() == 0


def test_large_series_are_decoded_in_portions(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    whole_map = map_of(store, "torch", "spread", rows=8, is_symlog=True)
    whole = statistics_of(store, "torch", "spread")
    monkeypatch.setattr(histograms, "_BYTES_AT_ONCE", 3_000)
    in_parts_map = map_of(store, "torch", "spread", rows=8, is_symlog=True)
    in_parts = statistics_of(store, "torch", "spread")
    assert whole_map is not None
    assert in_parts_map is not None
    assert whole is not None
    assert in_parts is not None
    assert in_parts_map.axis == whole_map.axis
    assert np.array_equal(in_parts_map.shares, whole_map.shares)
    assert np.array_equal(in_parts.numbers, whole.numbers)


def test_rows_that_doubles_cannot_tell_apart_are_fewer() -> None:
    assert len(ValueAxis(1.0, np.nextafter(1.0, 2.0), None).edges(10)) == 2
